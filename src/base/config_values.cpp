#include "base/config_values.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "base/url.h"

namespace guildhall {
namespace {

[[noreturn]] void refuse(const std::string& rule) {
  throw std::invalid_argument(rule);
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The parts of a comma-separated list, without the spaces around them.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    parts.push_back(without_spaces(part));
  }
  return parts;
}

}  // namespace

std::string parse_text(std::string_view text) {
  return std::string(text);
}

bool parse_bool(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse("must be true or false");
}

bool parse_switch(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  refuse("must be on or off");
}

std::optional<double> parse_sample(std::string_view text) {
  if (text == "off") return std::nullopt;
  if (text == "all") return 1;
  constexpr double wrong = std::numeric_limits<double>::quiet_NaN();
  const auto number = [](std::string_view part) {
    double value = wrong;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && value >= 0 ? value : wrong;
  };
  const std::size_t slash = text.find('/');
  const double share =
      slash == std::string_view::npos ? number(text) : number(text.substr(0, slash)) / number(text.substr(slash + 1));
  if (!(share >= 0 && share <= 1)) refuse("must be all, off, or a share of the requests such as 1/100 or 0.01");
  return share;
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

std::vector<AddressRange> parse_address_ranges(std::string_view text) {
  std::vector<AddressRange> ranges;
  for (const std::string_view part : parts_of(text)) {
    const auto range = AddressRange::parse(part);
    if (!range) refuse(fmt::format("must be a list of addresses or CIDR ranges; '{}' is neither", part));
    ranges.push_back(*range);
  }
  return ranges;
}

std::vector<std::string> parse_secrets(std::string_view text) {
  std::vector<std::string> secrets;
  for (const std::string_view part : parts_of(text)) {
    if (part.empty()) refuse("must be a secret, or several with commas between them");
    std::string secret(part);
    for (std::size_t at = 0; (at = secret.find("%2C", at)) != std::string::npos; ++at) secret.replace(at, 3, ",");
    secrets.push_back(std::move(secret));
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
  for (const std::string_view part : parts_of(text)) urls.push_back(parse_url(part));
  return urls;
}

std::int64_t parse_integer(std::string_view text, std::int64_t min, std::int64_t max) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < min || number > max) {
    refuse(fmt::format("must be an integer from {} to {}", min, max));
  }
  return number;
}

std::int64_t parse_rate_per_minute(std::string_view text) {
  return parse_integer(text, 1, 1'000'000'000);
}

std::function<std::string(std::string_view text)> text_with_prefix(std::initializer_list<std::string_view> prefixes) {
  return [prefixes = std::vector(prefixes)](std::string_view text) {
    for (const std::string_view prefix : prefixes) {
      if (text.starts_with(prefix)) return std::string(text);
    }
    refuse(fmt::format("must begin with one of: {}", fmt::join(prefixes, ", ")));
  };
}

std::size_t shortest_secret(std::string_view secrets) {
  std::size_t shortest = secrets.size();
  for (const std::string_view secret : parts_of(secrets)) {
    const std::size_t colon = secret.find(':');
    shortest = std::min(shortest, secret.size() - (colon == std::string_view::npos ? 0 : colon + 1));
  }
  return shortest;
}

}  // namespace guildhall
