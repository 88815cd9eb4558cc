#include "base/codec.h"

namespace guildhall {

bool is_blank(std::string_view text) {
  // Unicode's white space beyond ASCII.
  constexpr std::string_view wide[] = {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
                                       "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
                                       "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f\v"), text.size()));
    const auto* space = std::find_if(std::begin(wide), std::end(wide), [&](auto one) { return text.starts_with(one); });
    if (space == std::end(wide)) return text.empty();
    text.remove_prefix(space->size());
  }
}

bool is_blank(JsonValue value, const Decoder& decoder) {
  std::string_view text;
  return !decoder.from_store() && value.get(text) == simdjson::SUCCESS && is_blank(text);
}

std::size_t characters_in(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xc0) != 0x80; }));  // not a continuation
}

bool decode_text(JsonValue value, std::string& out, std::size_t characters_max, Decoder& decoder) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) {
    decoder.problem("must be a string");
    return false;
  }
  if (text.size() > characters_max && !decoder.from_store() && characters_in(text) > characters_max) {
    decoder.problem(fmt::format("must have at most {} characters", characters_max));
    return false;
  }
  out = text;
  return true;
}

bool decode_required_text(JsonValue value, std::string& out, std::size_t characters_max, Decoder& decoder) {
  if (!decode_text(value, out, characters_max, decoder)) return false;
  if (!is_blank(value, decoder)) return true;
  decoder.problem("is required");
  return false;
}

bool is_email(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0 || at > 64 || text.size() > 254) return false;
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto dotted = [](std::string_view part, auto&& allowed) {
    char previous = '.';
    for (const char c : part) {
      if (c == '.' ? previous == '.' : !allowed(c)) return false;
      previous = c;
    }
    return previous != '.';
  };
  const std::string_view local = text.substr(0, at), domain = text.substr(at + 1);
  if (!dotted(local, [&](char c) {
        return alphanumeric(c) || std::string_view("!#$%&'*+/=?^_`{|}~-").find(c) != std::string_view::npos;
      })) {
    return false;
  }
  if (!dotted(domain, [&](char c) { return alphanumeric(c) || c == '-'; })) return false;
  const std::size_t last_dot = domain.rfind('.');
  if (last_dot == std::string_view::npos || domain.size() - last_dot < 3) return false;
  return domain.find("-.") == std::string_view::npos && domain.find(".-") == std::string_view::npos &&
         domain.front() != '-' && domain.back() != '-';
}

void Codec<Email>::decode(JsonValue value, Email& out, Decoder& decoder) {
  if (decode_required_text(value, out.value, text_characters_max, decoder) && !decoder.from_store() &&
      !is_email(out.value)) {
    decoder.problem("must be a valid email address");
  }
}

void Codec<bool>::decode(JsonValue value, bool& out, Decoder& decoder) {
  std::string_view text;
  if (decoder.from_query() && value.get(text) == simdjson::SUCCESS && (text == "true" || text == "false")) {
    out = text == "true";
  } else if (value.get(out) != simdjson::SUCCESS) {
    decoder.problem("must be true or false");
  }
}

void decode_integer(JsonValue value, std::int64_t& out, std::int64_t min, std::int64_t max, Decoder& decoder) {
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text;
  bool whole = value.get(integer) == simdjson::SUCCESS;
  if (!whole && value.get(real) == simdjson::SUCCESS && std::abs(real) <= static_cast<double>(safe_integer_max)) {
    integer = static_cast<std::int64_t>(real);
    whole = static_cast<double>(integer) == real;
  } else if (!whole && decoder.from_query() && value.get(text) == simdjson::SUCCESS) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
    whole = error == std::errc() && end == text.data() + text.size();
  }
  if (whole && integer >= min && integer <= max) {
    out = integer;
  } else if (min == -safe_integer_max && max == safe_integer_max) {
    decoder.problem("must be an integer");
  } else {
    decoder.problem(fmt::format("must be an integer from {} to {}", min, max));
  }
}

void Codec<Instant>::decode(JsonValue value, Instant& out, Decoder& decoder) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    if (const auto instant = parse_instant(text)) {
      out = *instant;
      return;
    }
  }
  decoder.problem("must be an RFC 3339 date and time, such as 2026-11-15T00:00:00Z");
}

void Codec<Instant>::encode(std::string& out, Instant value) {
  out += '"';
  append_to(out, value);
  out += '"';
}

}  // namespace guildhall
