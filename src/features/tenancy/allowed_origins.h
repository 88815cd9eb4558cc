#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/codec.h"
#include "storage/database.h"

// The origins of web pages that may call the API with a token of the tenant, and read its public views.
namespace guildhall {

constexpr std::size_t allowed_origins_max = 20;

// `https://shop.example.com`, as a browser sends it in the header Origin: without a path, in lower case.
struct WebOrigin {
  std::string value;
};
bool is_web_origin(std::string_view text);

template <>
struct Codec<WebOrigin> : TextCodec {
  static void decode(JsonValue value, WebOrigin& out, Decoder& decoder);
  static void encode(std::string& out, const WebOrigin& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"string","maxLength":253,"pattern":"^https://[a-z0-9.:\\[\\]-]+$"})");
  }
};

struct WebOrigins {
  std::vector<WebOrigin> value;
};

template <>
struct Codec<WebOrigins> : PlainCodec {
  static void decode(JsonValue value, WebOrigins& out, Decoder& decoder);
  static void encode(std::string& out, const WebOrigins& value) {
    Codec<std::vector<WebOrigin>>::encode(out, value.value);
  }
  static void schema(Schema& schema);
};

// Replaces the tenant's origins.
void write_allowed_origins(Tx& tx, const TenantId& tenant, const std::vector<std::string>& origins);

// Makes the rows of an imported tenant from its settings.
void import_allowed_origins(Tx& tx, const TenantId& tenant);

// Whether the tenant lists the origin; with an empty tenant: whether any does.
Task<bool> allows_origin(Database& db, const TenantId& tenant, std::string_view origin);

}  // namespace guildhall
