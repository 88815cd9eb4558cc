// The wallet: PayPal's API.
#include "base/decimal.h"
#include "base/encoding.h"
#include "base/ids.h"
#include "features/payments/processors/payment_signatures.h"
#include "sandbox/processor.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;
using enum PaymentStatus;

constexpr std::size_t wallet_id_length = 17;

class Wallet final : public Processor {
 public:
  explicit Wallet(World& world) : Processor(world, "wallet", "Wallet", "WALLET", "wallet") {}

  Headers signature(const std::string&, const std::string& body) const override {
    const std::string id = make_uuid(now()), time = to_string(now());
    const std::string signed_text = wallet_signed_text(id, time, wallet_webhook, body);
    return {{"PAYPAL-TRANSMISSION-SIG", base64(std::string_view(world.options.secrets.wallet.sign(signed_text)))},
            {"PAYPAL-TRANSMISSION-ID", id},
            {"PAYPAL-TRANSMISSION-TIME", time},
            {"PAYPAL-CERT-URL", world.url(fmt::format("{}/{}", wallet_certificates_path, wallet_certificate))},
            {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}};
  }

  Reply answer(const PartyRequest& request) override {
    if (request.is(Method::get, "/v1/notifications/certs/*")) return show_certificate(request.part(3));
    if (request.is(Method::post, "/v1/oauth2/token")) return issue_token(request);
    if (request.header("authorization") != "Bearer " + world.options.secrets.of("wallet token")) {
      return error(401, "AUTHENTICATION_FAILURE", "Authentication failed due to invalid authentication credentials.");
    }
    if (request.is(Method::post, "/v2/checkout/orders")) return create(request);
    if (request.is(Method::get, "/v2/checkout/orders/*")) return show(recall(request.part(3)), &Wallet::order);
    if (request.is(Method::post, "/v2/checkout/orders/*/capture")) return capture(recall(request.part(3)));
    if (request.is(Method::get, "/v2/payments/captures/*")) {
      return show(recall_by_transaction(request.part(3)), &Wallet::capture_of);
    }
    if (request.is(Method::post, "/v2/payments/captures/*/refund")) return refund_capture(request);
    if (request.is(Method::get, "/v2/payments/refunds/*")) return show_refund(request.part(3));
    return not_found();
  }

 private:
  static Reply error(int status, std::string_view name, std::string_view message) {
    return json_reply(status, json::object({{"name", name}, {"message", message}, {"debug_id", make_uuid(now())}}));
  }
  static Reply not_found() { return error(404, "RESOURCE_NOT_FOUND", "The specified resource does not exist."); }

  Reply show(const Payment* payment, json::Value (Wallet::*shown)(const Payment&) const) const {
    return payment == nullptr ? not_found() : json_reply(200, (this->*shown)(*payment));
  }

  Reply show_certificate(const std::string& name) const {
    if (name != wallet_certificate) return not_found();
    return {.content_type = "application/x-pem-file", .body = world.options.secrets.wallet.certificate_pem()};
  }

  Reply issue_token(const PartyRequest& request) const {
    const Secrets& secrets = world.options.secrets;
    const std::string expected = "Basic " + base64(secrets.of("wallet client") + ":" + secrets.of("wallet secret"));
    if (request.header("authorization") != expected) {
      return json_reply(401, json::object({{"error", "invalid_client"}}));
    }
    return json_reply(
        200,
        json::object({{"access_token", secrets.of("wallet token")}, {"token_type", "Bearer"}, {"expires_in", 32400}}));
  }

  Reply create(const PartyRequest& request) {
    const std::string key = request.header("paypal-request-id");
    if (const Payment* same = find_by_key(key)) return json_reply(200, order(*same));
    const std::string unit = "/purchase_units/0";
    const auto currency = Currency::parse(request.text(unit + "/amount/currency_code"));
    const auto amount = currency ? parse_decimal(request.text(unit + "/amount/value"), *currency) : std::nullopt;
    if (!amount) return error(422, "UNPROCESSABLE_ENTITY", "The amount is wrong.");
    const std::string return_url = request.text("/payment_source/paypal/experience_context/return_url");
    return json_reply(201, order(add({.id = random_text(wallet_id_length, digits_and_capitals),
                                      .tenant = "",
                                      .order_id = request.text(unit + "/custom_id"),
                                      .order_number = order_number_in(request.text(unit + "/description")),
                                      .key = key,
                                      .return_url = return_url,
                                      .currency = *currency,
                                      .amount = *amount})));
  }

  // The money moves here: the customer has only approved it.
  Reply capture(Payment* payment) {
    if (payment == nullptr) return not_found();
    if (payment->status == APPROVED) {
      payment->status = PAID;
      payment->transaction = random_text(wallet_id_length, digits_and_capitals);
      world.touch();
      world.deliver_later(webhook(*payment, event("PAYMENT.CAPTURE.COMPLETED", "capture", capture_of(*payment))));
    } else if (payment->transaction.empty()) {
      return error(422, "UNPROCESSABLE_ENTITY", "Payer has not yet approved the Order for payment.");
    }
    return json_reply(201, order(*payment));
  }

