// BTC_GATEWAY: a crypto gateway with BTCPay's Greenfield API.
#include "base/decimal.h"
#include "base/url.h"
#include "features/payments/processors/payment_signatures.h"
#include "features/payments/processors/processor_list.h"

namespace guildhall {
namespace {

struct InvoiceMetadata {
  std::string order_id, tenant_id, payment_id, item_desc;
};
BOOST_DESCRIBE_STRUCT(InvoiceMetadata, (), (order_id, tenant_id, payment_id, item_desc))

PaymentReport::Kind kind_of(const std::string& status, const std::string& addition) {
  const bool something_came = addition == "PaidPartial" || addition == "PaidLate";
  if (status == "Settled" || something_came) return PaymentReport::Kind::paid;
  if (status == "Processing") return PaymentReport::Kind::processing;
  if (status == "Expired") return PaymentReport::Kind::expired;
  if (status == "Invalid") return PaymentReport::Kind::failed;
  return PaymentReport::Kind::waiting;
}

std::optional<Attention> gateway_hint(const std::string& addition) {
  if (addition == "PaidPartial") return Attention::UNDERPAID;
  if (addition == "PaidLate") return Attention::LATE;
  if (addition == "PaidOver") return Attention::OVERPAID;
  return std::nullopt;
}

// The index of the bitcoin method in the gateway's list: on the chain if possible, since a lightning invoice is not an
// address. Nothing if the gateway does not accept bitcoin.
std::optional<std::size_t> bitcoin_method(const JsonLookup& methods) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < methods.size(""); ++i) {
    const std::string id = methods.text(fmt::format("/{}/paymentMethodId", i));
    if (id == "BTC-CHAIN") return i;
    if (!found && id.starts_with("BTC-")) found = i;
  }
  return found;
}

class BtcGateway final : public Processor {
 public:
  Opened open(const Account& account, const Opening& opening) const override {
    const JsonLookup invoice =
        call_processor(account, request(account, "POST", body_of(account, opening)), invoices(account));
    Opened opened{.provider_payment_id = required_text(invoice, "/id"),
                  .checkout_url = required_text(invoice, "/checkoutLink")};
    const std::string expiry = invoice.text("/expirationTime");
    if (const auto seconds = parse_decimal(expiry, *Currency::parse("JPY"))) {
      opened.expires_at = Instant{seconds->value() * 1000};
    }
    return opened;
  }

  std::optional<Deposit> deposit(const Account& account, const std::string& id) const override {
    const JsonLookup methods =
        call_processor_for_list(account, request(account, "GET", ""), invoice_path(account, id) + "/payment-methods");
    const auto method = bitcoin_method(methods);
    if (!method) return std::nullopt;
    return Deposit{required_text(methods, fmt::format("/{}/destination", *method)),
                   required_text(methods, fmt::format("/{}/due", *method))};
  }

  // The invoice has the amount, which events do not have.
  PaymentReport state(const Account& account, const std::string& id) const override {
    const JsonLookup invoice = call_processor(account, request(account, "GET", ""), invoice_path(account, id));
    const std::string addition = invoice.text("/additionalStatus");
    PaymentReport report{.kind = kind_of(required_text(invoice, "/status"), addition),
                         .provider_payment_id = id,
                         .order_id = invoice.text("/metadata/orderId")};
    report.currency = invoice.text("/currency");
    report.hint = gateway_hint(addition);
    if (report.kind == PaymentReport::Kind::paid) {
      const std::string paid = invoice.text("/paidAmount");
      const bool unknown = report.hint == Attention::UNDERPAID;  // the amount is less, and not known
      report.amount = !paid.empty() ? paid : unknown ? "0" : required_text(invoice, "/amount");
    }
    return report;
  }

  // The list of invoices needs the permission that reading one needs, too.
  void probe(const Account& account) const override {
    call_processor_for_list(account, request(account, "GET", ""), invoices(account) + "?take=1");
  }

