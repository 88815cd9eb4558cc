// APPPAY: payment links with Square's API. The customer pays by card or with the app.
#include "base/decimal.h"
#include "base/url.h"
#include "features/payments/processors/payment_signatures.h"
#include "features/payments/processors/processor_list.h"

namespace guildhall {
namespace {

json::Value square_money(Cents amount, Currency currency) {
  return json::object({{"amount", amount.value()}, {"currency", currency.code()}});
}

// Square writes amounts as integers in minor units.
std::optional<std::string> decimal_at(const JsonLookup& answer, const std::string& pointer) {
  const auto currency = Currency::parse(answer.text(pointer + "/currency"));
  const auto minor = parse_decimal(answer.text(pointer + "/amount"), *Currency::parse("JPY"));
  if (!currency || !minor) return std::nullopt;
  return decimal_text(*minor, *currency);
}

PaymentReport::Kind square_kind(const std::string& status) {
  if (status == "COMPLETED") return PaymentReport::Kind::paid;
  if (status == "APPROVED" || status == "PENDING") return PaymentReport::Kind::processing;
  if (status == "CANCELED" || status == "FAILED") return PaymentReport::Kind::failed;
  return PaymentReport::Kind::waiting;
}

// Reads the payment at the pointer. Its provider_payment_id is the id of Square's order.
PaymentReport report_of_payment(const JsonLookup& answer, const std::string& payment) {
  PaymentReport report{.kind = square_kind(answer.text(payment + "/status")),
                       .provider_payment_id = answer.text(payment + "/order_id"),
                       .order_id = answer.text(payment + "/reference_id")};
  report.reference = required_text(answer, payment + "/id");
  if (report.provider_payment_id.empty()) report.provider_payment_id = report.reference;
  report.amount = decimal_at(answer, payment + "/amount_money");
  report.currency = answer.text(payment + "/amount_money/currency");
  return report;
}

RefundReport refund_report(const JsonLookup& event, const std::string& object, std::string payment) {
  return {.reference = std::move(payment),
          .provider_refund_id = event.text(object + "/id"),
          .amount = decimal_at(event, object + "/amount_money").value_or(""),
          .currency = event.text(object + "/amount_money/currency")};
}

std::optional<RefundReport> report_of_refund(const JsonLookup& event, const std::string& refund) {
  const std::string status = event.text(refund + "/status");
  RefundReport report = refund_report(event, refund, event.text(refund + "/payment_id"));
  report.failed = status == "FAILED" || status == "REJECTED";
  return report.failed || status == "COMPLETED" ? std::optional(report) : std::nullopt;
}

// A charge-back that the shop has lost or accepted.
std::optional<RefundReport> report_of_dispute(const JsonLookup& event, const std::string& dispute) {
  const std::string state = event.text(dispute + "/state");
  if (state != "LOST" && state != "ACCEPTED") return std::nullopt;
  return refund_report(event, dispute, event.text(dispute + "/disputed_payment/payment_id"));
}

class Apppay final : public Processor {
 public:
  Opened open(const Account& account, const Opening& opening) const override {
    const std::string name = "Order " + opening.order_number;
    const json::Value quick_pay = json::object({{"name", name},
                                                {"price_money", square_money(opening.amount, opening.currency)},
                                                {"location_id", account.value("locationId")}});
    const json::Value options = json::object(
        {{"redirect_url", opening.return_url}, {"accepted_payment_methods", json::object({{"cash_app_pay", true}})}});
    const std::string body = json::object({{"idempotency_key", opening.payment_id},
                                           {"quick_pay", quick_pay},
                                           {"checkout_options", options},
                                           {"payment_note", name}})
                                 .text;
    const JsonLookup link =
        call_processor(account, request(account, "POST", body), "/v2/online-checkout/payment-links");
    return {.provider_payment_id = required_text(link, "/payment_link/order_id"),
            .checkout_url = required_text(link, "/payment_link/url")};
  }

