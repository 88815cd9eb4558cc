#include "base/config.h"

#include <algorithm>
#include <cstdlib>

namespace guildhall {
namespace {

std::string masked(std::string_view secret) {
  return secret.size() < 12 ? "****" : "****" + std::string(secret.substr(secret.size() - 4));
}

std::string masked_list(std::string_view secrets) {
  std::string shown;
  while (!secrets.empty()) {
    const std::string_view secret = secrets.substr(0, secrets.find(','));
    secrets.remove_prefix(std::min(secrets.size(), secret.size() + 1));
    shown += (shown.empty() ? "" : ",") + masked(secret);
  }
  return shown;
}

std::size_t authority_end(std::string_view url, std::size_t scheme) {
  return std::min(url.find_first_of("/?#", scheme + 3), url.size());
}

// Masks the text between the user's name and the last `@` before `end`, and the value of every parameter whose name
// ends with `password`.
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

// A password in a database's URL may contain any character; in other URLs it ends where the path begins.
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

std::string value_of(const Variable& variable, const Environment& environment) {
  return environment(variable.name).value_or(std::string(variable.fallback));
}

std::string shown_value(const Variable& variable, std::string_view value) {
  if (value.empty()) return "";
  switch (variable.exposure) {
    case Exposure::plain:
    case Exposure::url:
      return without_password(value, variable.exposure);
    case Exposure::secret:
      return masked(value);
    case Exposure::secrets:
      return masked_list(value);
    case Exposure::password:
      return "****";
  }
  return "****";
}

std::string config_listing(std::span<const Variable> variables, const Environment& environment) {
  std::string out;
  for (const Variable& variable : variables) {
    out += fmt::format("{}={}{}\n", variable.name, shown_value(variable, value_of(variable, environment)),
                       environment(variable.name) ? "" : "  (default)");
  }
  return out;
}

std::string config_markdown(std::span<const Variable> variables) {
  std::string out = R"(# Configuration

All configuration is in environment variables. `guildhall config` shows the current values, with secrets masked. It names every
wrong value and every variable that looks misspelt. The server does not start with a wrong value. Every command reads the same
variables as the server; `--env-file FILE` reads them from a file as systemd reads `EnvironmentFile=`.

This page is the output of `guildhall config --markdown`.

| variable | default | meaning |
|---|---|---|
)";
  for (const Variable& variable : variables) {
    out += fmt::format("| `{}` | {} | {} |\n", variable.name,
                       variable.fallback.empty() ? "" : fmt::format("`{}`", variable.fallback), variable.help);
  }
  return out;
}

}  // namespace guildhall
