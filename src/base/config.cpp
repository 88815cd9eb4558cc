#include "base/config.h"

#include "base/config_check.h"
#include "base/url.h"

namespace guildhall {
namespace {

constexpr std::size_t signing_secret_chars_min = 16;
constexpr std::size_t admin_password_chars_min = 8;

std::string masked(std::string_view secret) {
  return secret.size() < 12 ? "****" : "****" + std::string(secret.substr(secret.size() - 4));
}

// Calls `visit` for each part of a comma-separated list.
void for_each_part(std::string_view list, const std::function<void(std::string_view)>& visit) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    visit(part);
  }
}

// A secret of the list may carry a key id: `id:secret`.
bool has_short_secret(std::string_view secrets) {
  bool short_one = false;
  for_each_part(secrets, [&](std::string_view part) {
    const std::size_t begin = std::min(part.find_first_not_of(' '), part.size());
    const std::string_view secret = part.substr(begin);
    const std::size_t colon = secret.find(':');
    short_one |= secret.substr(colon == std::string_view::npos ? 0 : colon + 1).size() < signing_secret_chars_min;
  });
  return short_one;
}

// In production a secret that can be guessed is worse than a server that does not start.
void check_secret_lengths(const Config& config, std::vector<ConfigProblem>& problems) {
  const auto too_short = [&](std::string_view name, std::size_t chars_min) {
    problems.push_back(
        {std::string(name), fmt::format("must have at least {} characters when SERVICE_ENV is production", chars_min)});
  };
  if (!config.session_signing_secret.empty() && config.session_signing_secret.size() < signing_secret_chars_min) {
    too_short("SESSION_SIGNING_SECRET", signing_secret_chars_min);
  }
  if (has_short_secret(config.invoice_link_signing_secret)) {
    too_short("INVOICE_LINK_SIGNING_SECRET", signing_secret_chars_min);
  }
  if (!config.local_admin_password.empty() && config.local_admin_password.size() < admin_password_chars_min) {
    too_short("LOCAL_ADMIN_PASSWORD", admin_password_chars_min);
  }
}

// Rules that concern more than one variable.
void check_together(Config& config, std::vector<ConfigProblem>& problems) {
  if (config.database_url.empty()) config.database_url = "sqlite:" + config.data_dir + "/guildhall.db";
  if (config.public_base_url.empty()) config.public_base_url = "http://" + config.listen.text();
  if (!config.development && config.webhook_private_targets) {
    problems.push_back(
        {"WEBHOOK_PRIVATE_TARGETS", "is only for development: tenants could reach this network's inside through it"});
  }
  if (!config.development && config.session_signing_secret.empty()) {
    problems.push_back({"SESSION_SIGNING_SECRET",
                        "is required when SERVICE_ENV is production: set it to a long random text, the same on every "
                        "node (for example from: openssl rand -hex 32)"});
  }
  if (!config.development) check_secret_lengths(config, problems);
  if (!config.development && !config.wallet_cert_origin.starts_with("https://")) {
    problems.push_back({"WALLET_CERT_ORIGIN", "must begin with https:// when SERVICE_ENV is production"});
  }
}

std::size_t authority_end(std::string_view url, std::size_t scheme) {
  return std::min(url.find_first_of("/?#", scheme + 3), url.size());
}

// Hides what stands between the user and the last `@` before `end`, and the value of every parameter `…password`.
std::string without_password(std::string_view url, std::size_t scheme, std::size_t end) {
  std::string shown(url);
  const std::size_t at = url.substr(0, end).rfind('@');
  if (at != std::string_view::npos && at > scheme) {
    const std::size_t colon = shown.find(':', scheme + 3);
    if (colon < at) shown.replace(colon + 1, at - colon - 1, "****");
  }
  constexpr std::string_view parameter = "password=";
  for (std::size_t found = 0; (found = shown.find(parameter, found)) != std::string::npos;) {
    found += parameter.size();
    shown.replace(found, std::min(shown.find('&', found), shown.size()) - found, "****");
  }
  return shown;
}

// A password in a database's URL may hold any character; in the other addresses it ends with the host's part.
std::string without_password(std::string_view url, Exposure exposure) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  return without_password(url, scheme, exposure == Exposure::url ? url.size() : authority_end(url, scheme));
}

}  // namespace

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

CheckedConfig check_config(const Environment& environment) {
  CheckedConfig checked;
  for (const Setting& setting : settings()) {
    const auto given = environment(setting.name);
    const std::string_view text = given ? std::string_view(*given) : setting.fallback;
    if (text.empty()) continue;
    try {
      setting.read(text, checked.config);
    } catch (const std::invalid_argument& rule) {
      checked.problems.push_back({std::string(setting.name), rule.what()});
    }
  }
  checked.config.metrics_required = environment("METRICS_ADDR").has_value();
  check_together(checked.config, checked.problems);
  return checked;
}

Config read_config(const Environment& environment) {
  CheckedConfig checked = check_config(environment);
  if (checked.problems.empty()) return std::move(checked.config);
  std::string message = "The configuration is not valid:";
  for (const ConfigProblem& problem : checked.problems) message += "\n  " + problem.variable + " " + problem.message;
  throw std::runtime_error(message);
}

std::string shown_value(const Setting& setting, std::string_view value) {
  if (value.empty()) return "";
  switch (setting.exposure) {
    case Exposure::plain:
    case Exposure::url:
      return without_password(value, setting.exposure);
    case Exposure::secret:
      return masked(value);
    case Exposure::secrets: {
      std::string shown;
      for_each_part(value, [&](std::string_view part) { shown += (shown.empty() ? "" : ",") + masked(part); });
      return shown;
    }
    case Exposure::password:
      return "****";
  }
  return "****";
}

std::string config_listing(const Environment& environment) {
  std::string out;
  for (const Setting& setting : settings()) {
    const auto given = environment(setting.name);
    out += fmt::format("{}={}{}\n", setting.name, shown_value(setting, given.value_or(std::string(setting.fallback))),
                       given ? "" : "  (default)");
  }
  return out;
}

std::string config_markdown() {
  std::string out = "| variable | default | meaning |\n|---|---|---|\n";
  for (const Setting& setting : settings()) {
    out += fmt::format("| `{}` | {} | {} |\n", setting.name,
                       setting.fallback.empty() ? "" : fmt::format("`{}`", setting.fallback), setting.help);
  }
  return out;
}

}  // namespace guildhall
