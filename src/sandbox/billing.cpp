#include "sandbox/billing.h"

#include "base/failure.h"
#include "features/webhooks/signatures.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

constexpr std::chrono::hours period{30 * 24};
constexpr std::chrono::hours retry_after{3 * 24};
constexpr std::int64_t price_cents = 2900;

std::string new_id(std::string_view prefix) {
  return fmt::format("{}_{}", prefix, random_text(24, base58));
}

Reply error(int status, std::string_view type, std::string_view code, std::string_view message) {
  return json_reply(status,
                    json::object({{"error", json::object({{"type", type}, {"code", code}, {"message", message}})}}));
}

json::Value shown(const Subscription& subscription) {
  const json::Value item = json::object({{"id", subscription.item},
                                         {"current_period_end", subscription.period_end.ms / 1000},
                                         {"price", json::object({{"id", subscription.plan}})}});
  return json::object({{"id", subscription.id},
                       {"object", "subscription"},
                       {"customer", subscription.customer},
                       {"status", subscription.status},
                       {"created", subscription.created_at.ms / 1000},
                       {"items", json::object({{"object", "list"}, {"data", json::array({item})}})},
                       {"metadata", json::object({{"tenantId", subscription.tenant}})}});
}

json::Value invoice(const Subscription& subscription, bool paid) {
  const json::Value error = json::object({{"message", "Your card was declined."}});
  const json::Value intent =
      json::object({{"id", new_id("pi")}, {"last_payment_error", paid ? json::Value(nullptr) : error}});
  const json::Value payment =
      json::object({{"is_default", true}, {"payment", json::object({{"payment_intent", intent}})}});
  const json::Value details = json::object(
      {{"subscription", subscription.id}, {"metadata", json::object({{"tenantId", subscription.tenant}})}});
  return json::object(
      {{"id", new_id("in")},
       {"object", "invoice"},
       {"customer", subscription.customer},
       {"status", paid ? "paid" : "open"},
       {"amount_due", price_cents},
       {"currency", "usd"},
       {"attempt_count", 1},
       {"next_payment_attempt", paid ? json::Value(nullptr) : json::Value((now() + retry_after).ms / 1000)},
       {"status_transitions", json::object({{"paid_at", paid ? json::Value(now().ms / 1000) : json::Value(nullptr)}})},
       {"parent", json::object({{"subscription_details", details}})},
       {"payments", json::object({{"data", json::array({payment})}})}});
}

// An empty `previous_status` means that the status has not changed.
std::string event(std::string_view type, const json::Value& object, const std::string& previous_status = "") {
  const std::string data = json::write_object([&](json::ObjectWriter& out) {
    out.add("object", object);
    if (!previous_status.empty()) out.add("previous_attributes", json::object({{"status", previous_status}}));
  });
  return json::object({{"id", new_id("evt")},
                       {"object", "event"},
                       {"api_version", "2025-03-31.basil"},
                       {"created", now().ms / 1000},
                       {"livemode", false},
                       {"type", type},
                       {"data", json::verbatim(data)}})
      .text;
}

}  // namespace

Headers Billing::signature(const std::string&, const std::string& body) const {
  return {{"Billing-Signature", billing_signature(body, world.options.secrets.of("billing webhooks"), now())}};
}

Reply Billing::answer(const PartyRequest& request) {
  if (request.header("authorization") != "Bearer " + world.options.secrets.of("billing key")) {
    return error(401, "invalid_request_error", "", "Invalid API Key provided");
  }
  if (request.is(Method::post, "/v1/customers")) return create_customer(request);
  if (request.is(Method::post, "/v1/subscriptions")) return create_subscription(request);
  return error(404, "invalid_request_error", "resource_missing", "No such resource");
}

Reply Billing::create_customer(const PartyRequest& request) {
  const Fields form = fields_in(request.http.body);
  const std::string key = request.header("idempotency-key");
  const auto field = [&](const std::string& name) { return form.contains(name) ? form.at(name) : ""; };
  auto found = std::ranges::find_if(customers_, [&](const Customer& made) { return !key.empty() && made.key == key; });
  if (found == customers_.end()) {
    if (customers_.size() >= records_max) customers_.pop_front();
    customers_.push_back({new_id("cus"), field("name"), field("metadata[tenantId]"), key});
    found = std::prev(customers_.end());
  }
  return json_reply(200, json::object({{"id", found->id}, {"object", "customer"}, {"name", found->name}}));
}

Reply Billing::create_subscription(const PartyRequest& request) {
  const Fields form = fields_in(request.http.body);
  const std::string key = request.header("idempotency-key");
  const auto field = [&](const std::string& name) { return form.contains(name) ? form.at(name) : ""; };
  const auto same =
      std::ranges::find_if(subscriptions_, [&](const Subscription& made) { return !key.empty() && made.key == key; });
  if (same != subscriptions_.end()) return json_reply(200, shown(*same));
  if (std::ranges::find(customers_, field("customer"), &Customer::id) == customers_.end()) {
    return error(400, "invalid_request_error", "resource_missing", "No such customer");
  }
  if (subscriptions_.size() >= records_max) subscriptions_.pop_front();
  subscriptions_.push_back({.id = new_id("sub"),
                            .customer = field("customer"),
                            .tenant = field("metadata[tenantId]"),
                            .plan = field("items[0][price]"),
                            .key = key,
                            .period_end = now() + period,
                            .item = new_id("si")});
  world.touch();
  return json_reply(200, shown(subscriptions_.back()));
}

std::vector<std::string_view> Billing::actions(const Subscription& subscription) const {
  if (subscription.status == "canceled") return {};
  return {"renew", "fail", "cancel"};
}

std::vector<Webhook> Billing::act(Subscription& subscription, std::string_view action) {
  require_action(actions(subscription), action, subscription.status);
  const auto webhook = [&](std::string body) {
    return Webhook{*this, "/api/billing-provider/webhook", std::move(body)};
  };
  world.touch();
  if (action == "cancel") {
    subscription.status = "canceled";
    return {webhook(event("customer.subscription.deleted", shown(subscription)))};
  }
  const bool paid = action == "renew";
  const std::string before = std::exchange(subscription.status, paid ? "active" : "past_due");
  if (paid) subscription.period_end = subscription.period_end + period;
  return {webhook(event(paid ? "invoice.paid" : "invoice.payment_failed", invoice(subscription, paid))),
          webhook(event("customer.subscription.updated", shown(subscription),
                        before == subscription.status ? "" : before))};
}

Subscription* Billing::find(std::string_view id) {
  const auto found = std::ranges::find_if(subscriptions_, [&](const Subscription& one) { return one.id == id; });
  return found == subscriptions_.end() ? nullptr : &*found;
}

}  // namespace guildhall::sandbox
