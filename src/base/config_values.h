#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"

// Parsers of the kinds of values that environment variables have. They throw std::invalid_argument("must be …") for a
// text that is not such a value.
namespace guildhall {

std::string parse_text(std::string_view text);
bool parse_bool(std::string_view text);

// `on` or `off`.
bool parse_switch(std::string_view text);

// A share of all requests: `all`, a number from 0 to 1, or a fraction such as 1/100. Nothing for `off`.
std::optional<double> parse_sample(std::string_view text);

// `host:port`, where the host is an IP address or `localhost`.
Address parse_address(std::string_view text);

// A comma-separated list of IP addresses and CIDR ranges.
std::vector<AddressRange> parse_address_ranges(std::string_view text);

// A comma-separated list of secrets. A comma that is part of a secret is written as %2C.
std::vector<std::string> parse_secrets(std::string_view text);

// An http or https URL to which paths are appended; the result does not end with a slash.
std::string parse_base_url(std::string_view text);

// A complete http or https URL.
std::string parse_url(std::string_view text);

// A comma-separated list of such URLs.
std::vector<std::string> parse_urls(std::string_view text);

std::int64_t parse_integer(std::string_view text, std::int64_t min, std::int64_t max);

// Returns a parser of integers in the range.
inline auto integer(std::int64_t min, std::int64_t max) {
  return [min, max](std::string_view text) { return parse_integer(text, min, max); };
}

// The parser of rate limits.
std::int64_t parse_rate_per_minute(std::string_view text);

// Returns a parser of texts that begin with one of the prefixes.
std::function<std::string(std::string_view text)> text_with_prefix(std::initializer_list<std::string_view> prefixes);

// The length of the shortest secret of a comma-separated list. A secret may begin with a key id, `id:secret`, which
// does not count.
std::size_t shortest_secret(std::string_view secrets);

}  // namespace guildhall
