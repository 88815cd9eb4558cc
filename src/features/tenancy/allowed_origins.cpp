#include "features/tenancy/allowed_origins.h"

#include "base/address.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::size_t origin_characters_max = 253;
constexpr std::string_view origin_scheme = "https://";

bool is_origin_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.front() != '0' && text != "443" &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_origin_host(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']'))
    return text.find('/') == std::string_view::npos && AddressRange::parse(text.substr(1, text.size() - 2));
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  return !text.empty() && text.front() != '.' && text.front() != '-' && text.find("..") == std::string_view::npos &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

}  // namespace

bool is_web_origin(std::string_view text) {
  if (text.size() > origin_characters_max || !text.starts_with(origin_scheme)) return false;
  text.remove_prefix(origin_scheme.size());
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos && text.find(']', colon) == std::string_view::npos;
  if (!has_port) return is_origin_host(text);
  return is_origin_host(text.substr(0, colon)) && is_origin_port(text.substr(colon + 1));
}

void Codec<WebOrigin>::decode(JsonValue value, WebOrigin& out, Decoder& decoder) {
  if (!decode_text(value, out.value, origin_characters_max, decoder) || decoder.from_store()) return;
  if (is_web_origin(out.value)) return;
  decoder.problem("must be an origin such as https://shop.example.com: https, in lower case, without a path");
}

void Codec<WebOrigins>::decode(JsonValue value, WebOrigins& out, Decoder& decoder) {
  Codec<std::vector<WebOrigin>>::decode(value, out.value, decoder);
  if (out.value.size() <= allowed_origins_max) return;
  decoder.problem(fmt::format("must have at most {} elements", allowed_origins_max));
}

void Codec<WebOrigins>::schema(Schema& schema) {
  schema.raw(fmt::format(R"({{"type":"array","maxItems":{},"items":)", allowed_origins_max));
  Codec<WebOrigin>::schema(schema);
  schema.raw("}");
}

static const Sql delete_origins_sql("DELETE FROM tenant_origins WHERE tenant_id = $1");
static const Sql insert_origin_sql(
    "INSERT INTO tenant_origins (tenant_id, origin) VALUES ($1, $2) ON CONFLICT DO NOTHING");

void write_allowed_origins(Tx& tx, const TenantId& tenant, const std::vector<std::string>& origins) {
  tx.later({&delete_origins_sql, params(tenant)});
  for (const std::string& origin : origins) tx.later({&insert_origin_sql, params(tenant, origin)});
}

static const Sql origins_of_settings_sql("SELECT allowed_origins FROM tenant_settings WHERE tenant_id = $1");

void import_allowed_origins(Tx& tx, const TenantId& tenant) {
  const auto read = [](const Row& row) { return Column<std::vector<std::string>>::read(row, 0); };
  const auto origins = tx.one(Select<std::vector<std::string>>{{&origins_of_settings_sql, params(tenant)}, read});
  if (origins) write_allowed_origins(tx, tenant, *origins);
}

static const Sql origin_of_tenant_sql("SELECT origin FROM tenant_origins WHERE tenant_id = $1 AND origin = $2");
static const Sql origin_of_any_sql("SELECT origin FROM tenant_origins WHERE origin = $1 LIMIT 1");

Task<bool> allows_origin(Database& db, const TenantId& tenant, std::string_view origin) {
  if (!is_web_origin(origin)) co_return false;
  const std::string text(origin);
  const Query query =
      tenant.empty() ? Query{&origin_of_any_sql, params(text)} : Query{&origin_of_tenant_sql, params(tenant, text)};
  co_return (co_await db.one(Select<std::string>{query, read_first_text})).has_value();
}

}  // namespace guildhall
