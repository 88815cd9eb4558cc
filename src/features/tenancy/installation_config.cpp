#include "features/tenancy/installation_config.h"

#include "base/config_values.h"

namespace guildhall {
namespace {

bool parse_development(std::string_view text) {
  if (text != "production" && text != "development") throw std::invalid_argument("must be production or development");
  return text == "development";
}

TenantId parse_tenant(std::string_view text) {
  if (!is_tenant_id(text)) throw std::invalid_argument("must be 1 to 64 characters of A-Z a-z 0-9 _ -");
  return TenantId(std::string(text));
}

std::size_t chars_of_shortest(const std::vector<std::string>& secrets) {
  std::size_t chars = SIZE_MAX;
  for (const std::string& secret : secrets) chars = std::min(chars, secret.size());
  return chars;
}

std::vector<std::string> parse_master_keys(std::string_view text) {
  std::vector<std::string> keys = parse_secrets(text);
  if (chars_of_shortest(keys) < 32) {
    throw std::invalid_argument(
        "must have at least 32 characters (for example from: openssl rand -hex 32); commas separate several keys, and "
        "a "
        "comma that is part of a key is written as %2C");
  }
  return keys;
}

std::string too_short(std::size_t chars_min) {
  return fmt::format("must have at least {} characters when SERVICE_ENV is production", chars_min);
}

}  // namespace

std::vector<VariableOf<InstallationConfig>> InstallationConfig::variables() {
  return {
      {"SERVICE_ENV", "production", &InstallationConfig::development, parse_development,
       "`production` or `development`."},
      {"PUBLIC_BASE_URL", "", &InstallationConfig::public_base_url, parse_base_url,
       "The address that people and providers use; default `http://` + `LISTEN_ADDR`. https makes cookies `Secure`."},
      {"DATA_DIR", "data", &InstallationConfig::data_dir, parse_text,
       "Folder of the embedded database and of files that must survive a restart."},
      {"DEFAULT_TENANT_ID", "default", &InstallationConfig::default_tenant, parse_tenant,
       "The tenant that an empty database starts with."},
      {"SERVICE_MASTER_KEY", "", &InstallationConfig::service_master_keys, parse_master_keys,
       "Encrypts the secrets that tenants store; several separated by commas: the first encrypts, all decrypt. Without "
       "it production stores none; in development one is generated "
       "and stored in `DATA_DIR`.",
       Exposure::secrets},
  };
}

ProductionRule secret_chars_min(std::size_t chars_min) {
  return [chars_min](std::string_view secret) {
    return !secret.empty() && secret.size() < chars_min ? too_short(chars_min) : "";
  };
}

ProductionRule each_secret_chars_min(std::size_t chars_min) {
  return [chars_min](std::string_view secrets) {
    return !secrets.empty() && shortest_secret(secrets) < chars_min ? too_short(chars_min) : "";
  };
}

ProductionRule required_secrets(std::size_t chars_min, std::string_view advice) {
  return [chars_min, advice](std::string_view secrets) -> std::string {
    if (secrets.empty()) return fmt::format("is required when SERVICE_ENV is production: {}", advice);
    try {
      return chars_of_shortest(parse_secrets(secrets)) < chars_min ? too_short(chars_min) : "";
    } catch (const std::invalid_argument&) {
      return "";  // reading the variable has reported it already
    }
  };
}

}  // namespace guildhall
