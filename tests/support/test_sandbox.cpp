#include "support/test_sandbox.h"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>
#include <stdexcept>

#include "base/url.h"
#include "sandbox/chat_platform.h"
#include "sandbox/environment.h"
#include "support/engines.h"
#include "support/sandboxed_server.h"

namespace guildhall::test {
namespace {

sandbox::Options options_for(const std::string& guild) {
  return {.secrets = sandbox_secrets(),
          .port = 0,
          .server = std::string(TestSandbox::server),
          .guild = guild,
          .sends = false};
}

sandbox::Processor& processor_of(sandbox::World& world, const std::string& party) {
  for (const auto& processor : world.processors) {
    if (processor->name == party) return *processor;
  }
  throw std::logic_error("no processor " + party);
}

std::pair<sandbox::Processor&, sandbox::Payment&> found(sandbox::World& world, const std::string& payment) {
  for (const auto& processor : world.processors) {
    if (sandbox::Payment* one = processor->find(payment)) return {*processor, *one};
  }
  throw std::logic_error("no payment " + payment);
}

SignedWebhook signed_webhook(const sandbox::World& world, const sandbox::Webhook& webhook) {
  return {webhook.path, webhook.body, webhook.party.signature(world.options.server + webhook.path, webhook.body)};
}

// The path of a call below the party's.
std::string path_of(const sandbox::World& world, const sandbox::Call& call) {
  const std::string target = call.url.substr(world.url("").size());
  const std::string prefix = "/" + call.party;
  const std::string path = target.substr(0, target.find('?'));
  return path.starts_with(prefix + "/") ? path.substr(prefix.size()) : path;
}

}  // namespace

const sandbox::Secrets& sandbox_secrets() {
  static const TemporaryFolder folder;
  static const sandbox::Secrets made("the tests", (folder.path / "wallet.pem").string());
  return made;
}

TestSandbox::TestSandbox(const std::string& guild) : sandbox_(std::make_unique<sandbox::Sandbox>(options_for(guild))) {}

std::map<std::string, std::string> TestSandbox::environment(std::string_view prefix) const {
  auto all = environment_for(options_for(""), sandbox_->port());
  std::erase_if(all, [&](const auto& variable) { return !variable.first.starts_with(prefix); });
  return {all.begin(), all.end()};
}

std::map<std::string, std::string> TestSandbox::addresses() const {
  auto all = environment();
  std::erase_if(all, [](const auto& variable) {
    return !variable.first.ends_with("_BASE_URL") && !variable.first.starts_with("WALLET_CERT_");
  });
  return all;
}

std::vector<sandbox::Call> TestSandbox::calls(const std::string& party, const std::string& path) const {
  return run([&](sandbox::World& world) {
    std::vector<sandbox::Call> found;
    for (const sandbox::Call& call : world.calls.all()) {
      if (call.outgoing || call.party != party) continue;
      if (path.empty() || sandbox::fits(sandbox::parts_of(path_of(world, call)), path)) found.push_back(call);
    }
    return found;
  });
}

std::int64_t TestSandbox::arrived(const std::string& party) const {
  return run([&](sandbox::World& world) { return world.find_party(party)->calls; });
}

void TestSandbox::forget_calls() const {
  run([](sandbox::World& world) { world.calls.clear(); });
}

void TestSandbox::fail(const std::string& party, sandbox::Fault fault) const {
  run([&](sandbox::World& world) { world.faults.set(party, fault); });
}

void TestSandbox::fail(const std::string& party, sandbox::FaultKind kind, const std::string& path) const {
  fail(party, sandbox::Fault{.kind = kind, .path = path});
}

void TestSandbox::answer(const std::string& party, const std::string& path, int status, const std::string& body) const {
  fail(party, {.kind = sandbox::FaultKind::answer, .path = path, .status = status, .body = body});
}

void TestSandbox::recover(const std::string& party) const {
  run([&](sandbox::World& world) { world.faults.clear(party); });
}

std::vector<SignedWebhook> TestSandbox::act(const std::string& payment, std::string_view action,
                                            std::optional<std::int64_t> cents) const {
  return run([&](sandbox::World& world) {
    const auto [processor, one] = found(world, payment);
    std::vector<SignedWebhook> webhooks;
    for (const auto& webhook : processor.act(one, action, cents ? std::optional(Cents(*cents)) : std::nullopt)) {
      webhooks.push_back(signed_webhook(world, webhook));
    }
    return webhooks;
  });
}

void TestSandbox::add_paid(const std::string& party, const std::string& id, const std::string& order,
                           std::int64_t cents, const std::string& currency) const {
  run([&](sandbox::World& world) {
    processor_of(world, party)
        .add({.id = id,
              .tenant = "default",
              .order_id = order,
              .order_number = "",
              .currency = Currency::parse(currency).value(),
              .amount = Cents(cents),
              .paid = Cents(cents),
              .status = sandbox::PaymentStatus::PAID,
              .transaction = id + "-T",
              .expires_at = now()});
  });
}

sandbox::Payment TestSandbox::payment(const std::string& id) const {
  return run([&](sandbox::World& world) { return found(world, id).second; });
}

std::string TestSandbox::last_payment(const std::string& party) const {
  return run([&](sandbox::World& world) {
    const auto& payments = processor_of(world, party).payments();
    return payments.empty() ? std::string() : payments.back().id;
  });
}

int TestSandbox::payments(const std::string& party) const {
  return run([&](sandbox::World& world) { return static_cast<int>(processor_of(world, party).payments().size()); });
}

std::vector<SignedWebhook> TestSandbox::take_webhooks() const {
  return run([](sandbox::World& world) {
    std::vector<SignedWebhook> taken;
    for (const sandbox::Webhook& webhook : world.waiting) taken.push_back(signed_webhook(world, webhook));
    world.waiting.clear();
    return taken;
  });
}

SignedWebhook TestSandbox::sign(const std::string& party, const std::string& path, const std::string& body) const {
  return run([&](sandbox::World& world) { return signed_webhook(world, {*world.find_party(party), path, body}); });
}

std::string TestSandbox::consent(const std::string& authorization_url, const std::string& member) const {
  const std::string query = authorization_url.substr(authorization_url.find('?') + 1);
  SandboxClient browser(sandbox_->port());
  const HttpReply back = browser.send("POST", "/chat/oauth2/authorize", fmt::format("{}&member={}", query, member),
                                      {{"Content-Type", "application/x-www-form-urlencoded"}});
  if (back.status != 302) throw std::runtime_error("no consent: " + back.body);
  const std::string location = back.header("location");
  return sandbox::fields_in(location.substr(location.find('?') + 1))["code"];
}

void TestSandbox::add_member(const std::string& id) const {
  run([&](sandbox::World& world) {
    world.chat->guild.members.push_back({.id = id, .username = "user" + id, .display_name = "User " + id});
  });
}

void TestSandbox::add_channel(const std::string& id) const {
  run([&](sandbox::World& world) { world.chat->guild.channels.push_back({.id = id, .name = "channel-" + id}); });
}

void TestSandbox::add_role(const std::string& id) const {
  run([&](sandbox::World& world) {
    world.chat->guild.roles.push_back({.id = id, .name = "Role " + id, .color = 0, .position = 1});
  });
}

std::string header_of(const sandbox::Call& call, std::string_view name) {
  for (const auto& [given, value] : call.request_headers) {
    if (boost::algorithm::iequals(given, name)) return value;
  }
  return "";
}

}  // namespace guildhall::test
