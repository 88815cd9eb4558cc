#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/log.h"

// Configuration by environment variables only. One table (config_table.cpp) declares every variable: it drives
// parsing, validation, `guildhall config`, the README's table, and what /info shows.
namespace guildhall {

enum class MemberDataAccess { none, full };

// How users sign in through the chat platform, for tenants that have not configured it themselves.
struct ChatOAuth {
  std::string client_id;  // empty: only tenants with a configuration of their own can
  std::string client_secret;
  std::string redirect_uri;
  std::vector<std::string> redirect_uris;  // that a caller may choose instead
  std::string scopes;
  std::string authorize_url, token_url, user_url;  // for every tenant
  std::int64_t timeout_ms = 0;
  std::int64_t state_seconds = 0;
  std::int64_t rate_limit_per_min = 0;  // of one address
};

struct Config {
  bool development = false;
  Address listen;
  std::optional<Address> metrics;
  bool metrics_required = false;  // METRICS_ADDR was given, so failing to listen there stops the start
  std::string public_base_url;
  std::vector<AddressRange> trusted_proxies;
  std::string data_dir;
  std::string database_url;
  std::int64_t database_connections = 0;
  std::string cache_url;
  std::int64_t cache_timeout_ms = 0;
  std::int64_t request_timeout_ms = 0;
  std::int64_t drain_seconds = 0;
  std::int64_t loops = 0;
  log::Level log_level = log::Level::info;
  double log_requests = 0;  // the share of requests that is logged, 0 to 1
  TenantId default_tenant;
  std::string session_signing_secret;
  std::int64_t session_ttl_seconds = 0;
  std::string service_master_key;  // empty: secrets of tenants cannot be stored
  MemberDataAccess member_data_access = MemberDataAccess::none;
  bool local_auth_enabled = false;
  std::string local_admin_username;
  std::string local_admin_password;
  std::int64_t order_expiry_minutes = 0;  // 0: unpaid orders never expire
  ChatOAuth chat_oauth;
  bool rate_limit_disabled = false;
  std::int64_t rate_limit_tenant_per_min = 0;
  std::int64_t rate_limit_sign_in_per_min = 0;  // of one address, for sign-in with a password
  std::int64_t rate_limit_shipping_per_min = 0;
  std::int64_t rate_limit_billing_per_min = 0;
  std::vector<std::string> shipping_webhook_secrets;  // several while one replaces another
  bool platform_billing_enabled = false;
  std::vector<std::string> billing_webhook_secrets;
  std::string billing_base_url;
  std::string billing_api_key;   // empty: nothing is asked of the provider
  std::string billing_price_id;  // empty: new tenants get a customer, but no subscription
  std::string smtp_url;          // empty: no emails
  std::string smtp_from;
  std::string operations_email;
  std::string chat_api_base_url;
  std::string chat_bot_token;
  std::string chat_application_id;
  std::string chat_public_key;                // bytes; empty: interactions are not verified
  bool chat_interactions_unverified = false;  // the operator accepts unsigned interactions in production
  bool chat_auto_provision = false;
  std::int64_t rate_limit_chat_per_min = 0;
  std::int64_t entitlement_check_minutes = 0;
  std::int64_t rate_limit_payments_per_min = 0;
  std::string invoice_link_signing_secret;
  std::map<std::string, std::string, std::less<>> payment_values;  // what tenants' payment methods fall back to
  std::string wallet_cert_origin, wallet_cert_ca_file;
  std::int64_t payment_check_after_seconds = 0;
  std::int64_t outbox_threads = 0;
  std::int64_t outbox_lease_seconds = 0;
  std::int64_t outbox_retention_days = 0;
  std::int64_t outbox_dead_retention_days = 0;
  std::int64_t webhook_event_retention_days = 0;
  std::int64_t webhook_delivery_retention_days = 0;
  bool webhook_private_targets = false;
  std::string deploy_platform, deploy_service, deploy_branch, deploy_commit;

  bool billing_bound() const {
    return platform_billing_enabled || !billing_webhook_secrets.empty() || !billing_api_key.empty();
  }
  // A stranger must not be able to make shops: whoever can forge an interaction could.
  bool chat_makes_tenants() const { return chat_auto_provision || !chat_public_key.empty(); }
  bool secure_cookies() const { return public_base_url.starts_with("https://"); }
};

enum class Exposure {
  plain,     // shown as it is
  url,       // shown without the password in it
  secret,    // last four characters, or nothing if shorter than twelve
  secrets,   // a comma-separated list of secrets, each masked alone
  password,  // never shown
};

struct Setting {
  std::string_view name;
  std::string_view fallback;  // parsed like a given value; empty: stays unset
  Exposure exposure;
  std::string_view help;
  void (*read)(std::string_view text, Config& config);  // throws std::invalid_argument("must be …")
};

std::span<const Setting> settings();

using Environment = std::function<std::optional<std::string>(std::string_view name)>;
Environment process_environment();

// Reads the whole table. Throws std::runtime_error listing every wrong variable, a line each.
Config read_config(const Environment& environment);

// What a setting's value may be shown as.
std::string shown_value(const Setting& setting, std::string_view value);

// `guildhall config` and its --markdown form, which is the README's table.
std::string config_listing(const Environment& environment);
std::string config_markdown();

}  // namespace guildhall
