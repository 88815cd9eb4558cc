#include "base/metadata.h"

#include "base/failure.h"

namespace guildhall {
namespace {

using Entries = std::map<std::string, std::string>;

std::string text_of(const Entries& entries) {
  return json::write_object([&](json::ObjectWriter& object) {
    for (const auto& [key, value] : entries) object.add(key, value);
  });
}

// Null if the metadata is within the limits.
std::optional<std::string> excess_of(const Entries& entries) {
  if (entries.size() > metadata_keys_max) return fmt::format("must have at most {} keys", metadata_keys_max);
  std::size_t bytes = 0;
  for (const auto& [key, value] : entries) bytes += key.size() + value.size();
  if (bytes > metadata_bytes_max) return fmt::format("must have at most {} bytes in all", metadata_bytes_max);
  return std::nullopt;
}

Entries entries_of(const MetadataChange& change, Entries entries = {}) {
  for (const auto& [key, value] : change.entries) {
    if (value) {
      entries[key] = *value;
    } else {
      entries.erase(key);
    }
  }
  return entries;
}

void object_schema(Schema& schema, std::string_view value) {
  schema.raw(fmt::format(R"({{"type":"object","maxProperties":{},"propertyNames":{{"minLength":1,"maxLength":{}}},)"
                         R"("additionalProperties":{}}})",
                         metadata_keys_max, metadata_key_characters_max, value));
}

}  // namespace

Entries Metadata::entries() const {
  Entries found;
  if (empty()) return found;
  decode_stored(text, [&](JsonValue document, Decoder& decoder) {
    MetadataChange change;
    Codec<MetadataChange>::decode(document, change, decoder);
    found = entries_of(change);
  });
  return found;
}

Metadata metadata_from(const std::optional<MetadataChange>& input) {
  return input ? Metadata{text_of(entries_of(*input))} : Metadata();
}

void apply(const Change<std::optional<MetadataChange>>& change, Metadata& metadata) {
  if (!change) return;
  const Entries entries = *change ? entries_of(**change, metadata.entries()) : Entries();
  if (const auto excess = excess_of(entries)) throw invalid_field("metadata", *excess);
  metadata.text = text_of(entries);
}

void Codec<Metadata>::decode(JsonValue value, Metadata& out, Decoder& decoder) {
  MetadataChange change;
  Codec<MetadataChange>::decode(value, change, decoder);
  out.text = text_of(entries_of(change));
}

void Codec<Metadata>::schema(Schema& schema) {
  object_schema(schema, R"({"type":"string"})");
}

void Codec<MetadataChange>::decode(JsonValue value, MetadataChange& out, Decoder& decoder) {
  simdjson::dom::object members;
  if (value.get(members) != simdjson::SUCCESS) return decoder.problem("must be an object of texts");
  for (const auto [key, member] : members) {
    const Decoder::Step step(decoder, key);
    if (is_blank(key) || characters_in(key) > metadata_key_characters_max) {
      decoder.problem(fmt::format("must have a key of 1 to {} characters", metadata_key_characters_max));
    }
    std::optional<std::string>& text = out.entries[std::string(key)];
    if (!member.is_null()) decode_text(member, text.emplace(), metadata_bytes_max, decoder);
  }
  if (decoder.from_store()) return;
  if (const auto excess = excess_of(entries_of(out))) decoder.problem(*excess);
}

void Codec<MetadataChange>::encode(std::string& out, const MetadataChange& value) {
  json::ObjectWriter object(out);
  for (const auto& [key, text] : value.entries) Codec<std::optional<std::string>>::encode(object.key(key), text);
}

void Codec<MetadataChange>::schema(Schema& schema) {
  object_schema(schema, R"({"type":["string","null"]})");
}

}  // namespace guildhall
