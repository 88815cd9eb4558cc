#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/url.h"

// A webhook endpoint: a tenant's own server that receives domain events. Pure: no clock, no database.
namespace guildhall {

constexpr std::size_t webhook_endpoints_max = 20;  // for each tenant
constexpr std::chrono::hours endpoint_failing_max{5 * 24};
constexpr std::chrono::hours previous_secret_kept{24};
constexpr std::string_view test_event = "webhook.test";

struct WebhookEndpoint {
  WebhookEndpointId id;
  TenantId tenant_id;
  std::string url;
  std::optional<std::string> description;
  std::vector<std::string> events;  // names, `order.*` or `*`; empty: all
  bool enabled = true;
  std::optional<Instant> disabled_at;
  std::optional<std::string> disabled_reason;
  std::optional<Instant> failing_since;
  std::optional<Instant> last_success_at;
  std::optional<Instant> last_failure_at;
  Hidden<std::string> secret;  // sealed
  Hidden<std::optional<std::string>> previous_secret;
  Hidden<std::optional<Instant>> previous_secret_until;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(WebhookEndpoint, (),
                      (id, tenant_id, url, description, events, enabled, disabled_at, disabled_reason, failing_since,
                       last_success_at, last_failure_at, secret, previous_secret, previous_secret_until, created_at,
                       updated_at, version))

// The reply to the creation of an endpoint, which is the only one that shows the secret.
struct WebhookEndpointWithSecret : WebhookEndpoint {
  std::optional<std::string> signing_secret;  // null in a replayed reply: only the sealed secret is stored
};
BOOST_DESCRIBE_STRUCT(WebhookEndpointWithSecret, (WebhookEndpoint), (signing_secret))

struct NewWebhookEndpoint {
  using Record = WebhookEndpointWithSecret;
  Url url;
  std::optional<std::string> description;
  Default<std::vector<Text<100>>> events{};
  Default<bool> enabled{true};
};
BOOST_DESCRIBE_STRUCT(NewWebhookEndpoint, (), (url, description, events, enabled))

struct WebhookEndpointPatch {
  using Record = WebhookEndpointWithSecret;
  Change<Url> url;
  Change<std::optional<std::string>> description;
  Change<std::vector<Text<100>>> events;
  Change<bool> enabled;
};
BOOST_DESCRIBE_STRUCT(WebhookEndpointPatch, (), (url, description, events, enabled))

enum class DeliveryOutcome { SUCCEEDED, FAILED };
BOOST_DESCRIBE_ENUM(DeliveryOutcome, SUCCEEDED, FAILED)

// One attempt to deliver an event to an endpoint.
struct WebhookDelivery {
  WebhookDeliveryId id;
  TenantId tenant_id;
  WebhookEndpointId endpoint_id;
  std::string message_id;  // sent as the header webhook-id
  std::string event;
  std::int64_t attempt = 1;
  DeliveryOutcome outcome = DeliveryOutcome::FAILED;
  std::optional<std::int64_t> status_code;
  std::int64_t duration_ms = 0;
  std::optional<std::string> error;
  RawJson payload;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(WebhookDelivery, (),
                      (id, tenant_id, endpoint_id, message_id, event, attempt, outcome, status_code, duration_ms, error,
                       payload, created_at))

// Which URLs are allowed: public addresses over https, or (in development) any.
enum class TargetRule { public_https, any };

// Reports an address that the rule does not allow as a problem of the field. Host names are resolved and checked when a
// request connects; this only reports an obvious error early.
void check_target(const std::string& url, TargetRule rule, std::string_view field, std::vector<Problem>& problems);

struct EndpointRules {
  TargetRule targets = TargetRule::public_https;
  std::span<const std::string_view> event_names{};  // the events that an endpoint may ask for
};

// `order.*` for order.paid: the pattern of all events of the same kind.
std::string event_group(std::string_view event);

// Each throws Failure invalid for an address or an event that the rules do not allow.
WebhookEndpoint endpoint_from(const NewWebhookEndpoint& input, const TenantId& tenant, const EndpointRules& rules,
                              Instant now);
void apply(const WebhookEndpointPatch& patch, WebhookEndpoint& endpoint, const EndpointRules& rules, Instant now);

// Replaces the signing secret. Deliveries are also signed with the previous one for a day.
void replace_secret(WebhookEndpoint& endpoint, std::string sealed, Instant now);

}  // namespace guildhall
