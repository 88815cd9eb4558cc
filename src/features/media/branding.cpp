#include "features/media/branding.h"

#include <cmath>

#include "base/ascii.h"
#include "base/encoding.h"
#include "features/tenancy/tenant_store.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::string_view black = "#000000", white = "#ffffff";

std::optional<std::string> channels_of(std::string_view color) {
  if (color.size() != 7 || color[0] != '#') return std::nullopt;
  return from_hex(color.substr(1));
}

// WCAG's relative luminance, 0 to 1.
double luminance(std::string_view color) {
  constexpr double weights[] = {0.2126, 0.7152, 0.0722};
  const std::string channels = channels_of(color).value_or(std::string(3, '\0'));
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = static_cast<unsigned char>(channels[i]) / 255.0;
    sum += weights[i] * (share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace

bool is_color(std::string_view text) {
  return channels_of(text).has_value();
}

void Codec<Color>::decode(JsonValue value, Color& out, Decoder& decoder) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS || !is_color(text)) {
    return decoder.problem("must be a colour such as #1a2b3c");
  }
  out.value = text;
  std::transform(out.value.begin(), out.value.end(), out.value.begin(), lower);
}

double contrast(std::string_view first, std::string_view second) {
  const double a = luminance(first), b = luminance(second);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

std::string_view text_color_on(std::string_view accent_color) {
  return contrast(accent_color, white) >= contrast(accent_color, black) ? white : black;
}

static const Sql by_tenant_sql(select_from<Branding>("branding") + " WHERE tenant_id = $1");

Select<Branding> branding_of(const TenantId& tenant) {
  return {{&by_tenant_sql, params(tenant)}, read_row<Branding>};
}

static const Sql put_sql(insert_into<Branding>("branding") +
                         " ON CONFLICT (tenant_id) DO UPDATE SET name = excluded.name,"
                         " accent_color = excluded.accent_color, logo = excluded.logo,"
                         " updated_at = excluded.updated_at, version = excluded.version"
                         " WHERE branding.version = excluded.version - 1");

void put_branding(Tx& tx, Branding& branding) {
  write_versioned(tx, put_sql, branding);
}

static const Sql clear_name_sql("UPDATE branding SET name = NULL WHERE tenant_id = $1");

void adopt_branding_name(Tx& tx, const TenantId& tenant) {
  const auto branding = tx.one(branding_of(tenant));
  if (branding && branding->name) rename_tenant(tx, tenant, *branding->name);
  tx.run({&clear_name_sql, params(tenant)});
}

}  // namespace guildhall
