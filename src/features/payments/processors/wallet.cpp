// WALLET: orders and captures with PayPal's API.
#include "base/decimal.h"
#include "base/encoding.h"
#include "base/url.h"
#include "features/payments/processors/payment_signatures.h"
#include "features/payments/processors/processor_list.h"
#include "features/payments/processors/wallet_certificates.h"

namespace guildhall {
namespace {

// The wallet accepts HUF and TWD in whole units only, although these currencies have smaller units. Throws
// ProcessorFailure for an amount that is not whole.
std::string amount_text(Cents amount, Currency currency) {
  std::string text = decimal_text(amount, currency);
  if (currency.code() != "HUF" && currency.code() != "TWD") return text;
  const std::size_t point = text.find('.');
  if (text.substr(point) != ".00") {
    throw ProcessorFailure(fmt::format("the wallet takes {} in whole units only, not {}", currency.code(), text), true);
  }
  return text.substr(0, point);
}

json::Value paypal_money(Cents amount, Currency currency) {
  return json::object({{"currency_code", currency.code()}, {"value", amount_text(amount, currency)}});
}

// The address of the first link with one of these relations; empty when there is none.
std::string link_at(const JsonLookup& answer, const std::string& links,
                    std::initializer_list<std::string_view> relations) {
  for (const std::string_view relation : relations) {
    for (std::size_t i = 0; i < answer.size(links); ++i) {
      const std::string link = fmt::format("{}/{}", links, i);
      if (answer.text(link + "/rel") == relation) return answer.text(link + "/href");
    }
  }
  return {};
}

// Reads the capture at the pointer `capture` into the report.
void read_capture(const JsonLookup& answer, const std::string& capture, PaymentReport& report) {
  const std::string status = answer.text(capture + "/status");
  report.kind = PaymentReport::Kind::processing;
  if (status == "COMPLETED" || status == "REFUNDED" || status == "PARTIALLY_REFUNDED") {
    report.kind = PaymentReport::Kind::paid;
  }
  if (status == "DECLINED" || status == "FAILED") report.kind = PaymentReport::Kind::failed;
  report.reference = answer.text(capture + "/id");
  report.amount = answer.text(capture + "/amount/value");
  report.currency = answer.text(capture + "/amount/currency_code");
}

PaymentReport report_of_order(const JsonLookup& order, const std::string& id) {
  PaymentReport report{.provider_payment_id = id, .order_id = order.text("/purchase_units/0/custom_id")};
  const std::string capture = "/purchase_units/0/payments/captures/0";
  if (order.has(capture)) {
    read_capture(order, capture, report);
  } else if (order.text("/status") == "VOIDED") {
    report.kind = PaymentReport::Kind::failed;
  }
  return report;
}

class Wallet final : public Processor {
 public:
  Wallet(const PaymentConfig& config, WorkerPool& certificate_fetches)
      : certificates_(config.wallet_cert_origin, config.wallet_cert_ca_file, certificate_fetches) {}

  Opened open(const Account& account, const Opening& opening) const override {
    const json::Value unit = json::object({{"reference_id", "default"},
                                           {"custom_id", opening.order_id},
                                           {"invoice_id", opening.payment_id},
                                           {"description", "Order " + opening.order_number},
                                           {"amount", paypal_money(opening.amount, opening.currency)}});
    const json::Value experience = json::object(
        {{"user_action", "PAY_NOW"}, {"return_url", opening.return_url}, {"cancel_url", opening.return_url}});
    const json::Value paypal = json::object({{"experience_context", experience}});
    const std::string body = json::object({{"intent", "CAPTURE"},
                                           {"purchase_units", json::array({unit})},
                                           {"payment_source", json::object({{"paypal", paypal}})}})
                                 .text;
    const JsonLookup order =
        call_processor(account, request(account, "POST", body, opening.payment_id), "/v2/checkout/orders");
    Opened opened{.provider_payment_id = required_text(order, "/id"),
                  .checkout_url = link_at(order, "/links", {"payer-action", "approve"})};
    if (opened.checkout_url.empty()) throw ProcessorFailure("the answer has no link for the payer", false);
    return opened;
  }

