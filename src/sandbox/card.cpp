// The processor of cards and apps: Square's API.
#include "base/ids.h"
#include "features/payments/processors/payment_signatures.h"
#include "sandbox/processor.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;
using enum PaymentStatus;

constexpr std::size_t card_id_length = 27;

class Card final : public Processor {
 public:
  explicit Card(World& world) : Processor(world, "card", "Card and app processor", "APPPAY", "apppay") {}

  Headers signature(const std::string& url, const std::string& body) const override {
    return {{"x-square-hmacsha256-signature", apppay_signature(url, body, world.options.secrets.of("card webhooks"))}};
  }

  Reply answer(const PartyRequest& request) override {
    if (request.header("authorization") != "Bearer " + world.options.secrets.of("card token")) {
      return error(401, "UNAUTHORIZED", "This request could not be authorized.");
    }
    if (request.is(Method::post, "/v2/online-checkout/payment-links")) return create(request);
    if (request.is(Method::get, "/v2/orders/*")) return show_order(recall(request.part(2)));
    if (request.is(Method::get, "/v2/payments/*")) return show_payment(recall_by_transaction(request.part(2)));
    if (request.is(Method::post, "/v2/refunds")) return refund_payment(request);
    if (request.is(Method::get, "/v2/refunds/*")) return show_refund(request.part(2));
    if (request.is(Method::get, "/v2/locations/*")) return show_location(request.part(2));
    return not_found();
  }

 private:
  static Reply error(int status, std::string_view code, std::string_view detail) {
    const json::Value one = json::object({{"category", "INVALID_REQUEST_ERROR"}, {"code", code}, {"detail", detail}});
    return json_reply(status, json::object({{"errors", json::array({one})}}));
  }
  static Reply not_found() { return error(404, "NOT_FOUND", "Resource not found."); }

  static Reply show_location(const std::string& id) {
    if (id != card_location) return not_found();
    return json_reply(200, json::object({{"location", json::object({{"id", id}, {"status", "ACTIVE"}})}}));
  }

  static json::Value money(Cents amount, Currency currency) {
    return json::object({{"amount", amount.value()}, {"currency", currency.code()}});
  }

  Reply create(const PartyRequest& request) {
    const std::string key = request.text("/idempotency_key");
    if (const Payment* same = find_by_key(key)) return show_link(*same);
    const auto currency = Currency::parse(request.text("/quick_pay/price_money/currency"));
    const auto amount = request.json ? request.json->integer("/quick_pay/price_money/amount") : std::nullopt;
    if (!currency || !amount || *amount < 0) return error(400, "BAD_REQUEST", "The price is wrong.");
    return show_link(add({.id = random_text(card_id_length, base58),
                          .tenant = "",
                          .order_id = "",
                          .order_number = order_number_in(request.text("/quick_pay/name")),
                          .key = key,
                          .return_url = request.text("/checkout_options/redirect_url"),
                          .currency = *currency,
                          .amount = Cents(*amount),
                          .code = random_text(16, digits_and_capitals)}));
  }

  Reply show_link(const Payment& payment) const {
    return json_reply(200, json::object({{"payment_link", json::object({{"id", payment.code},
                                                                        {"version", 1},
                                                                        {"order_id", payment.id},
                                                                        {"url", checkout_url(payment)}})}}));
  }

  Reply show_order(const Payment* payment) const {
    if (payment == nullptr) return not_found();
    const std::string order = json::write_object([&](json::ObjectWriter& object) {
      object.add("id", payment->id);
      object.add("location_id", card_location);
      object.add("state", payment->status == EXPIRED ? "CANCELED" : "OPEN");
      if (payment->transaction.empty()) return;
      object.add("tenders",
                 json::array({json::object({{"id", payment->transaction}, {"payment_id", payment->transaction}})}));
    });
    return json_reply(200, json::object({{"order", json::verbatim(order)}}));
  }

  static std::string_view status_of(const Payment& payment) {
    if (payment.status == SEEN) return "APPROVED";
    return payment.status == EXPIRED ? "CANCELED" : "COMPLETED";
  }

