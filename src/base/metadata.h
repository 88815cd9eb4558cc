#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/presence.h"

// Metadata: texts by keys that programs keep with a record, such as the id that another system gives it.
namespace guildhall {

constexpr std::size_t metadata_keys_max = 50;
constexpr std::size_t metadata_key_characters_max = 40;
constexpr std::size_t metadata_bytes_max = 8 * 1024;  // of all keys and values

// The metadata of a record, as JSON whose keys are sorted: equal metadata has equal text.
struct Metadata {
  std::string text = "{}";

  bool empty() const { return text == "{}"; }
  std::map<std::string, std::string> entries() const;

  bool operator==(const Metadata&) const = default;
};

// What a request changes. Keys that it does not name stay; null removes a key.
struct MetadataChange {
  std::map<std::string, std::optional<std::string>> entries;
};

// Metadata without entries if there is no input. Its codec has checked the limits.
Metadata metadata_from(const std::optional<MetadataChange>& input);

// Merges the change; null for the whole removes all keys. Throws Failure invalid if there are too many keys or bytes
// afterwards.
void apply(const Change<std::optional<MetadataChange>>& change, Metadata& metadata);

template <>
struct Codec<Metadata> : PlainCodec {
  static void decode(JsonValue value, Metadata& out, Decoder& decoder);
  static void encode(std::string& out, const Metadata& value) { out += value.text; }
  static void schema(Schema& schema);
};

template <>
struct Codec<MetadataChange> : PlainCodec {
  static void decode(JsonValue value, MetadataChange& out, Decoder& decoder);
  static void encode(std::string& out, const MetadataChange& value);
  static void schema(Schema& schema);
};

}  // namespace guildhall