  // An event may name a capture instead of the order that the capture belongs to.
  PaymentReport state(const Account& account, const std::string& id) const override {
    try {
      return state_of_order(account, id);
    } catch (const ProcessorFailure& failure) {
      if (failure.status != 404) throw;
    }
    const JsonLookup capture = get(account, "/v2/payments/captures/" + url_encode(id));
    const std::string order = capture.text("/supplementary_data/related_ids/order_id");
    if (!order.empty()) return state_of_order(account, order);
    PaymentReport report{.provider_payment_id = id, .order_id = capture.text("/custom_id")};
    read_capture(capture, "", report);
    return report;
  }

  void probe(const Account& account) const override { access_token(account); }

  Task<bool> verify(const Account& account, const IncomingWebhook& webhook) const override {
    const std::string id = webhook.header("paypal-transmission-id"), time = webhook.header("paypal-transmission-time");
    const auto signature = from_base64(webhook.header("paypal-transmission-sig"));
    const std::string& webhook_id = account.value("webhookId");
    if (id.empty() || time.empty() || !signature || signature->empty() || webhook_id.empty()) co_return false;
    if (webhook.header("paypal-auth-algo") != "SHA256withRSA") co_return false;
    co_return co_await certificates_.verify(webhook.header("paypal-cert-url"),
                                            wallet_signed_text(id, time, webhook_id, webhook.body), *signature);
  }

  // The signature covers only a checksum, which other bodies have too: an event is a hint to ask the API.
  Notice interpret(const JsonLookup& event) const override {
    Notice notice{.event_id = event.text("/id")};
    notice.proven = false;
    const std::string type = event.text("/event_type");
    if (type == "CHECKOUT.ORDER.APPROVED" || type == "CHECKOUT.PAYMENT-APPROVAL.REVERSED") {
      notice.payment_to_check = event.text("/resource/id");
    } else if (type == "PAYMENT.CAPTURE.COMPLETED" || type == "PAYMENT.CAPTURE.DENIED" ||
               type == "PAYMENT.CAPTURE.DECLINED" || type == "PAYMENT.CAPTURE.PENDING") {
      notice.report = report_of_capture(event, type);
    } else if (type == "PAYMENT.CAPTURE.REFUNDED" || type == "PAYMENT.CAPTURE.REVERSED" ||
               type == "PAYMENT.REFUND.FAILED") {
      notice.refund = refund_report(event, "/resource", type == "PAYMENT.REFUND.FAILED");
    }
    return notice;
  }

  RefundProgress refund(const Account& account, const Refunding& refunding) const override {
    const std::string body = json::object({{"amount", paypal_money(refunding.amount, refunding.currency)},
                                           {"custom_id", refunding.refund_id}})
                                 .text;
    const JsonLookup answer =
        call_processor(account, request(account, "POST", body, refunding.refund_id),
                       fmt::format("/v2/payments/captures/{}/refund", url_encode(refunding.reference)));
    return progress_of(answer);
  }

  RefundProgress refund_state(const Account& account, const std::string& id) const override {
    return progress_of(get(account, "/v2/payments/refunds/" + url_encode(id)));
  }

  // A reversal by the wallet itself may have no refund that can be read. Then the capture must be refunded as a whole.
  std::optional<RefundReport> confirmed_refund(const Account& account, const std::string& provider_refund_id,
                                               const std::string& reference) const override {
    try {
      const JsonLookup refund = get(account, "/v2/payments/refunds/" + url_encode(provider_refund_id));
      const std::string status = refund.text("/status");
      const bool failed = status == "FAILED" || status == "CANCELLED";
      return failed || status == "COMPLETED" ? refund_report(refund, "", failed) : std::nullopt;
    } catch (const ProcessorFailure& failure) {
      if (failure.status != 404) throw;
    }
    try {
      const JsonLookup capture = get(account, "/v2/payments/captures/" + url_encode(reference));
      if (capture.text("/status") != "REFUNDED") return std::nullopt;
      return RefundReport{.reference = required_text(capture, "/id"),
                          .provider_refund_id = provider_refund_id,
                          .amount = capture.text("/amount/value"),
                          .currency = capture.text("/amount/currency_code")};
    } catch (const ProcessorFailure& failure) {
      if (failure.status != 404) throw;
    }
    return std::nullopt;
  }

 private:
  static JsonLookup get(const Account& account, const std::string& path) {
    return call_processor(account, request(account, "GET", "", ""), path);
  }