  static json::Value shown(const Payment& payment) {
    const Cents amount = payment.status == SEEN ? payment.amount : payment.paid;
    return json::verbatim(json::write_object([&](json::ObjectWriter& object) {
      object.add("id", payment.transaction);
      object.add("order_id", payment.id);
      if (!payment.order_id.empty()) object.add("reference_id", payment.order_id);
      object.add("location_id", card_location);
      object.add("status", status_of(payment));
      object.add("amount_money", money(amount, payment.currency));
    }));
  }

  static json::Value shown(const Payment& payment, const Refund& refund) {
    return json::object({{"id", refund.id},
                         {"payment_id", payment.transaction},
                         {"order_id", payment.id},
                         {"status", name_of(refund.status)},
                         {"amount_money", money(refund.amount, payment.currency)}});
  }

  static Reply show_payment(const Payment* payment) {
    return payment == nullptr ? not_found() : json_reply(200, json::object({{"payment", shown(*payment)}}));
  }

  Reply refund_payment(const PartyRequest& request) {
    Payment* payment = recall_by_transaction(request.text("/payment_id"));
    const auto amount = request.json ? request.json->integer("/amount_money/amount") : std::nullopt;
    if (payment == nullptr || !amount || *amount < 1) return not_found();
    const Refund* made = refund(*payment, Cents(*amount), request.text("/idempotency_key"), new_refund_id());
    if (made == nullptr) return error(400, "REFUND_AMOUNT_INVALID", "The refund is larger than the payment.");
    for (const json::Value& event : refunded_events(*payment, *made)) world.deliver_later(webhook(*payment, event));
    return json_reply(200, json::object({{"refund", shown(*payment, *made)}}));
  }

  Reply show_refund(const std::string& id) {
    const Payment* payment = find_by_refund(id);
    if (payment == nullptr) return not_found();
    return json_reply(
        200, json::object({{"refund", shown(*payment, *std::ranges::find(payment->refunds, id, &Refund::id))}}));
  }

  static json::Value event(std::string_view type, std::string_view kind, const std::string& id,
                           const json::Value& object) {
    return json::object(
        {{"merchant_id", "SANDBOX"},
         {"type", type},
         {"event_id", make_uuid(now())},
         {"created_at", to_string(now())},
         {"data", json::object({{"type", kind}, {"id", id}, {"object", json::object({{kind, object}})}})}});
  }

  std::vector<json::Value> receive(Payment& payment, Cents amount) override {
    if (payment.transaction.empty()) payment.transaction = random_text(card_id_length, base58);
    return Processor::receive(payment, amount);
  }
  std::vector<json::Value> see(Payment& payment) override {
    payment.transaction = random_text(card_id_length, base58);
    return Processor::see(payment);
  }
  std::vector<json::Value> seen_events(const Payment& payment) override { return paid_events(payment); }
  std::vector<json::Value> paid_events(const Payment& payment) override {
    return {event("payment.updated", "payment", payment.transaction, shown(payment))};
  }
  std::vector<json::Value> expired_events(const Payment& payment) override {
    Payment canceled = payment;
    canceled.transaction = random_text(card_id_length, base58);
    return {event("payment.updated", "payment", canceled.transaction, shown(canceled))};
  }
  std::vector<json::Value> refunded_events(const Payment& payment, const Refund& refund) override {
    if (!refund.disputed) return {event("refund.updated", "refund", refund.id, shown(payment, refund))};
    const auto dispute = [&](std::string_view state) {
      return json::object({{"id", refund.id},
                           {"state", state},
                           {"reason", "NOT_AS_DESCRIBED"},
                           {"amount_money", money(refund.amount, payment.currency)},
                           {"disputed_payment", json::object({{"payment_id", payment.transaction}})}});
    };
    return {event("dispute.created", "dispute", refund.id, dispute("EVIDENCE_REQUIRED")),
            event("dispute.state.updated", "dispute", refund.id, dispute("LOST"))};
  }
  std::string new_refund_id() const override { return random_text(card_id_length, base58); }
  bool returns_money() const override { return true; }
  bool sees_money_first() const override { return true; }
};

}  // namespace

std::unique_ptr<Processor> make_card(World& world) {
  return std::make_unique<Card>(world);
}

}  // namespace guildhall::sandbox
