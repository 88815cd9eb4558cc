#include "features/billing/billing_error.h"

#include "base/json_lookup.h"
#include "base/text.h"

namespace guildhall {
namespace {

using enum BillingErrorCode;

BillingErrorCode code_of(int status, std::string_view type, std::string_view code) {
  if (status == 0) return network;
  if (status == 429 || code == "rate_limit") return rate_limited;
  if (code == "lock_timeout") return unknown;  // another request uses the same object
  if (type == "card_error" || code == "card_declined") return card_declined;
  if (type == "idempotency_error") return idempotency;
  if (status == 401 || type == "authentication_error") return authentication;
  if (status == 403) return permission;
  if (status == 402) return card_declined;
  if (status == 409) return idempotency;
  if (type == "invalid_request_error" || status == 400 || status == 404) return invalid_request;
  return unknown;
}

}  // namespace

std::optional<BillingError> billing_error_of(const outbound::Reply& reply) {
  if (reply.ok()) return std::nullopt;
  if (reply.status == 0) return BillingError{network, reply.error};
  const auto body = JsonLookup::parse(reply.body);
  const auto text = [&](std::string_view place) { return body ? body->text(place) : std::string(); };
  std::string message = text("/error/message");
  if (message.empty()) message = fmt::format("the provider answered {}", reply.status);
  return BillingError{code_of(reply.status, text("/error/type"), text("/error/code")), storable_text(message)};
}

outbox::Verdict::Kind verdict_of(BillingErrorCode code) {
  switch (code) {
    case rate_limited:
    case network:
    case unknown:
      return outbox::Verdict::Kind::retry;
    case card_declined:
    case invalid_request:
    case authentication:
    case permission:
    case idempotency:
      return outbox::Verdict::Kind::dead;
  }
  return outbox::Verdict::Kind::retry;
}

bool concerns_operations(BillingErrorCode code) {
  return code == authentication || code == permission || code == idempotency;
}

}  // namespace guildhall
