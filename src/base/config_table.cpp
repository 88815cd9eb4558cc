// Every variable there is: its name, default, exposure, meaning, and how its text is read.
#include "base/config.h"
#include "base/encoding.h"
#include "base/url.h"

namespace guildhall {
namespace {

[[noreturn]] void refuse(const std::string& rule) {
  throw std::invalid_argument(rule);
}

bool parse_bool(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse("must be true or false");
}

std::int64_t parse_integer(std::string_view text, std::int64_t min, std::int64_t max) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < min || number > max) {
    refuse(fmt::format("must be an integer from {} to {}", min, max));
  }
  return number;
}

Address parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) refuse("must be host:port, such as 127.0.0.1:8080");
  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (!AddressRange::parse(host)) refuse("must begin with an IP address, such as 127.0.0.1:8080");
  return {host, static_cast<std::uint16_t>(parse_integer(text.substr(colon + 1), 0, 65535))};
}

double parse_share(std::string_view text) {
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error != std::errc() || end != text.data() + text.size() || !(share >= 0 && share <= 1)) {
    refuse("must be a number from 0 to 1");
  }
  return share;
}

log::Level parse_level(std::string_view text) {
  if (text == "debug") return log::Level::debug;
  if (text == "info") return log::Level::info;
  if (text == "warn") return log::Level::warn;
  if (text == "error") return log::Level::error;
  refuse("must be debug, info, warn or error");
}

std::vector<AddressRange> parse_ranges(std::string_view text) {
  std::vector<AddressRange> ranges;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    const auto range = AddressRange::parse(part);
    if (!range) refuse(fmt::format("must be a list of addresses or CIDR ranges; '{}' is neither", part));
    ranges.push_back(*range);
  }
  return ranges;
}

std::vector<std::string> parse_secrets(std::string_view text) {
  std::vector<std::string> secrets;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (part.empty()) refuse("must be a secret, or several with commas between them");
    secrets.emplace_back(part);
  }
  return secrets;
}

std::string parse_base_url(std::string_view text) {
  if (!text.starts_with("http://") && !text.starts_with("https://")) refuse("must begin with http:// or https://");
  while (text.ends_with('/')) text.remove_suffix(1);
  return std::string(text);
}

std::string parse_url(std::string_view text) {
  if (!is_http_url(text)) refuse("must be an address that begins with http:// or https://");
  return std::string(text);
}

std::vector<std::string> parse_urls(std::string_view text) {
  std::vector<std::string> urls;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    urls.push_back(parse_url(part.substr(std::min(part.find_first_not_of(' '), part.size()))));
  }
  return urls;
}

std::string parse_public_key(std::string_view text) {
  const auto bytes = from_hex(text);
  if (!bytes || bytes->size() != 32) refuse("must be 64 hexadecimal digits");
  return *bytes;
}

std::string parse_prefixed(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (text.starts_with(prefix)) return std::string(text);
  }
  std::string list;
  for (const std::string_view prefix : prefixes) list.append(list.empty() ? "" : ", ").append(prefix);
  refuse("must begin with one of: " + list);
}

std::string parse_tenant(std::string_view text) {
  if (!is_tenant_id(text)) refuse("must be 1 to 64 characters of A-Z a-z 0-9 _ -");
  return std::string(text);
}

