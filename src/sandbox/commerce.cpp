// The crypto commerce processor: Coinbase Commerce's API.
#include "base/decimal.h"
#include "base/ids.h"
#include "features/payments/processors/payment_signatures.h"
#include "sandbox/processor.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;
using enum PaymentStatus;

constexpr std::chrono::hours charge_open_for{1};

class Commerce final : public Processor {
 public:
  explicit Commerce(World& world)
      : Processor(world, "commerce", "Crypto commerce processor", "CRYPTO_COMMERCE", "crypto-commerce") {}

  Headers signature(const std::string&, const std::string& body) const override {
    return {{"X-CC-Webhook-Signature", crypto_commerce_signature(body, world.options.secrets.of("commerce webhooks"))}};
  }

  Reply answer(const PartyRequest& request) override {
    if (request.header("x-cc-api-key") != world.options.secrets.of("commerce key")) {
      return error(401, "authentication_error", "Invalid API key");
    }
    if (request.is(Method::post, "/charges")) return create(request);
    if (request.is(Method::get, "/charges")) {
      const json::Value list = newest([this](const Payment& charge) { return shown(charge); });
      return json_reply(200, json::object({{"data", list}}));
    }
    if (request.is(Method::get, "/charges/*")) {
      const Payment* charge = find(request.part(1));
      if (charge == nullptr) return error(404, "not_found", "Not found");
      return json_reply(200, json::object({{"data", shown(*charge)}}));
    }
    return error(404, "not_found", "Not found");
  }

 private:
  static Reply error(int status, std::string_view type, std::string_view message) {
    return json_reply(status, json::object({{"error", json::object({{"type", type}, {"message", message}})}}));
  }

  Reply create(const PartyRequest& request) {
    const auto currency = Currency::parse(request.text("/local_price/currency"));
    const auto amount = currency ? parse_decimal(request.text("/local_price/amount"), *currency) : std::nullopt;
    if (!amount) return error(400, "invalid_request", "The local price is wrong");
    const Payment& charge = add({.id = make_uuid(now()),
                                 .tenant = request.text("/metadata/tenantId"),
                                 .order_id = request.text("/metadata/orderId"),
                                 .order_number = order_number_in(request.text("/name")),
                                 .return_url = request.text("/redirect_url"),
                                 .currency = *currency,
                                 .amount = *amount,
                                 .code = random_text(8, digits_and_capitals),
                                 .expires_at = now() + charge_open_for});
    return json_reply(201, json::object({{"data", shown(charge)}}));
  }

  static json::Value price(Cents amount, Currency currency) {
    return json::object({{"amount", decimal_text(amount, currency)}, {"currency", currency.code()}});
  }

  static json::Value step(std::string_view status, std::string_view context = "", Instant at = now()) {
    return json::verbatim(json::write_object([&](json::ObjectWriter& object) {
      object.add("time", to_string(at));
      object.add("status", status);
      if (!context.empty()) object.add("context", context);
    }));
  }

  static json::Value last_step(const Payment& charge) {
    if (charge.late) return step("UNRESOLVED", "DELAYED");
    if (charge.status == PARTLY_PAID) return step("UNRESOLVED", "UNDERPAID");
    if (charge.status == PAID) return step("COMPLETED");
    if (charge.status == SEEN) return step("PENDING");
    return step(charge.status == EXPIRED ? "EXPIRED" : "NEW");
  }

  static json::Value payments_of(const Payment& charge) {
    if (charge.paid.value() == 0) return json::array({});
    return json::array({json::object({{"network", "bitcoin"},
                                      {"transaction_id", charge.transaction},
                                      {"status", "CONFIRMED"},
                                      {"value", json::object({{"local", price(charge.paid, charge.currency)}})}})});
  }

  json::Value shown(const Payment& charge) const {
    return json::object({{"id", charge.id},
                         {"resource", "charge"},
                         {"code", charge.code},
                         {"name", "Order " + charge.order_number},
                         {"pricing_type", "fixed_price"},
                         {"hosted_url", checkout_url(charge)},
                         {"created_at", to_string(charge.created_at)},
                         {"expires_at", to_string(*charge.expires_at)},
                         {"pricing", json::object({{"local", price(charge.amount, charge.currency)}})},
                         {"metadata", json::object({{"orderId", charge.order_id}, {"tenantId", charge.tenant}})},
                         {"payments", payments_of(charge)},
                         {"timeline", json::array({step("NEW", "", charge.created_at), last_step(charge)})}});
  }

  json::Value event(std::string_view type, const Payment& charge) const {
    return json::object({{"id", make_uuid(now())},
                         {"scheduled_for", to_string(now())},
                         {"attempt_number", 1},
                         {"event", json::object({{"id", make_uuid(now())},
                                                 {"resource", "event"},
                                                 {"type", type},
                                                 {"api_version", "2018-03-22"},
                                                 {"created_at", to_string(now())},
                                                 {"data", shown(charge)}})}});
  }

  std::vector<json::Value> receive(Payment& charge, Cents amount) override {
    charge.transaction = random_text(64, "0123456789abcdef");
    return Processor::receive(charge, amount);
  }
  std::vector<json::Value> paid_events(const Payment& charge) override {
    if (charge.late) return {event("charge:delayed", charge)};
    if (charge.status == PARTLY_PAID) return {event("charge:failed", charge)};
    return {event("charge:pending", charge), event("charge:confirmed", charge)};
  }
  std::vector<json::Value> seen_events(const Payment& charge) override { return {event("charge:pending", charge)}; }
  std::vector<json::Value> expired_events(const Payment& charge) override { return {event("charge:failed", charge)}; }
  bool collects_parts() const override { return true; }
  bool takes_late_payments() const override { return true; }
  bool sees_money_first() const override { return true; }
};

}  // namespace

std::unique_ptr<Processor> make_commerce(World& world) {
  return std::make_unique<Commerce>(world);
}

}  // namespace guildhall::sandbox
