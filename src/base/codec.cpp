#include "base/codec.h"

namespace guildhall {
void Decoder::append_path(std::string& path, const Step* step) {
  if (step == nullptr) return;
  append_path(path, step->outer_);
  if (step->key_.data() == nullptr) {
    path += fmt::format("[{}]", step->index_);
  } else {
    if (!path.empty()) path += '.';
    path += step->key_;
  }
}

void Decoder::problem(std::string_view message) {
  std::string path;
  append_path(path, innermost_);
  problem({std::move(path), std::string(message)});
}

void Decoder::problem(Problem whole) {
  const bool known = std::any_of(problems_.begin(), problems_.end(),
                                 [&](const Problem& problem) { return problem.field == whole.field; });
  if (!known) problems_.push_back(std::move(whole));
}

bool Decoder::refuses(std::string_view key, std::span<const Field> read_only) const {
  if (unknown_ == Unknown::ignored) return false;
  if (innermost_ == nullptr && source_ == Source::body && key == "tenantId") return false;
  return std::none_of(read_only.begin(), read_only.end(),
                      [&](const Field& field) { return field.key == key && !field.hidden; });
}

void decode_object(JsonValue value, void* object, std::span<const Field> fields, std::span<const Field> read_only,
                   Decoder& decoder) {
  simdjson::dom::object members;
  if (value.get(members) != simdjson::SUCCESS) return decoder.problem("must be an object");
  std::uint64_t seen = 0;
  std::size_t next = 0;  // members mostly come in the order of their declaration
  for (const auto [key, member] : members) {
    bool known = false;
    for (std::size_t tried = 0; tried < fields.size(); ++tried, next = next + 1 < fields.size() ? next + 1 : 0) {
      const Field& field = fields[next];
      if (field.key != key || field.hidden) continue;
      known = true;
      if (member.is_null() && field.required) break;  // null is the same as absent
      seen |= std::uint64_t{1} << next;
      const Decoder::Step step(decoder, field.key);
      field.decode(member, object, decoder);
      break;
    }
    if (known || !decoder.refuses(key, read_only)) continue;
    const Decoder::Step step(decoder, key);
    decoder.problem(decoder.from_query() ? "is not a known parameter" : "is not a known field");
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].required || (seen >> i & 1) != 0) continue;
    const Decoder::Step step(decoder, fields[i].key);
    decoder.problem("is required");
  }
}

void encode_object(std::string& out, const void* object, std::span<const Field> fields) {
  char separator = '{';
  for (const Field& field : fields) {
    if (field.hidden) continue;
    out += separator;
    separator = ',';
    out += '"';
    out += field.key;
    out += "\":";
    field.encode(out, object);
  }
  out += separator == '{' ? "{}" : "}";
}

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

bool Decoder::found_in(std::string_view field) const {
  return std::any_of(problems_.begin(), problems_.end(), [&](const Problem& problem) {
    if (!problem.field.starts_with(field)) return false;
    const std::string_view rest = std::string_view(problem.field).substr(field.size());
    return rest.empty() || rest.front() == '.' || rest.front() == '[';
  });
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
  if (decode_required_text(value, out.value, text_characters_max, decoder) && !is_email(out.value)) {
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

namespace {

// guildhall::Page<guildhall::Customer> → PageOfCustomer
std::string component_name(std::string_view type_name) {
  std::string name, word;
  for (const char c : type_name) {
    if (c == ':') {
      word.clear();  // a namespace
    } else if (c == '<') {
      name += word + "Of";
      word.clear();
    } else if (c != '>' && c != ' ') {
      word += c;
    }
  }
  return name + word;
}

}  // namespace

void Schema::component(std::string_view type_name, std::span<const Field> fields) {
  const std::string name = component_name(type_name);
  const auto [type, is_new] = types_.try_emplace(name, fields.data());
  if (type->second != fields.data()) {
    throw std::logic_error("Two types are named " + name + " in the OpenAPI document: rename one of them.");
  }
  out += json::object({{"$ref", "#/components/schemas/" + name}}).text;
  if (!is_new) return;
  Schema inner;
  inner.components.swap(components);
  inner.types_.swap(types_);
  inner.components[name] = json::write_object([&](json::ObjectWriter& object) {
    std::vector<std::string> required;
    object.add("type", "object");
    {
      json::ObjectWriter properties(object.key("properties"));
      for (const Field& field : fields) {
        if (field.hidden) continue;
        inner.out.clear();
        field.schema(inner);
        properties.key(field.key) += inner.out;
        if (field.required) required.emplace_back(field.key);
      }
    }
    if (!required.empty()) object.add("required", required);
  });
  components.swap(inner.components);
  types_.swap(inner.types_);
}

}  // namespace guildhall
