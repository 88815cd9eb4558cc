#include "features/billing/billing_event.h"

#include <charconv>

namespace guildhall {
namespace {

const std::string object = "/data/object";
constexpr std::size_t id_bytes_max = 255;

std::optional<std::string> some(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::int64_t> integer_at(const JsonLookup& document, const std::string& place) {
  const std::string text = document.text(place);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || number < 0 || number > safe_integer_max / 1000) return std::nullopt;
  return number;
}

std::optional<Instant> moment_at(const JsonLookup& document, const std::string& place) {
  const auto seconds = integer_at(document, place);
  return seconds ? std::optional(Instant{*seconds * 1000}) : std::nullopt;
}

// An id is a text, or the member `id` of an expanded object.
std::string id_at(const JsonLookup& document, const std::string& place) {
  std::string id = document.text(place);
  if (id.empty()) id = document.text(place + "/id");
  return id.size() > id_bytes_max ? "" : id;
}

// The place of the invoice's payment intent: in the default payment, or else in any payment, or else the old member.
std::string intent_place(const JsonLookup& event) {
  std::string place = object + "/payment_intent";
  for (std::size_t i = event.size(object + "/payments/data"); i-- > 0;) {
    const std::string payment = fmt::format("{}/payments/data/{}", object, i);
    if (id_at(event, payment + "/payment/payment_intent").empty()) continue;
    place = payment + "/payment/payment_intent";
    if (event.text(payment + "/is_default") == "true") break;
  }
  return place;
}

std::string failure_of(const JsonLookup& event) {
  for (const std::string& place :
       {intent_place(event) + "/last_payment_error/message", object + "/last_finalization_error/message"}) {
    std::string message = event.text(place);
    if (!message.empty()) return message;
  }
  const std::string attempts = event.text(object + "/attempt_count");
  return attempts.empty() ? "The payment failed." : fmt::format("The payment failed (attempt {}).", attempts);
}

std::optional<BillingEvent::Kind> kind_of(std::string_view type) {
  if (type == "invoice.paid") return BillingEvent::Kind::invoice_paid;
  if (type == "invoice.payment_failed") return BillingEvent::Kind::invoice_failed;
  if (type == "customer.subscription.updated") return BillingEvent::Kind::subscription_updated;
  if (type == "customer.subscription.deleted") return BillingEvent::Kind::subscription_deleted;
  return std::nullopt;
}

}  // namespace

std::string tenant_named_by(const JsonLookup& event) {
  for (const char* place : {"/metadata/tenantId", "/parent/subscription_details/metadata/tenantId",
                            "/subscription_details/metadata/tenantId"}) {
    std::string tenant = event.text(object + place);
    if (is_tenant_id(tenant)) return tenant;
  }
  return {};
}

SubscriptionReport subscription_at(const JsonLookup& document, const std::string& place, std::int64_t at) {
  SubscriptionReport report{.id = document.text(place + "/id"),
                            .status = account_status_of(document.text(place + "/status")),
                            .price_id = some(id_at(document, place + "/items/data/0/price")),
                            .current_period_end = std::nullopt,
                            .at = at,
                            .deleted = false};
  for (std::size_t i = 0; i < document.size(place + "/items/data"); ++i) {
    const auto end = moment_at(document, fmt::format("{}/items/data/{}/current_period_end", place, i));
    if (end && (!report.current_period_end || *end < *report.current_period_end)) report.current_period_end = end;
  }
  if (!report.current_period_end) report.current_period_end = moment_at(document, place + "/current_period_end");
  return report;
}

std::optional<BillingEvent> billing_event_of(const JsonLookup& event, Instant now) {
  const auto kind = kind_of(event.text("/type"));
  const std::string id = event.text(object + "/id");
  if (!kind || id.empty() || id.size() > id_bytes_max) return std::nullopt;
  BillingEvent found{.kind = *kind,
                     .at = integer_at(event, "/created").value_or(now.ms / 1000),
                     .customer = id_at(event, object + "/customer"),
                     .tenant_id = tenant_named_by(event)};
  switch (*kind) {
    case BillingEvent::Kind::invoice_paid:
      found.invoice = id;
      found.paid_at = moment_at(event, object + "/status_transitions/paid_at");
      if (!found.paid_at) found.paid_at = Instant{found.at * 1000};
      found.payment_intent = some(id_at(event, intent_place(event)));
      return found;
    case BillingEvent::Kind::invoice_failed:
      found.invoice = id;
      found.failure = failure_of(event);
      return found;
    case BillingEvent::Kind::subscription_updated:
    case BillingEvent::Kind::subscription_deleted:
      found.subscription = subscription_at(event, object, found.at);
      found.subscription.deleted = *kind == BillingEvent::Kind::subscription_deleted;
      if (found.customer.empty() || !found.subscription.has_known_status()) return std::nullopt;
      return found;
  }
  return std::nullopt;
}

}  // namespace guildhall
