#include "features/identity/provider_config.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

std::string secret_context(const TenantId& tenant) {
  return fmt::format("auth/{}/{}", tenant.text(), chat_provider);
}

Failure misconfigured(std::string sentence) {
  return bad_request("AUTH_PROVIDER_MISCONFIGURED", std::move(sentence));
}

std::string sealed_secret(const SecretBox* secrets, const TenantId& tenant, const std::string& secret) {
  if (secrets == nullptr) {
    throw Failure(Failure::Kind::unavailable, "MASTER_KEY_MISSING",
                  "Secrets cannot be stored because the server has no SERVICE_MASTER_KEY.");
  }
  return secrets->seal(secret, secret_context(tenant));
}

std::optional<std::string> text_if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

static const RecordTable<ProviderRow> provider_table("auth_providers",
                                                     {.on_conflict = "(tenant_id, provider) DO NOTHING"});

Select<ProviderRow> provider_row(const TenantId& tenant) {
  return provider_table.by_id(tenant, std::string(chat_provider));
}

void put_provider_row(Tx& tx, ProviderRow& row) {
  provider_table.save(tx, row);
}

void delete_provider_row(Tx& tx, const ProviderRow& row) {
  provider_table.erase(tx, row);
}

ProviderView view_of(const std::optional<ProviderRow>& row, const ChatOAuth& environment) {
  ProviderView view{.provider = std::string(chat_provider),
                    .source = ProviderSource::NONE,
                    .client_id = {},
                    .has_client_secret = false,
                    .redirect_uri = {},
                    .scopes = {}};
  if (row) {
    view.source = ProviderSource::TENANT;
    view.client_id = row->client_id;
    view.has_client_secret = row->client_secret.value.has_value();
    view.redirect_uri = row->redirect_uri ? row->redirect_uri : text_if_any(environment.redirect_uri);
    view.scopes = row->scopes;
  } else if (!environment.client_id.empty()) {
    view.source = ProviderSource::ENVIRONMENT;
    view.client_id = environment.client_id;
    view.has_client_secret = !environment.client_secret.empty();
    view.redirect_uri = text_if_any(environment.redirect_uri);
    view.scopes = environment.scopes;
  }
  return view;
}

ProviderRow merged(const TenantId& tenant, const std::optional<ProviderRow>& present, const ProviderInput& input,
                   const SecretBox* secrets, Instant now) {
  ProviderRow row = present.value_or(ProviderRow{.tenant_id = tenant,
                                                 .provider = std::string(chat_provider),
                                                 .client_id = {},
                                                 .client_secret = {},
                                                 .redirect_uri = {},
                                                 .scopes = "identify email",
                                                 .created_at = now,
                                                 .updated_at = now,
                                                 .version = {0}});
  row.updated_at = now;
  if (input.client_id && *input.client_id) row.client_id = (*input.client_id)->value;
  if (input.client_secret) {
    row.client_secret.value.reset();
    if (*input.client_secret) row.client_secret.value = sealed_secret(secrets, tenant, (*input.client_secret)->value);
  }
  input.redirect_uri.apply_to(row.redirect_uri);
  if (input.scopes) row.scopes = *input.scopes ? (*input.scopes)->value : "identify email";
  return row;
}

ProviderConfig usable(const std::optional<ProviderRow>& row, const ChatOAuth& environment, const SecretBox* secrets) {
  if (!row) {
    if (environment.client_id.empty()) throw provider_not_configured();
    if (environment.client_secret.empty()) throw misconfigured("The provider's client secret is not configured.");
    return {environment.client_id, environment.client_secret, environment.redirect_uri, environment.scopes,
            chat_provider};
  }
  if (!row->client_secret.value) throw misconfigured("The provider's client secret is not configured.");
  const auto secret =
      secrets == nullptr ? std::nullopt : secrets->open(*row->client_secret.value, secret_context(row->tenant_id));
  if (!secret) throw misconfigured("The provider's client secret cannot be read: it has to be set again.");
  return {row->client_id, *secret, row->redirect_uri.value_or(environment.redirect_uri), row->scopes,
          tenant_chat_provider};
}

Failure provider_not_configured() {
  return {Failure::Kind::not_found, "AUTH_PROVIDER_NOT_FOUND", "There is no such way to sign in to this tenant."};
}

}  // namespace guildhall
