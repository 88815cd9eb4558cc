#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/secret_box.h"
#include "base/url.h"
#include "features/identity/identity_config.h"
#include "storage/database.h"

// The configuration of sign-in through the chat platform: the tenant's own, or else that of the environment.
namespace guildhall {

constexpr std::string_view chat_provider = "chat";

// The provider of identities and sessions from a tenant's own chat application. The tenant's admin controls that
// application and can make it report any user, so its identities are kept apart from those of the platform's
// application.
constexpr std::string_view tenant_chat_provider = "tenant-chat";

// The row of a tenant's own configuration.
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

// The configuration without the secret, as admins see it.
struct ProviderView {
  std::string provider;
  ProviderSource source = ProviderSource::NONE;
  std::optional<std::string> client_id;
  bool has_client_secret = false;
  std::optional<std::string> redirect_uri;
  std::optional<std::string> scopes;
};
BOOST_DESCRIBE_STRUCT(ProviderView, (), (provider, source, client_id, has_client_secret, redirect_uri, scopes))

// Changes of the configuration. A clientId of null deletes the tenant's own configuration.
struct ProviderInput {
  Change<std::optional<VisibleAscii<key_characters_max>>> client_id;
  Change<std::optional<VisibleAscii<500>>> client_secret;
  Change<std::optional<Url>> redirect_uri;
  Change<std::optional<Text<200>>> scopes;
};
BOOST_DESCRIBE_STRUCT(ProviderInput, (), (client_id, client_secret, redirect_uri, scopes))

// The complete configuration for a sign-in.
struct ProviderConfig {
  std::string client_id;
  std::string client_secret;
  std::string redirect_uri;  // may be empty
  std::string scopes;
  std::string_view identity_provider;  // chat_provider or tenant_chat_provider
};

Select<ProviderRow> provider_row(const TenantId& tenant);
void put_provider_row(Tx& tx, ProviderRow& row);  // throws WriteRace if it was changed since it was read
void delete_provider_row(Tx& tx, const ProviderRow& row);

ProviderView view_of(const std::optional<ProviderRow>& row, const ChatOAuth& environment);

// Applies the input to the present row, or to none. Throws invalid_field if the client id is missing, and Failure
// unavailable if there is a secret but no master key to seal it with.
ProviderRow merged(const TenantId& tenant, const std::optional<ProviderRow>& present, const ProviderInput& input,
                   const SecretBox* secrets, Instant now);

// Throws not_found when neither the tenant nor the environment has a configuration, bad_request
// AUTH_PROVIDER_MISCONFIGURED when it is incomplete.
ProviderConfig usable(const std::optional<ProviderRow>& row, const ChatOAuth& environment, const SecretBox* secrets);

Failure provider_not_configured();

}  // namespace guildhall
