// CRYPTO_COMMERCE: charges with Coinbase Commerce's API.
#include "base/decimal.h"
#include "base/text.h"
#include "base/url.h"
#include "features/payments/processors/payment_signatures.h"
#include "features/payments/processors/processor_list.h"

namespace guildhall {
namespace {

struct ChargeMetadata {
  std::string order_id, tenant_id, payment_id;
};
BOOST_DESCRIBE_STRUCT(ChargeMetadata, (), (order_id, tenant_id, payment_id))

// The sum of the payments in the charge's own currency; nothing if there are none.
std::optional<Cents> received(const JsonLookup& answer, const std::string& charge, Currency currency) {
  const std::string payments = charge + "/payments";
  std::optional<Cents> sum;
  for (std::size_t i = 0; i < answer.size(payments); ++i) {
    const std::string local = fmt::format("{}/{}/value/local", payments, i);
    if (answer.text(local + "/currency") != currency.code()) continue;
    if (const auto amount = parse_decimal(answer.text(local + "/amount"), currency)) {
      sum = sum.value_or(Cents()) + *amount;
    }
  }
  return sum;
}

PaymentReport::Kind commerce_kind(const std::string& status) {
  if (status == "COMPLETED" || status == "CONFIRMED" || status == "RESOLVED") return PaymentReport::Kind::paid;
  if (status == "PENDING" || status == "SIGNED") return PaymentReport::Kind::processing;
  if (status == "EXPIRED") return PaymentReport::Kind::expired;
  if (status == "CANCELED" || status == "FAILED") return PaymentReport::Kind::failed;
  return PaymentReport::Kind::waiting;
}

std::optional<Attention> commerce_hint(const std::string& context) {
  if (context == "UNDERPAID") return Attention::UNDERPAID;
  if (context == "OVERPAID") return Attention::OVERPAID;
  if (context == "DELAYED") return Attention::LATE;
  return std::nullopt;
}

// Reads the charge at the pointer. Answers and events have the same shape.
PaymentReport report_of_charge(const JsonLookup& answer, const std::string& charge) {
  PaymentReport report{.provider_payment_id = answer.text(charge + "/id"),
                       .order_id = answer.text(charge + "/metadata/orderId")};
  if (report.provider_payment_id.empty()) report.provider_payment_id = required_text(answer, charge + "/code");
  const std::size_t steps = answer.size(charge + "/timeline");
  if (steps > 0) {
    const std::string last = fmt::format("{}/timeline/{}", charge, steps - 1);
    report.kind = commerce_kind(answer.text(last + "/status"));
    if (answer.text(last + "/status") == "UNRESOLVED") {  // money was received, with the problem that `context` names
      report.hint = commerce_hint(answer.text(last + "/context"));
      report.kind = PaymentReport::Kind::paid;
    }
  }
  report.currency = answer.text(charge + "/pricing/local/currency");
  if (report.currency.empty()) report.currency = answer.text(charge + "/payments/0/value/local/currency");
  const auto currency = Currency::parse(report.currency);
  if (!currency) return report;
  const auto sum = received(answer, charge, *currency);
  if (sum) {
    report.amount = decimal_text(*sum, *currency);
  } else if (answer.size(charge + "/payments") > 0) {  // the money was received in another currency
    report.currency = answer.text(charge + "/payments/0/value/local/currency");
    report.amount = answer.text(charge + "/payments/0/value/local/amount");
  }
  return report;
}

// The amount of a confirmed charge whose payments are not listed is its price.
void complete_paid(const JsonLookup& answer, const std::string& charge, PaymentReport& report) {
  if (report.kind != PaymentReport::Kind::paid || report.amount || report.hint) return;
  const std::string price = answer.text(charge + "/pricing/local/amount");
  if (!price.empty()) report.amount = price;
}

class CryptoCommerce final : public Processor {
 public:
  Opened open(const Account& account, const Opening& opening) const override {
    const ChargeMetadata metadata{opening.order_id, account.tenant.text(), opening.payment_id};
    const std::string name = "Order " + opening.order_number;
    const json::Value price = json::object(
        {{"amount", decimal_text(opening.amount, opening.currency)}, {"currency", opening.currency.code()}});
    const std::string body = json::object({{"name", storable_text(name, 100)},
                                           {"description", storable_text(name, 200)},
                                           {"pricing_type", "fixed_price"},
                                           {"local_price", price},
                                           {"metadata", metadata},
                                           {"redirect_url", opening.return_url},
                                           {"cancel_url", opening.return_url}})
                                 .text;
    const JsonLookup charge = call_processor(account, request(account, "POST", body), "/charges");
    return {.provider_payment_id = required_text(charge, "/data/id"),
            .checkout_url = required_text(charge, "/data/hosted_url"),
            .expires_at = parse_instant(charge.text("/data/expires_at"))};
  }

