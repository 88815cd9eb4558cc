#include "base/decoder.h"

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

bool Decoder::found_in(std::string_view field) const {
  return std::any_of(problems_.begin(), problems_.end(), [&](const Problem& problem) {
    if (!problem.field.starts_with(field)) return false;
    const std::string_view rest = std::string_view(problem.field).substr(field.size());
    return rest.empty() || rest.front() == '.' || rest.front() == '[';
  });
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
