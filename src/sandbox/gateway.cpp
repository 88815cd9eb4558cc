// The crypto gateway: BTCPay's Greenfield API.
#include "base/decimal.h"
#include "features/payments/processors/payment_signatures.h"
#include "sandbox/processor.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;
using enum PaymentStatus;

constexpr std::chrono::minutes invoice_open_for{15};
constexpr std::int64_t minutes_max = 30 * 24 * 60;
constexpr std::int64_t satoshi_per_minor_unit = 15;  // about 66,700 US dollars for a bitcoin
constexpr std::string_view bech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

std::string_view status_of(const Payment& payment) {
  if (payment.status == PAID && !payment.late) return "Settled";
  if (payment.status == SEEN) return "Processing";
  return payment.status == EXPIRED || payment.late ? "Expired" : "New";
}

std::string_view addition_of(const Payment& payment) {
  if (payment.late) return "PaidLate";
  if (payment.status == PARTLY_PAID || (payment.status == EXPIRED && payment.paid.value() > 0)) return "PaidPartial";
  return payment.amount < payment.paid ? "PaidOver" : "None";
}

class Gateway final : public Processor {
 public:
  explicit Gateway(World& world) : Processor(world, "gateway", "Crypto gateway", "BTC_GATEWAY", "crypto-gateway") {}

  Headers signature(const std::string&, const std::string& body) const override {
    return {{"BTCPay-Sig", crypto_gateway_signature(body, world.options.secrets.of("gateway webhooks"))}};
  }

  // A delivery has a new id each time, and names the first one.
  std::string body_of_repetition(const std::string& body) const override {
    std::string again = body;
    const auto replace = [&](std::string_view before, std::string_view after) {
      const std::size_t at = again.find(before);
      if (at != std::string::npos) again.replace(at, before.size(), after);
    };
    const auto event = JsonLookup::parse(body);
    if (!event) return body;
    replace(fmt::format(R"("deliveryId":"{}")", event->text("/deliveryId")),
            fmt::format(R"("deliveryId":"{}")", random_text(22, base58)));
    replace(R"("isRedelivery":false)", R"("isRedelivery":true)");
    return again;
  }

  Reply answer(const PartyRequest& request) override {
    if (request.header("authorization") != "token " + world.options.secrets.of("gateway key")) {
      return error(401, "unauthenticated", "Authentication is required for accessing this endpoint");
    }
    if (request.is(Method::post, "/api/v1/stores/*/invoices")) return create(request);
    if (request.is(Method::get, "/api/v1/stores/*/invoices")) {
      return json_reply(200, newest([this](const Payment& invoice) { return shown(invoice); }));
    }
    const bool asks_for_methods = request.is(Method::get, "/api/v1/stores/*/invoices/*/payment-methods");
    if (asks_for_methods || request.is(Method::get, "/api/v1/stores/*/invoices/*")) {
      const Payment* invoice = find(request.part(5));
      if (invoice == nullptr) return error(404, "invoice-not-found", "The invoice was not found");
      return json_reply(200, asks_for_methods ? json::array({chain(*invoice)}) : shown(*invoice));
    }
    return error(404, "not-found", "There is no such endpoint");
  }

 private:
  static Reply error(int status, std::string_view code, std::string_view message) {
    return json_reply(status, json::object({{"code", code}, {"message", message}}));
  }

  Reply create(const PartyRequest& request) {
    const auto currency = Currency::parse(request.text("/currency"));
    const auto amount = currency ? parse_decimal(request.text("/amount"), *currency) : std::nullopt;
    if (!amount) return error(422, "validation-error", "The amount or the currency is wrong");
    const std::int64_t minutes = std::clamp<std::int64_t>(
        request.json->integer("/checkout/expirationMinutes").value_or(invoice_open_for.count()), 1, minutes_max);
    return json_reply(200, shown(add({.id = random_text(22, base58),
                                      .tenant = request.text("/metadata/tenantId"),
                                      .order_id = request.text("/metadata/orderId"),
                                      .order_number = order_number_in(request.text("/metadata/itemDesc")),
                                      .return_url = request.text("/checkout/redirectURL"),
                                      .currency = *currency,
                                      .amount = *amount,
                                      .address = "bcrt1q" + random_text(38, bech32),
                                      .expires_at = now() + std::chrono::minutes(minutes)})));
  }

  json::Value metadata(const Payment& invoice) const {
    return json::object(
        {{"orderId", invoice.order_id}, {"tenantId", invoice.tenant}, {"itemDesc", "Order " + invoice.order_number}});
  }

  json::Value shown(const Payment& invoice) const {
    return json::object({{"id", invoice.id},
                         {"storeId", gateway_store},
                         {"checkoutLink", checkout_url(invoice)},
                         {"amount", decimal_text(invoice.amount, invoice.currency)},
                         {"paidAmount", decimal_text(invoice.paid, invoice.currency)},
                         {"currency", invoice.currency.code()},
                         {"type", "Standard"},
                         {"createdTime", invoice.created_at.ms / 1000},
                         {"expirationTime", invoice.expires_at->ms / 1000},
                         {"status", status_of(invoice)},
                         {"additionalStatus", addition_of(invoice)},
                         {"metadata", metadata(invoice)}});
  }

  static std::string coins(Cents amount) {
    const std::int64_t satoshi = amount.value() * satoshi_per_minor_unit;
    return fmt::format("{}.{:08}", satoshi / 100'000'000, satoshi % 100'000'000);
  }

  static json::Value chain(const Payment& invoice) {
    const Cents due = invoice.amount < invoice.paid ? Cents() : invoice.amount - invoice.paid;
    return json::object({{"paymentMethodId", "BTC-CHAIN"},
                         {"destination", invoice.address},
                         {"paymentLink", fmt::format("bitcoin:{}?amount={}", invoice.address, coins(due))},
                         {"amount", coins(invoice.amount)},
                         {"due", coins(due)},
                         {"activated", true},
                         {"payments", json::array({})}});
  }

  json::Value event(std::string_view type, const Payment& invoice, bool after_expiry) const {
    const std::string delivery = random_text(22, base58);
    return json::object({{"deliveryId", delivery},
                         {"webhookId", "sandbox"},
                         {"originalDeliveryId", delivery},
                         {"isRedelivery", false},
                         {"type", type},
                         {"timestamp", now().ms / 1000},
                         {"storeId", gateway_store},
                         {"invoiceId", invoice.id},
                         {"metadata", metadata(invoice)},
                         {"afterExpiration", after_expiry},
                         {"overPaid", invoice.amount < invoice.paid},
                         {"partiallyPaid", invoice.paid.value() > 0 && invoice.paid < invoice.amount}});
  }

  std::vector<json::Value> paid_events(const Payment& invoice) override {
    if (invoice.late || invoice.status == PARTLY_PAID) return {event("InvoicePaymentSettled", invoice, invoice.late)};
    return {event("InvoiceProcessing", invoice, false), event("InvoiceSettled", invoice, false)};
  }
  std::vector<json::Value> seen_events(const Payment& invoice) override {
    return {event("InvoiceProcessing", invoice, false)};
  }
  std::vector<json::Value> expired_events(const Payment& invoice) override {
    return {event("InvoiceExpired", invoice, false)};
  }
  bool collects_parts() const override { return true; }
  bool takes_late_payments() const override { return true; }
  bool sees_money_first() const override { return true; }
};

}  // namespace

std::unique_ptr<Processor> make_gateway(World& world) {
  return std::make_unique<Gateway>(world);
}

}  // namespace guildhall::sandbox