  PaymentReport state(const Account& account, const std::string& id) const override {
    const JsonLookup answer = call_processor(account, request(account, "GET", ""), "/charges/" + url_encode(id));
    PaymentReport report = report_of_charge(answer, "/data");
    complete_paid(answer, "/data", report);
    report.provider_payment_id = id;
    return report;
  }

  void probe(const Account& account) const override {
    call_processor(account, request(account, "GET", ""), "/charges?limit=1");
  }

  Task<bool> verify(const Account& account, const IncomingWebhook& webhook) const override {
    co_return verify_crypto_commerce_signature(webhook.header("x-cc-webhook-signature"), webhook.body,
                                               account.value("webhookSecret"));
  }

  Notice interpret(const JsonLookup& event) const override {
    Notice notice{.event_id = event.text("/event/id")};
    const std::string type = event.text("/event/type");
    if (!type.starts_with("charge:") || type == "charge:created") return notice;
    PaymentReport report = report_of_charge(event, "/event/data");
    if (type == "charge:confirmed" || type == "charge:resolved") report.kind = PaymentReport::Kind::paid;
    if (type == "charge:pending") report.kind = PaymentReport::Kind::processing;
    if (type == "charge:delayed") {
      report.kind = PaymentReport::Kind::paid;
      report.hint = Attention::LATE;
    }
    if (type == "charge:failed" && report.kind != PaymentReport::Kind::paid) report.kind = PaymentReport::Kind::failed;
    complete_paid(event, "/event/data", report);
    notice.report = std::move(report);
    return notice;
  }

 private:
  static outbound::Request request(const Account& account, std::string method, std::string body) {
    return {.method = std::move(method),
            .headers = {{"X-CC-Api-Key", account.value("apiKey")},
                        {"X-CC-Version", "2018-03-22"},
                        {"Content-Type", "application/json"}},
            .body = std::move(body)};
  }
};

constexpr MethodValue crypto_commerce_values[] = {
    {"apiKey", "CRYPTO_COMMERCE_API_KEY", ValueKind::secret, MethodNeed::opening,
     "Its API key, for tenants without their own."},
    {"webhookSecret", "CRYPTO_COMMERCE_WEBHOOK_SECRET", ValueKind::secret, MethodNeed::webhooks,
     "Secret of its webhooks, for tenants without their own."},
};

}  // namespace

constinit const ProcessorDescriptor crypto_commerce_processor = {
    .provider = PaymentProvider("CRYPTO_COMMERCE"),
    .method = PaymentMethod("CRYPTO_COMMERCE"),
    .webhook_provider = WebhookProvider("CRYPTO_COMMERCE"),
    .path_name = "crypto-commerce",
    .label = "Pay with cryptocurrency",
    .product = "Coinbase Commerce",
    .keys_url = "https://docs.cdp.coinbase.com/commerce/introduction/quickstart",
    .address = {"CRYPTO_COMMERCE_BASE_URL", "https://api.commerce.coinbase.com",
                "Address of the processor of method `CRYPTO_COMMERCE`."},
    .values = crypto_commerce_values,
    .make = [](const PaymentConfig&, WorkerPool&) -> std::unique_ptr<Processor> {
      return std::make_unique<CryptoCommerce>();
    },
};

}  // namespace guildhall