  Reply refund_capture(const PartyRequest& request) {
    Payment* payment = recall_by_transaction(request.part(3));
    if (payment == nullptr) return not_found();
    const auto amount = parse_decimal(request.text("/amount/value"), payment->currency);
    const Refund* made = refund(*payment, amount.value_or(payment->paid - payment->refunded),
                                request.header("paypal-request-id"), new_refund_id());
    if (made == nullptr) return error(422, "UNPROCESSABLE_ENTITY", "The refund is larger than the capture.");
    if (made->status == RefundStatus::COMPLETED) {
      for (const json::Value& event : refunded_events(*payment, *made)) world.deliver_later(webhook(*payment, event));
    }
    return json_reply(201, shown(*payment, *made));
  }

  // A reversal by the wallet itself cannot be read as a refund.
  Reply show_refund(const std::string& id) {
    const Payment* payment = find_by_refund(id);
    if (payment == nullptr) return not_found();
    const Refund& found = *std::ranges::find(payment->refunds, id, &Refund::id);
    return found.disputed ? not_found() : json_reply(200, shown(*payment, found));
  }

  static json::Value money(Cents amount, Currency currency) {
    return json::object({{"currency_code", currency.code()}, {"value", decimal_text(amount, currency)}});
  }

  static std::string_view capture_status(const Payment& payment) {
    if (payment.refunded.value() == 0) return "COMPLETED";
    return payment.refunded == payment.paid ? "REFUNDED" : "PARTIALLY_REFUNDED";
  }

  json::Value capture_of(const Payment& payment) const {
    return json::object(
        {{"id", payment.transaction},
         {"status", capture_status(payment)},
         {"amount", money(payment.paid, payment.currency)},
         {"custom_id", payment.order_id},
         {"supplementary_data", json::object({{"related_ids", json::object({{"order_id", payment.id}})}})}});
  }

  static std::string_view order_status(const Payment& payment) {
    if (payment.status == EXPIRED) return "VOIDED";
    if (payment.status == APPROVED) return "APPROVED";
    return payment.transaction.empty() ? "PAYER_ACTION_REQUIRED" : "COMPLETED";
  }

  json::Value order(const Payment& payment) const {
    const std::string unit = json::write_object([&](json::ObjectWriter& object) {
      object.add("reference_id", "default");
      object.add("custom_id", payment.order_id);
      object.add("amount", money(payment.amount, payment.currency));
      if (payment.transaction.empty()) return;
      object.add("payments", json::object({{"captures", json::array({capture_of(payment)})}}));
    });
    const json::Value link =
        json::object({{"rel", "payer-action"}, {"method", "GET"}, {"href", checkout_url(payment)}});
    return json::object({{"id", payment.id},
                         {"intent", "CAPTURE"},
                         {"status", order_status(payment)},
                         {"purchase_units", json::array({json::verbatim(unit)})},
                         {"links", json::array({link})}});
  }

  json::Value shown(const Payment& payment, const Refund& refund) const {
    const json::Value up = json::object(
        {{"rel", "up"}, {"method", "GET"}, {"href", world.url("/wallet/v2/payments/captures/" + payment.transaction)}});
    return json::object({{"id", refund.id},
                         {"status", name_of(refund.status)},
                         {"amount", money(refund.amount, payment.currency)},
                         {"custom_id", refund.key},
                         {"links", json::array({up})}});
  }

  static json::Value event(std::string_view type, std::string_view resource_type, const json::Value& resource) {
    return json::object({{"id", "WH-" + random_text(wallet_id_length, digits_and_capitals)},
                         {"event_version", "1.0"},
                         {"create_time", to_string(now())},
                         {"resource_type", resource_type},
                         {"event_type", type},
                         {"resource", resource}});
  }

  std::vector<json::Value> receive(Payment& payment, Cents amount) override {
    payment.paid = amount;
    payment.status = APPROVED;
    return paid_events(payment);
  }
  std::vector<json::Value> paid_events(const Payment& payment) override {
    return {event("CHECKOUT.ORDER.APPROVED", "checkout-order", order(payment))};
  }
  std::vector<json::Value> expired_events(const Payment& payment) override {
    return {event("CHECKOUT.PAYMENT-APPROVAL.REVERSED", "checkout-order", order(payment))};
  }
  std::vector<json::Value> refunded_events(const Payment& payment, const Refund& refund) override {
    const bool failed = refund.status == RefundStatus::FAILED;
    const char* type = refund.disputed ? "PAYMENT.CAPTURE.REVERSED"
                       : failed        ? "PAYMENT.REFUND.FAILED"
                                       : "PAYMENT.CAPTURE.REFUNDED";
    return {event(type, "refund", shown(payment, refund))};
  }
  std::string new_refund_id() const override { return random_text(wallet_id_length, digits_and_capitals); }
  bool returns_money() const override { return true; }
};

}  // namespace

std::unique_ptr<Processor> make_wallet(World& world) {
  return std::make_unique<Wallet>(world);
}

}  // namespace guildhall::sandbox