constexpr Setting table[] = {
    {"SERVICE_ENV", "production", Exposure::plain, "`production` or `development`.",
     [](std::string_view text, Config& c) {
       if (text != "production" && text != "development") refuse("must be production or development");
       c.development = text == "development";
     }},
    {"LISTEN_ADDR", "127.0.0.1:8080", Exposure::plain, "Where the API listens, `host:port`.",
     [](std::string_view text, Config& c) { c.listen = parse_address(text); }},
    {"PUBLIC_BASE_URL", "", Exposure::plain,
     "The address that people and providers use; default `http://` + `LISTEN_ADDR`. https makes cookies "
     "`Secure`.",
     [](std::string_view text, Config& c) { c.public_base_url = parse_base_url(text); }},
    {"TRUSTED_PROXIES", "", Exposure::plain,
     "Addresses or CIDR ranges, comma-separated, whose `X-Forwarded-For` is believed.",
     [](std::string_view text, Config& c) { c.trusted_proxies = parse_ranges(text); }},
    {"METRICS_ADDR", "127.0.0.1:9464", Exposure::plain, "Where `/metrics` listens; `off` for nowhere.",
     [](std::string_view text, Config& c) {
       c.metrics = text == "off" ? std::nullopt : std::optional(parse_address(text));
     }},
    {"DATA_DIR", "data", Exposure::plain, "Folder of the embedded database and of what must outlive a restart.",
     [](std::string_view text, Config& c) { c.data_dir = text; }},
    {"DATABASE_URL", "", Exposure::url,
     "`sqlite:<path>` or `postgresql://…`; default `sqlite:` + `DATA_DIR` + `/guildhall.db`.",
     [](std::string_view text, Config& c) {
       c.database_url = parse_prefixed(text, {"sqlite:", "postgresql://", "postgres://"});
     }},
    {"DATABASE_CONNECTIONS", "16", Exposure::plain, "PostgreSQL connections of a node for transactions, 1 to 200.",
     [](std::string_view text, Config& c) { c.database_connections = parse_integer(text, 1, 200); }},
    {"CACHE_URL", "memory:", Exposure::url, "`memory:` or `redis://[user:password@]host[:port][/db]`.",
     [](std::string_view text, Config& c) {
       c.cache_url = parse_prefixed(text, {"memory:", "redis://"});
     }},
    {"CACHE_TIMEOUT_MS", "50", Exposure::plain, "A slower reply of Redis counts as none, 10 to 10000.",
     [](std::string_view text, Config& c) { c.cache_timeout_ms = parse_integer(text, 10, 10'000); }},
    {"REQUEST_TIMEOUT_MS", "30000", Exposure::plain, "A request that takes longer is answered with 503, 100 to 600000.",
     [](std::string_view text, Config& c) { c.request_timeout_ms = parse_integer(text, 100, 600'000); }},
    {"DRAIN_SECONDS", "0", Exposure::plain,
     "After SIGTERM `/readyz` is 503 for this long while requests are still served, 0 to 300.",
     [](std::string_view text, Config& c) { c.drain_seconds = parse_integer(text, 0, 300); }},
    {"LOOPS", "0", Exposure::plain, "Event loops (threads that serve requests); 0: one per core.",
     [](std::string_view text, Config& c) { c.loops = parse_integer(text, 0, 256); }},
    {"LOG_LEVEL", "info", Exposure::plain, "`debug`, `info`, `warn` or `error`.",
     [](std::string_view text, Config& c) { c.log_level = parse_level(text); }},
    {"LOG_REQUESTS", "1", Exposure::plain,
     "The share of requests that is logged at level `info`, from 0 (none) to 1 (all); answers of 500 and above always "
     "are.",
     [](std::string_view text, Config& c) { c.log_requests = parse_share(text); }},
    {"DEFAULT_TENANT_ID", "default", Exposure::plain, "The tenant that an empty database starts with.",
     [](std::string_view text, Config& c) { c.default_tenant = TenantId(parse_tenant(text)); }},
    {"SESSION_SIGNING_SECRET", "", Exposure::secret,
     "Signs the session cookie. Required in production; in development one is made and kept in `DATA_DIR`.",
     [](std::string_view text, Config& c) { c.session_signing_secret = text; }},
    {"SESSION_TTL_SECONDS", "28800", Exposure::plain, "How long a session lasts: 60 to 2592000.",
     [](std::string_view text, Config& c) { c.session_ttl_seconds = parse_integer(text, 60, 2'592'000); }},
    {"SERVICE_MASTER_KEY", "", Exposure::secret,
     "Encrypts the secrets that tenants store. Without it production stores none; in development one is made and kept "
     "in `DATA_DIR`.",
     [](std::string_view text, Config& c) {
       if (text.size() < 32) refuse("must have at least 32 characters (for example from: openssl rand -hex 32)");
       c.service_master_key = text;
     }},
    {"MEMBER_DATA_ACCESS", "none", Exposure::plain,
     "`full` gives every session of a tenant `data.read` and `data.write`; for private installations.",
     [](std::string_view text, Config& c) {
       if (text != "none" && text != "full") refuse("must be none or full");
       c.member_data_access = text == "full" ? MemberDataAccess::full : MemberDataAccess::none;
     }},
    {"LOCAL_AUTH_ENABLED", "false", Exposure::plain, "Sign-in with username and password.",
     [](std::string_view text, Config& c) { c.local_auth_enabled = parse_bool(text); }},
    {"LOCAL_ADMIN_USERNAME", "admin", Exposure::plain, "The default admin's username.",
     [](std::string_view text, Config& c) { c.local_admin_username = text; }},
    {"LOCAL_ADMIN_PASSWORD", "", Exposure::password, "The default admin's password; without one it cannot sign in.",
     [](std::string_view text, Config& c) { c.local_admin_password = text; }},
    {"ORDER_EXPIRY_MINUTES", "0", Exposure::plain,
     "Unpaid orders older than this are cancelled, unless their tenant has chosen otherwise; 0: never.",
     [](std::string_view text, Config& c) { c.order_expiry_minutes = parse_integer(text, 0, 525'600); }},
    {"CHAT_OAUTH_CLIENT_ID", "", Exposure::plain, "Sign-in through the chat platform: the application's client id.",
     [](std::string_view text, Config& c) { c.chat_oauth.client_id = text; }},
    {"CHAT_OAUTH_CLIENT_SECRET", "", Exposure::secret, "And its client secret.",
     [](std::string_view text, Config& c) { c.chat_oauth.client_secret = text; }},
    {"CHAT_OAUTH_REDIRECT_URI", "", Exposure::plain,
     "Where the platform sends people back to: the public address of `/auth/chat/callback`.",
     [](std::string_view text, Config& c) { c.chat_oauth.redirect_uri = parse_url(text); }},
    {"CHAT_OAUTH_REDIRECT_URIS", "", Exposure::plain,
     "Other such addresses that a caller may ask for, comma-separated.",
     [](std::string_view text, Config& c) { c.chat_oauth.redirect_uris = parse_urls(text); }},
    {"CHAT_OAUTH_SCOPES", "identify email", Exposure::plain, "The scopes asked for.",
     [](std::string_view text, Config& c) { c.chat_oauth.scopes = text; }},
    {"CHAT_OAUTH_AUTHORIZE_URL", "https://discord.com/oauth2/authorize", Exposure::plain,
     "The platform's page that asks for consent.",
     [](std::string_view text, Config& c) { c.chat_oauth.authorize_url = parse_url(text); }},
    {"CHAT_OAUTH_TOKEN_URL", "https://discord.com/api/v10/oauth2/token", Exposure::plain,
     "Where the platform gives tokens for codes.",
     [](std::string_view text, Config& c) { c.chat_oauth.token_url = parse_url(text); }},
    {"CHAT_OAUTH_USER_URL", "https://discord.com/api/v10/users/@me", Exposure::plain,
     "Where the platform says who a token belongs to.",
     [](std::string_view text, Config& c) { c.chat_oauth.user_url = parse_url(text); }},
    {"CHAT_OAUTH_TIMEOUT_MS", "5000", Exposure::plain, "How long the platform may take to answer: 100 to 60000.",
     [](std::string_view text, Config& c) { c.chat_oauth.timeout_ms = parse_integer(text, 100, 60'000); }},
    {"CHAT_OAUTH_STATE_SECONDS", "600", Exposure::plain,
     "How long a user may take at the platform before the sign-in has to begin again: 1 to 3600.",
     [](std::string_view text, Config& c) { c.chat_oauth.state_seconds = parse_integer(text, 1, 3'600); }},
    {"RATE_LIMIT_TENANT_PER_MIN", "1000", Exposure::plain,
     "Requests a minute of one tenant to `/api/data` and `/api/admin`.",
     [](std::string_view text, Config& c) { c.rate_limit_tenant_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"RATE_LIMIT_SIGN_IN_PER_MIN", "300", Exposure::plain,
     "Sign-ins with username and password a minute from one address.",
     [](std::string_view text, Config& c) { c.rate_limit_sign_in_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"RATE_LIMIT_CHAT_SIGN_IN_PER_MIN", "60", Exposure::plain,
     "Requests a minute from one address to begin or to finish a sign-in through the chat platform.",
     [](std::string_view text, Config& c) { c.chat_oauth.rate_limit_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"RATE_LIMIT_SHIPPING_PER_MIN", "60", Exposure::plain, "Shipping webhooks a minute from one address.",
     [](std::string_view text, Config& c) { c.rate_limit_shipping_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"RATE_LIMIT_BILLING_PER_MIN", "60", Exposure::plain, "Billing webhooks a minute from one address.",
     [](std::string_view text, Config& c) { c.rate_limit_billing_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"RATE_LIMIT_PAYMENTS_PER_MIN", "600", Exposure::plain,
     "Payment webhooks a minute from one address; a processor sends those of all shops from a few.",
     [](std::string_view text, Config& c) { c.rate_limit_payments_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"INVOICE_LINK_SIGNING_SECRET", "", Exposure::secrets,
     "Signs pay-by-invoice links; without it none are made. Several, comma-separated, while one is being replaced: the "
     "first signs, all verify. A secret may carry a key id: `id:secret`.",
     [](std::string_view text, Config& c) { c.invoice_link_signing_secret = text; }},
    {"PAYMENT_CHECK_AFTER_SECONDS", "900", Exposure::plain,
     "A payment open for so long is asked about at its processor, again and again: 1 to 86400.",
     [](std::string_view text, Config& c) { c.payment_check_after_seconds = parse_integer(text, 1, 86'400); }},
    {"CRYPTO_GATEWAY_BASE_URL", "", Exposure::plain, "Address of the crypto gateway (method `BTC_GATEWAY`).",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_GATEWAY_BASE_URL"] = parse_base_url(text); }},
    {"CRYPTO_GATEWAY_STORE_ID", "", Exposure::plain, "Store at the crypto gateway, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_GATEWAY_STORE_ID"] = text; }},
    {"CRYPTO_GATEWAY_API_KEY", "", Exposure::secret, "API key of the crypto gateway, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_GATEWAY_API_KEY"] = text; }},
    {"CRYPTO_GATEWAY_WEBHOOK_SECRET", "", Exposure::secret,
     "Secret of the crypto gateway's webhooks, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_GATEWAY_WEBHOOK_SECRET"] = text; }},
    {"CRYPTO_COMMERCE_BASE_URL", "https://api.commerce.coinbase.com", Exposure::plain,
     "Address of the processor of method `CRYPTO_COMMERCE`.",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_COMMERCE_BASE_URL"] = parse_base_url(text); }},
    {"CRYPTO_COMMERCE_API_KEY", "", Exposure::secret, "Its API key, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_COMMERCE_API_KEY"] = text; }},
    {"CRYPTO_COMMERCE_WEBHOOK_SECRET", "", Exposure::secret, "Secret of its webhooks, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["CRYPTO_COMMERCE_WEBHOOK_SECRET"] = text; }},
    {"WALLET_BASE_URL", "https://api-m.paypal.com", Exposure::plain, "Address of the processor of method `WALLET`.",
     [](std::string_view text, Config& c) { c.payment_values["WALLET_BASE_URL"] = parse_base_url(text); }},
    {"WALLET_CLIENT_ID", "", Exposure::plain, "Its client id, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["WALLET_CLIENT_ID"] = text; }},
    {"WALLET_CLIENT_SECRET", "", Exposure::secret, "Its client secret, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["WALLET_CLIENT_SECRET"] = text; }},
    {"WALLET_WEBHOOK_ID", "", Exposure::plain, "Id of its webhook, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["WALLET_WEBHOOK_ID"] = text; }},
    {"WALLET_CERT_ORIGIN", "https://paypal.com", Exposure::plain,
     "Domain of its webhooks' certificates, which are fetched from its API hosts only (`api.`, `api-m.`, and their "
     "`sandbox.`); with a port it is one host, and plain http is allowed: for development only.",
     [](std::string_view text, Config& c) { c.wallet_cert_origin = parse_base_url(text); }},
    {"WALLET_CERT_CA_FILE", "", Exposure::plain,
     "A PEM file of the authorities that these certificates must come from; default: the system's.",
     [](std::string_view text, Config& c) { c.wallet_cert_ca_file = text; }},
    {"APPPAY_BASE_URL", "https://connect.squareup.com", Exposure::plain, "Address of the processor of method `APPPAY`.",
     [](std::string_view text, Config& c) { c.payment_values["APPPAY_BASE_URL"] = parse_base_url(text); }},
    {"APPPAY_ACCESS_TOKEN", "", Exposure::secret, "Its access token, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["APPPAY_ACCESS_TOKEN"] = text; }},
    {"APPPAY_LOCATION_ID", "", Exposure::plain, "Its location, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["APPPAY_LOCATION_ID"] = text; }},
    {"APPPAY_WEBHOOK_SECRET", "", Exposure::secret, "Signature key of its webhooks, for tenants without their own.",
     [](std::string_view text, Config& c) { c.payment_values["APPPAY_WEBHOOK_SECRET"] = text; }},
    {"RATE_LIMIT_DISABLED", "false", Exposure::plain, "Switches all rate limiters off; for tests only.",
     [](std::string_view text, Config& c) { c.rate_limit_disabled = parse_bool(text); }},
    {"SHIPPING_WEBHOOK_SECRET", "", Exposure::secrets,
     "What the shipping provider signs its webhooks with; several, separated by commas, while one replaces another. "
     "Without it production answers 500.",
     [](std::string_view text, Config& c) { c.shipping_webhook_secrets = parse_secrets(text); }},
    {"PLATFORM_BILLING_ENABLED", "false", Exposure::plain,
     "Takes the billing provider's webhooks; also true when `BILLING_WEBHOOK_SECRET` or `BILLING_API_KEY` is set.",
     [](std::string_view text, Config& c) { c.platform_billing_enabled = parse_bool(text); }},
    {"BILLING_WEBHOOK_SECRET", "", Exposure::secrets,
     "What the billing provider signs its webhooks with; several, separated by commas, while one replaces another. "
     "Without it production answers 500.",
     [](std::string_view text, Config& c) { c.billing_webhook_secrets = parse_secrets(text); }},
    {"BILLING_BASE_URL", "https://api.stripe.com", Exposure::plain, "The billing provider's address.",
     [](std::string_view text, Config& c) { c.billing_base_url = parse_base_url(text); }},
    {"BILLING_API_KEY", "", Exposure::secret, "With it every new tenant gets a customer at the billing provider.",
     [](std::string_view text, Config& c) { c.billing_api_key = text; }},
    {"BILLING_PRICE_ID", "", Exposure::plain, "With it new customers also get a subscription at this price.",
     [](std::string_view text, Config& c) { c.billing_price_id = text; }},
    {"SMTP_URL", "", Exposure::url, "Where emails go out: `smtp://host:port` or `smtps://user:password@host`.",
     [](std::string_view text, Config& c) {
       c.smtp_url = parse_prefixed(text, {"smtp://", "smtps://"});
     }},
    {"SMTP_FROM", "guildhall@localhost", Exposure::plain, "The sender's address of emails.",
     [](std::string_view text, Config& c) { c.smtp_from = text; }},
    {"OPERATIONS_EMAIL", "", Exposure::plain, "Who is told of failed payments and of billing that does not work.",
     [](std::string_view text, Config& c) { c.operations_email = text; }},
    {"CHAT_API_BASE_URL", "https://discord.com/api/v10", Exposure::plain, "The chat platform's address.",
     [](std::string_view text, Config& c) { c.chat_api_base_url = parse_base_url(text); }},
    {"CHAT_BOT_TOKEN", "", Exposure::secret, "The bot's token; roles are given and messages sent with it.",
     [](std::string_view text, Config& c) { c.chat_bot_token = text; }},
    {"CHAT_APPLICATION_ID", "", Exposure::plain,
     "The application's id at the chat platform; `guildhall chat register-commands` needs it.",
     [](std::string_view text, Config& c) { c.chat_application_id = text; }},
    {"CHAT_INTERACTIONS_PUBLIC_KEY", "", Exposure::plain,
     "The application's public key, 64 hex digits, with which interactions are verified. Without it production "
     "answers 401 and development verifies nothing.",
     [](std::string_view text, Config& c) { c.chat_public_key = parse_public_key(text); }},
    {"CHAT_INTERACTIONS_UNVERIFIED", "false", Exposure::plain,
     "Accepts unsigned interactions in production when there is no public key: anybody can then act as any member.",
     [](std::string_view text, Config& c) { c.chat_interactions_unverified = parse_bool(text); }},
    {"CHAT_AUTO_PROVISION", "false", Exposure::plain,
     "Lets `/register` make shops even when interactions are not verified.",
     [](std::string_view text, Config& c) { c.chat_auto_provision = parse_bool(text); }},
    {"RATE_LIMIT_CHAT_PER_MIN", "30", Exposure::plain, "Interactions a minute of one member (and address).",
     [](std::string_view text, Config& c) { c.rate_limit_chat_per_min = parse_integer(text, 1, 1'000'000'000); }},
    {"ENTITLEMENT_CHECK_MINUTES", "360", Exposure::plain,
     "How often every member's roles are compared with what they should be, 10 to 43200.",
     [](std::string_view text, Config& c) { c.entitlement_check_minutes = parse_integer(text, 10, 43'200); }},
    {"OUTBOX_THREADS", "16", Exposure::plain,
     "Deliveries that a node has under way at a time, 0 to 256; 0: it delivers nothing.",
     [](std::string_view text, Config& c) { c.outbox_threads = parse_integer(text, 0, 256); }},
    {"OUTBOX_LEASE_SECONDS", "60", Exposure::plain,
     "What a node that died was delivering is delivered by another after this: 30 to 3600.",
     [](std::string_view text, Config& c) { c.outbox_lease_seconds = parse_integer(text, 30, 3600); }},
    {"OUTBOX_RETENTION_DAYS", "7", Exposure::plain, "How long delivered messages are kept, 1 to 3650.",
     [](std::string_view text, Config& c) { c.outbox_retention_days = parse_integer(text, 1, 3650); }},
    {"OUTBOX_DEAD_RETENTION_DAYS", "90", Exposure::plain, "How long dead messages are kept, 1 to 3650.",
     [](std::string_view text, Config& c) { c.outbox_dead_retention_days = parse_integer(text, 1, 3650); }},
    {"WEBHOOK_EVENT_RETENTION_DAYS", "90", Exposure::plain,
     "How long providers' events are kept, and so their repetitions recognised, 7 to 3650.",
     [](std::string_view text, Config& c) { c.webhook_event_retention_days = parse_integer(text, 7, 3650); }},
    {"WEBHOOK_DELIVERY_RETENTION_DAYS", "30", Exposure::plain,
     "How long the log of deliveries to tenants' endpoints is kept, 1 to 3650.",
     [](std::string_view text, Config& c) { c.webhook_delivery_retention_days = parse_integer(text, 1, 3650); }},
    {"WEBHOOK_PRIVATE_TARGETS", "false", Exposure::plain,
     "Lets tenants' endpoints be on this machine or a private network, and without https; development only.",
     [](std::string_view text, Config& c) { c.webhook_private_targets = parse_bool(text); }},
    {"DEPLOY_PLATFORM", "", Exposure::plain, "Shown by `/info`.",
     [](std::string_view text, Config& c) { c.deploy_platform = text; }},
    {"DEPLOY_SERVICE", "guildhall", Exposure::plain, "Shown by `/info`.",
     [](std::string_view text, Config& c) { c.deploy_service = text; }},
    {"DEPLOY_BRANCH", "", Exposure::plain, "Shown by `/info`.",
     [](std::string_view text, Config& c) { c.deploy_branch = text; }},
    {"DEPLOY_COMMIT", "", Exposure::plain, "Shown by `/info`.",
     [](std::string_view text, Config& c) { c.deploy_commit = text; }},
};

}  // namespace

std::span<const Setting> settings() {
  return table;
}

}  // namespace guildhall