  static PaymentReport state_of_order(const Account& account, const std::string& id) {
    const std::string path = "/v2/checkout/orders/" + url_encode(id);
    const JsonLookup order = get(account, path);
    if (order.text("/status") != "APPROVED") return report_of_order(order, id);
    // The customer has approved the payment; the money moves when we capture it.
    const JsonLookup captured = call_processor(
        account, request(account, "POST", "{}", "capture-" + id, "return=representation"), path + "/capture");
    PaymentReport report = report_of_order(captured, id);
    if (report.order_id.empty()) report.order_id = order.text("/purchase_units/0/custom_id");
    return report;
  }

  static PaymentReport report_of_capture(const JsonLookup& event, const std::string& type) {
    PaymentReport report{.provider_payment_id = event.text("/resource/supplementary_data/related_ids/order_id"),
                         .order_id = event.text("/resource/custom_id")};
    read_capture(event, "/resource", report);
    if (report.provider_payment_id.empty()) report.provider_payment_id = report.reference;
    if (type == "PAYMENT.CAPTURE.COMPLETED") report.kind = PaymentReport::Kind::paid;
    if (type == "PAYMENT.CAPTURE.DENIED" || type == "PAYMENT.CAPTURE.DECLINED")
      report.kind = PaymentReport::Kind::failed;
    return report;
  }

  static RefundProgress progress_of(const JsonLookup& answer) {
    const std::string status = answer.text("/status");
    if (status == "FAILED" || status == "CANCELLED") throw ProcessorFailure("the refund was " + status, true);
    return {required_text(answer, "/id"), status != "PENDING"};
  }

  // A refund names its capture by a link only.
  static std::optional<RefundReport> refund_report(const JsonLookup& document, const std::string& refund, bool failed) {
    const std::string up = link_at(document, refund + "/links", {"up"});
    const std::string capture = up.substr(up.rfind('/') + 1);
    if (capture.empty()) return std::nullopt;
    return RefundReport{.reference = capture,
                        .provider_refund_id = document.text(refund + "/id"),
                        .amount = document.text(refund + "/amount/value"),
                        .currency = document.text(refund + "/amount/currency_code"),
                        .failed = failed};
  }

  static std::string access_token(const Account& account) {
    const std::string basic = base64(account.value("clientId") + ":" + account.value("clientSecret"));
    const JsonLookup answer = call_processor(
        account,
        {.method = "POST",
         .headers = {{"Authorization", "Basic " + basic}, {"Content-Type", "application/x-www-form-urlencoded"}},
         .body = "grant_type=client_credentials"},
        "/v1/oauth2/token");
    return required_text(answer, "/access_token");
  }

  static outbound::Request request(const Account& account, std::string method, std::string body,
                                   const std::string& request_id, const std::string& prefer = "") {
    outbound::Request request{
        .method = std::move(method),
        .headers = {{"Authorization", "Bearer " + access_token(account)}, {"Content-Type", "application/json"}},
        .body = std::move(body)};
    if (!request_id.empty()) request.headers.emplace_back("PayPal-Request-Id", request_id);
    if (!prefer.empty()) request.headers.emplace_back("Prefer", prefer);
    return request;
  }

  mutable WalletCertificates certificates_;
};

constexpr MethodValue wallet_values[] = {
    {"webhookId", "WALLET_WEBHOOK_ID", ValueKind::setting, MethodNeed::webhooks,
     "Id of its webhook, for tenants without their own."},
    {"clientId", "WALLET_CLIENT_ID", ValueKind::credential, MethodNeed::opening,
     "Its client id, for tenants without their own."},
    {"clientSecret", "WALLET_CLIENT_SECRET", ValueKind::secret, MethodNeed::opening,
     "Its client secret, for tenants without their own."},
};

}  // namespace

constinit const ProcessorDescriptor wallet_processor = {
    .provider = PaymentProvider("WALLET"),
    .method = PaymentMethod("WALLET"),
    .webhook_provider = WebhookProvider("WALLET"),
    .path_name = "wallet",
    .label = "Pay with your online wallet",
    .product = "PayPal",
    .keys_url = "https://developer.paypal.com/dashboard/applications",
    .address = {"WALLET_BASE_URL", "https://api-m.paypal.com", "Address of the processor of method `WALLET`."},
    .values = wallet_values,
    .refunds = RefundSupport::any_amount,
    .fetches_certificates = true,
    .make = [](const PaymentConfig& config, WorkerPool& certificate_fetches) -> std::unique_ptr<Processor> {
      return std::make_unique<Wallet>(config, certificate_fetches);
    },
};

}  // namespace guildhall