  PaymentReport state(const Account& account, const std::string& id) const override {
    const JsonLookup order = call_processor(account, request(account, "GET", ""), "/v2/orders/" + url_encode(id));
    PaymentReport report{.provider_payment_id = id};
    if (order.text("/order/state") == "CANCELED") report.kind = PaymentReport::Kind::failed;
    const std::size_t tenders = order.size("/order/tenders");
    if (tenders == 0) return report;
    std::string payment = order.text(fmt::format("/order/tenders/{}/payment_id", tenders - 1));
    if (payment.empty()) payment = required_text(order, fmt::format("/order/tenders/{}/id", tenders - 1));
    const JsonLookup answer =
        call_processor(account, request(account, "GET", ""), "/v2/payments/" + url_encode(payment));
    report = report_of_payment(answer, "/payment");
    report.provider_payment_id = id;
    return report;
  }

  void probe(const Account& account) const override {
    call_processor(account, request(account, "GET", ""), "/v2/locations/" + url_encode(account.value("locationId")));
  }

  Task<bool> verify(const Account& account, const IncomingWebhook& webhook) const override {
    const std::string& registered = account.value("notificationUrl");
    co_return verify_apppay_signature(webhook.header("x-square-hmacsha256-signature"),
                                      registered.empty() ? webhook.url : registered, webhook.body,
                                      account.value("webhookSecret"));
  }

  Notice interpret(const JsonLookup& event) const override {
    Notice notice{.event_id = event.text("/event_id")};
    const std::string type = event.text("/type"), payment = "/data/object/payment";
    if ((type == "payment.updated" || type == "payment.created") && event.has(payment)) {
      notice.report = report_of_payment(event, payment);
    } else if (type.starts_with("refund.")) {
      notice.refund = report_of_refund(event, "/data/object/refund");
    } else if (type.starts_with("dispute.")) {
      notice.refund = report_of_dispute(event, "/data/object/dispute");
    }
    return notice;
  }

  RefundProgress refund(const Account& account, const Refunding& refunding) const override {
    const std::string body = json::object({{"idempotency_key", refunding.refund_id},
                                           {"payment_id", refunding.reference},
                                           {"amount_money", square_money(refunding.amount, refunding.currency)}})
                                 .text;
    return progress_of(call_processor(account, request(account, "POST", body), "/v2/refunds"));
  }

  RefundProgress refund_state(const Account& account, const std::string& id) const override {
    return progress_of(call_processor(account, request(account, "GET", ""), "/v2/refunds/" + url_encode(id)));
  }

 private:
  static RefundProgress progress_of(const JsonLookup& answer) {
    const std::string status = answer.text("/refund/status");
    if (status == "REJECTED" || status == "FAILED") throw ProcessorFailure("the refund was " + status, true);
    return {required_text(answer, "/refund/id"), status != "PENDING"};
  }

  static outbound::Request request(const Account& account, std::string method, std::string body) {
    return {.method = std::move(method),
            .headers = {{"Authorization", "Bearer " + account.value("accessToken")},
                        {"Square-Version", "2024-10-17"},
                        {"Content-Type", "application/json"}},
            .body = std::move(body)};
  }
};

constexpr MethodValue apppay_values[] = {
    {"locationId", "APPPAY_LOCATION_ID", ValueKind::setting, MethodNeed::opening,
     "Its location, for tenants without their own."},
    {"notificationUrl", "", ValueKind::setting, MethodNeed::nothing},
    {"accessToken", "APPPAY_ACCESS_TOKEN", ValueKind::secret, MethodNeed::opening,
     "Its access token, for tenants without their own."},
    {"webhookSecret", "APPPAY_WEBHOOK_SECRET", ValueKind::secret, MethodNeed::webhooks,
     "Signature key of its webhooks, for tenants without their own."},
};

}  // namespace

constinit const ProcessorDescriptor apppay_processor = {
    .provider = PaymentProvider("APPPAY"),
    .method = PaymentMethod("APPPAY"),
    .webhook_provider = WebhookProvider("APPPAY"),
    .path_name = "apppay",
    .label = "Pay with card or app",
    .product = "Square",
    .keys_url = "https://developer.squareup.com/apps",
    .address = {"APPPAY_BASE_URL", "https://connect.squareup.com", "Address of the processor of method `APPPAY`."},
    .values = apppay_values,
    .refunds = RefundSupport::any_amount,
    .make = [](const PaymentConfig&, WorkerPool&) -> std::unique_ptr<Processor> { return std::make_unique<Apppay>(); },
};

}  // namespace guildhall
