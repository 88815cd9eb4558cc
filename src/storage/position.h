#pragma once

#include <string>

#include "base/declared.h"
#include "base/instant.h"

namespace guildhall {

// Where a list by time goes on: newest first, ties by id, after this record.
struct Position {
  Instant created_at{INT64_MAX};  // before the newest
  std::string id;

  // As clients see it.
  std::string cursor() const;
};

// In a query, a position is the cursor that a list has given out.
template <>
struct Codec<Position> : PlainCodec {
  static void decode(JsonValue value, Position& out, Decoder& decoder);
  static void encode(std::string& out, const Position& value) { json::append_string(out, value.cursor()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

}  // namespace guildhall