  Task<bool> verify(const Account& account, const IncomingWebhook& webhook) const override {
    co_return verify_crypto_gateway_signature(webhook.header("btcpay-sig"), webhook.body,
                                              account.value("webhookSecret"));
  }

  Notice interpret(const JsonLookup& event) const override {
    const std::string original = event.text("/originalDeliveryId");
    Notice notice{.event_id = original.empty() ? event.text("/deliveryId") : original};
    const std::string type = event.text("/type");
    if (type == "InvoiceSettled" || type == "InvoiceProcessing" || type == "InvoiceExpired" ||
        type == "InvoiceInvalid" || type == "InvoicePaymentSettled") {
      notice.payment_to_check = event.text("/invoiceId");
    }
    if (type == "InvoiceExpired" && event.text("/partiallyPaid") == "true") {
      notice.report = PaymentReport{.kind = PaymentReport::Kind::expired,
                                    .provider_payment_id = event.text("/invoiceId"),
                                    .order_id = event.text("/metadata/orderId"),
                                    .hint = Attention::UNDERPAID};
    }
    return notice;
  }

 private:
  static std::string invoices(const Account& account) {
    return fmt::format("/api/v1/stores/{}/invoices", url_encode(account.value("storeId")));
  }

  static std::string invoice_path(const Account& account, const std::string& id) {
    return fmt::format("{}/{}", invoices(account), url_encode(id));
  }

  static outbound::Request request(const Account& account, std::string method, std::string body) {
    return {.method = std::move(method),
            .headers = {{"Authorization", "token " + account.value("apiKey")}, {"Content-Type", "application/json"}},
            .body = std::move(body)};
  }

  static std::string body_of(const Account& account, const Opening& opening) {
    const std::string checkout = json::write_object([&](json::ObjectWriter& object) {
      object.add("redirectURL", opening.return_url);
      object.add("redirectAutomatically", true);
      const std::string& minutes = account.value("expirationMinutes");
      if (!minutes.empty()) object.key("expirationMinutes") += minutes;
    });
    const InvoiceMetadata metadata{opening.order_id, account.tenant.text(), opening.payment_id,
                                   "Order " + opening.order_number};
    return json::object({{"amount", decimal_text(opening.amount, opening.currency)},
                         {"currency", opening.currency.code()},
                         {"metadata", metadata},
                         {"checkout", json::verbatim(checkout)}})
        .text;
  }
};

constexpr MethodValue btc_gateway_values[] = {
    {"storeId", "CRYPTO_GATEWAY_STORE_ID", ValueKind::setting, MethodNeed::opening,
     "Store at the crypto gateway, for tenants without their own."},
    {"expirationMinutes", "", ValueKind::setting, MethodNeed::nothing},
    {"apiKey", "CRYPTO_GATEWAY_API_KEY", ValueKind::secret, MethodNeed::opening,
     "API key of the crypto gateway, for tenants without their own."},
    {"webhookSecret", "CRYPTO_GATEWAY_WEBHOOK_SECRET", ValueKind::secret, MethodNeed::webhooks,
     "Secret of the crypto gateway's webhooks, for tenants without their own."},
};

}  // namespace

constinit const ProcessorDescriptor btc_gateway_processor = {
    .provider = PaymentProvider("CRYPTO_GATEWAY"),
    .method = PaymentMethod("BTC_GATEWAY"),
    .webhook_provider = WebhookProvider("CRYPTO_GATEWAY"),
    .path_name = "crypto-gateway",
    .label = "Pay with Bitcoin",
    .product = "BTCPay Server",
    .keys_url = "https://docs.btcpayserver.org/BTCPayServer/greenfield-authorization",
    .address = {"CRYPTO_GATEWAY_BASE_URL", "", "Address of the crypto gateway (method `BTC_GATEWAY`)."},
    .values = btc_gateway_values,
    .has_deposits = true,
    .make = [](const PaymentConfig&, WorkerPool&) -> std::unique_ptr<Processor> {
      return std::make_unique<BtcGateway>();
    },
};

}  // namespace guildhall
