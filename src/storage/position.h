#pragma once

#include <string>

#include "base/declared.h"
#include "base/instant.h"

namespace guildhall {

// The last record of a page in a list that is sorted by creation time, newest first, and then by id. The next page
// begins after it.
struct Position {
  Instant created_at{INT64_MAX};  // the default is before the newest record
  std::string id;

  // The text that clients send back to read the next page.
  std::string cursor() const;
};

// In a query string, a position is written as its cursor.
template <>
struct Codec<Position> : PlainCodec {
  static void decode(JsonValue value, Position& out, Decoder& decoder);
  static void encode(std::string& out, const Position& value) { json::append_string(out, value.cursor()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

}  // namespace guildhall
