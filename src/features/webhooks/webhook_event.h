#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "base/field_types.h"

// An event that a provider has sent, or that an admin has recorded by hand.
namespace guildhall {

// The providers that send webhooks: the payment processors, and those below. The list is defined beside the list of
// processors (payments/processors/processor_list.cpp), because this slice cannot include that one.
struct WebhookProviders {
  static const std::vector<ListedName<WebhookProviders>>& all();
};
using WebhookProvider = ListedName<WebhookProviders>;

inline constexpr WebhookProvider chat_webhooks("CHAT"), billing_webhooks("BILLING"), shipping_webhooks("SHIPPING");

enum class WebhookStatus {
  RECEIVED,   // waits to be applied
  PROCESSED,  // applied
  IGNORED,    // of a type that is not processed
  FAILED,     // applying it failed; it is tried again
};
BOOST_DESCRIBE_ENUM(WebhookStatus, RECEIVED, PROCESSED, IGNORED, FAILED)

enum class WebhookSource { PROVIDER, MANUAL };
BOOST_DESCRIBE_ENUM(WebhookSource, PROVIDER, MANUAL)

// Whose account with a provider is used: the operator's, from the environment, or the tenant's own.
enum class AccountOwner { OPERATOR, TENANT };
BOOST_DESCRIBE_ENUM(AccountOwner, OPERATOR, TENANT)

struct WebhookEvent {
  WebhookEventId id;
  TenantId tenant_id;
  WebhookProvider provider;
  std::string event_id;
  WebhookSource source = WebhookSource::PROVIDER;
  WebhookStatus status = WebhookStatus::RECEIVED;
  std::int64_t attempts = 0;
  std::optional<std::string> error;
  std::optional<RawJson> payload;  // null: erased
  Instant received_at;
  std::optional<Instant> processed_at;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<bool> platform_only{};                         // shown only to PlatformAdmins, since the tenant is not certain
  Hidden<std::optional<AccountOwner>> verified_with{};  // null: unknown, or tenants have no accounts with the provider
};
BOOST_DESCRIBE_STRUCT(WebhookEvent, (),
                      (id, tenant_id, provider, event_id, source, status, attempts, error, payload, received_at,
                       processed_at, created_at, updated_at, version, platform_only, verified_with))

struct NewWebhookEvent {
  using Record = WebhookEvent;
  WebhookProvider provider;
  Text<500> event_id;
  RawJson payload;
  std::optional<Instant> received_at;
};
BOOST_DESCRIBE_STRUCT(NewWebhookEvent, (), (provider, event_id, payload, received_at))

struct WebhookEventPatch {
  using Record = WebhookEvent;
  WebhookStatus status = WebhookStatus::RECEIVED;
};
BOOST_DESCRIBE_STRUCT(WebhookEventPatch, (), (status))

// An event that an admin records by hand is stored and never processed.
WebhookEvent manual_event_from(const NewWebhookEvent& input, const TenantId& tenant, Instant now);

// Queues a provider's event to be applied again. Throws for any status but RECEIVED, for an event that was recorded by
// hand, and for one whose payload was erased.
void queue_again(WebhookEvent& event, const WebhookEventPatch& patch);

}  // namespace guildhall
