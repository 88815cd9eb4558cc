#include "support/processors.h"

#include <stdexcept>

#include "sandbox/billing.h"
#include "sandbox/chat_platform.h"
#include "sandbox/shipping.h"
#include "support/engines.h"

namespace guildhall::test {
namespace {

// One for the process, since the wallet's key takes a while.
const sandbox::Secrets& secrets() {
  static const TemporaryFolder folder;
  static const sandbox::Secrets made("the tests", (folder.path / "wallet.pem").string());
  return made;
}

sandbox::Processor& processor_of(sandbox::World& world, std::string_view party) {
  for (const auto& processor : world.processors) {
    if (processor->name == party) return *processor;
  }
  throw std::logic_error("no such processor");
}

http::Method method_of(const std::string& name) {
  for (const http::Method method : {http::Method::post, http::Method::put, http::Method::patch, http::Method::del}) {
    if (to_string(method) == name) return method;
  }
  return http::Method::get;
}

}  // namespace

ProcessorStandIn::ProcessorStandIn(std::string_view party)
    : world_({.secrets = secrets()}, loop_, workers_), processor_(processor_of(world_, party)) {
  world_.port = stand_in.port();
  for (const char* method : {"GET", "POST"}) {
    stand_in.on(method, "/*", [this](const StandInRequest& request) { return answer(request); });
  }
}

StandInReply ProcessorStandIn::answer(const StandInRequest& request) {
  http::Request asked{.method = method_of(request.method), .path = request.path, .query = request.query};
  for (const auto& [name, value] : request.headers) asked.headers.push_back({name, value});
  asked.body = request.body;
  const std::lock_guard lock(mutex_);
  http::Reply reply = processor_.answer(sandbox::PartyRequest(asked, asked.path));
  return {.status = reply.status, .body = std::move(reply.body)};
}

void ProcessorStandIn::act(const std::string& payment, std::string_view action, std::optional<std::int64_t> cents) {
  const std::lock_guard lock(mutex_);
  sandbox::Payment* found = processor_.find(payment);
  if (found == nullptr) throw std::logic_error("no payment " + payment);
  processor_.act(*found, action, cents ? std::optional(Cents(*cents)) : std::nullopt);
}

void ProcessorStandIn::add_paid(const std::string& id, const std::string& order, std::int64_t cents,
                                const std::string& currency) {
  const std::lock_guard lock(mutex_);
  processor_.add({.id = id,
                  .tenant = "default",
                  .order_id = order,
                  .order_number = "",
                  .currency = Currency::parse(currency).value(),
                  .amount = Cents(cents),
                  .paid = Cents(cents),
                  .status = sandbox::PaymentStatus::PAID,
                  .expires_at = now()});
}

sandbox::Payment ProcessorStandIn::payment(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const sandbox::Payment* found = processor_.find(id);
  if (found == nullptr) throw std::logic_error("no payment " + id);
  return *found;
}

std::string ProcessorStandIn::last_id() const {
  const std::lock_guard lock(mutex_);
  return processor_.payments().empty() ? "" : processor_.payments().back().id;
}

int ProcessorStandIn::created() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(processor_.payments().size());
}

std::string ProcessorStandIn::secret(std::string_view name) {
  return secrets().of(name);
}

GatewayStandIn::GatewayStandIn() : ProcessorStandIn("gateway") {
  stand_in.on("POST", invoices_path(), [this](const StandInRequest& request) {
    StandInReply reply = answer(request);
    reply.delay = creation_takes;
    return reply;
  });
}

std::string GatewayStandIn::invoices_path() {
  return fmt::format("/api/v1/stores/{}/invoices", sandbox::gateway_store);
}

void GatewayStandIn::set_methods(const std::string& invoice, const std::string& list) {
  stand_in.on("GET", path_of(invoice) + "/payment-methods", StandInReply{.body = list});
}

void GatewayStandIn::set_processing(const std::string& invoice) {
  stand_in.on("GET", path_of(invoice), [this](const StandInRequest& request) {
    constexpr std::string_view open = R"("status":"New")";
    StandInReply reply = answer(request);
    const std::size_t at = reply.body.find(open);
    if (at != std::string::npos) reply.body.replace(at, open.size(), R"("status":"Processing")");
    return reply;
  });
}

std::map<std::string, std::string> GatewayStandIn::environment() const {
  return {{"CRYPTO_GATEWAY_BASE_URL", stand_in.url()},
          {"CRYPTO_GATEWAY_STORE_ID", std::string(sandbox::gateway_store)},
          {"CRYPTO_GATEWAY_API_KEY", secret("gateway key")},
          {"CRYPTO_GATEWAY_WEBHOOK_SECRET", secret("gateway webhooks")}};
}

}  // namespace guildhall::test
