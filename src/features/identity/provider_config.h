#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/secret_box.h"
#include "base/url.h"
#include "features/identity/identity_config.h"
#include "storage/database.h"

// How a tenant's users sign in through the chat platform: the tenant's own configuration, else the environment's.
namespace guildhall {

constexpr std::string_view chat_provider = "chat";

// Identities and sessions that came through a tenant's own chat application. The tenant's admin owns that application,
// and with it has a say in who signs in: what came through it is never taken for what came through the platform's.
constexpr std::string_view tenant_chat_provider = "tenant-chat";

// A tenant's own configuration, as its row.
struct ProviderRow {
  TenantId tenant_id;
  std::string provider;
  std::string client_id;
  Hidden<std::optional<std::string>> client_secret;  // sealed
  std::optional<std::string> redirect_uri;
  std::string scopes;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(ProviderRow, (),
                      (tenant_id, provider, client_id, client_secret, redirect_uri, scopes, created_at, updated_at,
                       version))

enum class ProviderSource { TENANT, ENVIRONMENT, NONE };
BOOST_DESCRIBE_ENUM(ProviderSource, TENANT, ENVIRONMENT, NONE)

// What an admin sees: everything but the secret.
struct ProviderView {
  std::string provider;
  ProviderSource source = ProviderSource::NONE;
  std::optional<std::string> client_id;
  bool has_client_secret = false;
  std::optional<std::string> redirect_uri;
  std::optional<std::string> scopes;
};
BOOST_DESCRIBE_STRUCT(ProviderView, (), (provider, source, client_id, has_client_secret, redirect_uri, scopes))

// Merged into what there is; clientId null gives the tenant's configuration up.
struct ProviderInput {
  Change<std::optional<VisibleAscii<key_characters_max>>> client_id;
  Change<std::optional<VisibleAscii<500>>> client_secret;
  Change<std::optional<Url>> redirect_uri;
  Change<std::optional<Text<200>>> scopes;
};
BOOST_DESCRIBE_STRUCT(ProviderInput, (), (client_id, client_secret, redirect_uri, scopes))

// What a sign-in works with.
struct ProviderConfig {
  std::string client_id;
  std::string client_secret;
  std::string redirect_uri;  // empty: there is none
  std::string scopes;
  std::string_view identity_provider;  // chat_provider or tenant_chat_provider
};

Select<ProviderRow> provider_row(const TenantId& tenant);
void put_provider_row(Tx& tx, ProviderRow& row, bool is_new);  // throws WriteRace if somebody else did
void delete_provider_row(Tx& tx, const ProviderRow& row);

ProviderView view_of(const std::optional<ProviderRow>& row, const ChatOAuth& environment);

// The row that the input makes of the present one, or of none. Throws invalid_field without a client id, and
// Failure unavailable for a secret that cannot be sealed because there is no master key.
ProviderRow merged(const TenantId& tenant, const std::optional<ProviderRow>& present, const ProviderInput& input,
                   const SecretBox* secrets, Instant now);

// Throws not_found when neither the tenant nor the environment has a configuration, bad_request
// AUTH_PROVIDER_MISCONFIGURED when it is incomplete.
ProviderConfig usable(const std::optional<ProviderRow>& row, const ChatOAuth& environment, const SecretBox* secrets);

Failure provider_not_configured();

}  // namespace guildhall
