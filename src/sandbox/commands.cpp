#include "sandbox/commands.h"

#include <fmt/format.h>
#include <iostream>
#include <signal.h>

#include "app/secret_file.h"
#include "features/chat/command_list.h"
#include "sandbox/environment.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_client.h"
#include "sandbox/webhook_listener.h"

namespace guildhall {
namespace {

// The text between quotes of a POSIX shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

void wait_for_stop_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  int number = 0;
  sigwait(&signals, &number);
}

struct TriggeredEvent {
  std::string_view party;
  std::string_view action;
  std::string_view meaning;
};

constexpr TriggeredEvent triggered_events[] = {
    {"gateway", "pay", "The crypto gateway receives the whole amount."},
    {"gateway", "see", "The crypto gateway sees the money, which is not confirmed yet."},
    {"gateway", "payPart", "The crypto gateway receives half of the amount."},
    {"gateway", "overpay", "The crypto gateway receives more than the amount."},
    {"gateway", "payLate", "The crypto gateway's invoice expires and is paid then."},
    {"gateway", "expire", "The crypto gateway's invoice expires."},
    {"commerce", "pay", "The crypto commerce processor receives the whole amount."},
    {"commerce", "see", "The crypto commerce processor sees the money, which is not confirmed yet."},
    {"commerce", "payPart", "The crypto commerce processor receives half of the amount."},
    {"commerce", "overpay", "The crypto commerce processor receives more than the amount."},
    {"commerce", "payLate", "The crypto commerce processor's charge expires and is paid then."},
    {"commerce", "expire", "The crypto commerce processor's charge expires."},
    {"wallet", "pay", "The customer approves the payment with the wallet."},
    {"wallet", "payPart", "The customer approves half of the amount with the wallet."},
    {"wallet", "overpay", "The customer approves more than the amount with the wallet."},
    {"wallet", "expire", "The customer lets the wallet's approval lapse."},
    {"wallet", "refund", "The wallet returns the money on its own."},
    {"wallet", "completeRefund", "The wallet completes the newest refund, which was pending."},
    {"wallet", "failRefund", "The wallet takes back the newest refund."},
    {"wallet", "dispute", "The customer reverses the wallet's payment."},
    {"card", "pay", "The customer pays by card or app."},
    {"card", "see", "The card payment is approved, and not completed yet."},
    {"card", "payPart", "The customer pays half by card or app."},
    {"card", "overpay", "The customer pays more than the amount by card or app."},
    {"card", "expire", "The card payment is canceled."},
    {"card", "refund", "The card processor returns the money on its own."},
    {"card", "completeRefund", "The newest refund of the card processor, which was pending, is completed."},
    {"card", "failRefund", "The newest refund of the card processor fails."},
    {"card", "dispute", "The shop loses a dispute about the card payment."},
    {"shipping", "next", "The newest parcel takes its next step."},
    {"shipping", "fail", "The newest parcel cannot be delivered."},
    {"billing", "renew", "The newest subscription is renewed and its invoice paid."},
    {"billing", "fail", "The payment of the newest subscription fails."},
    {"billing", "cancel", "The newest subscription ends."},
    {"chat", "ping", "The chat platform checks the address for interactions."},
};

const TriggeredEvent& event_named(const std::string& name) {
  for (const TriggeredEvent& event : triggered_events) {
    if (name == fmt::format("{}.{}", event.party, event.action)) return event;
  }
  throw std::runtime_error(fmt::format("There is no event {}: see `guildhall trigger --list`.", name));
}

bool allows(const JsonLookup& state, const std::string& record, std::string_view action) {
  for (std::size_t i = 0; i < state.size(record + "/actions"); ++i) {
    if (state.text(fmt::format("{}/actions/{}", record, i)) == action) return true;
  }
  return false;
}

// The path of the newest record that allows the event. Payments are listed newest first, other records newest last.
std::string path_of_record(const JsonLookup& state, const TriggeredEvent& event) {
  const bool is_payment = event.party != "shipping" && event.party != "billing";
  const std::string kind = is_payment ? "payments" : event.party == "shipping" ? "parcels" : "subscriptions";
  const std::size_t count = state.size("/" + kind);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string record = fmt::format("/{}/{}", kind, is_payment ? i : count - 1 - i);
    const bool of_party = !is_payment || state.text(record + "/party") == event.party;
    if (of_party && allows(state, record, event.action)) {
      return fmt::format("/sandbox/{}/{}/{}", kind, state.text(record + "/id"), event.action);
    }
  }
  throw std::runtime_error(fmt::format("The sandbox has none of the {} that allows '{}' now.", kind, event.action));
}

}  // namespace

sandbox::Options sandbox_options(const Environment& environment) {
  if (environment("SERVICE_ENV").value_or("") == "production") {
    throw std::runtime_error("The sandbox is not for production: SERVICE_ENV is production.");
  }
  const std::string folder = environment("DATA_DIR").value_or("data");
  return {.secrets = {generated_secret(folder + "/sandbox-secret"), folder + "/sandbox-wallet.pem"},
          .guild = std::string(demo_guild),
          .commands = chat::commands_json()};
}

void print_sandbox_environment(const sandbox::Options& options, std::ostream& out) {
  for (const auto& [name, value] : sandbox::environment_for(options, options.port)) {
    out << name << "=" << quoted(value) << "\n";
  }
}

void run_sandbox(sandbox::Options options, std::ostream& out) {
  const sandbox::Sandbox running(std::move(options));
  out << "The sandbox is at " << running.url("/") << std::endl;
  wait_for_stop_signal();
}

void list_triggered_events(std::ostream& out) {
  for (const TriggeredEvent& event : triggered_events) {
    out << fmt::format("{:20} {}\n", fmt::format("{}.{}", event.party, event.action), event.meaning);
  }
}

bool trigger_event(const std::string& sandbox, const std::string& name, std::ostream& out) {
  const TriggeredEvent& event = event_named(name);
  const std::string path = event.party == "chat"
                               ? "/sandbox/chat/ping"
                               : path_of_record(call_sandbox(sandbox, "GET", "/sandbox/state"), event);
  const JsonLookup answer = call_sandbox(sandbox, "POST", path, "{}");
  const bool delivered = answer.text("/delivered") == "true";
  out << fmt::format("{}: {} (status {})\n", name, delivered ? "delivered" : "not delivered", answer.text("/status"));
  return delivered;
}

void listen_for_webhooks(std::uint16_t port, const std::vector<std::string>& secrets, const std::string& forward_to,
                         std::ostream& out) {
  const auto show = [&out](const sandbox::ReceivedWebhook& received) {
    const auto body = JsonLookup::parse(received.body);
    out << fmt::format("{}  {:22} {}  {}  answered {}\n  {}\n", to_string(now()), body ? body->text("/type") : "?",
                       received.id, received.problem ? "NOT VERIFIED: " + *received.problem : "verified",
                       received.status, received.body)
        << std::flush;
  };
  const sandbox::WebhookListener listener(port, secrets, forward_to, show);
  out << fmt::format("Webhooks are received at http://127.0.0.1:{}/\n", listener.port()) << std::flush;
  wait_for_stop_signal();
}

}  // namespace guildhall
