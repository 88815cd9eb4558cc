#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/ids.h"
#include "base/instant.h"
#include "features/media/picture.h"
#include "storage/database.h"

// How a shop presents itself to its customers: name, logo and accent colour. The name is that of the tenant.
namespace guildhall {

// A colour as #rrggbb, in lower case.
struct Color {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <>
struct Codec<Color> : PlainCodec {
  static void decode(JsonValue value, Color& out, Decoder& decoder);
  static void encode(std::string& out, const Color& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","pattern":"^#[0-9A-Fa-f]{6}$"})"); }
};

// Whether the text is a colour as above, in any case. Pages and e-mails use a stored colour only if it is one.
bool is_color(std::string_view text);

struct Branding {
  TenantId tenant_id;
  std::optional<std::string> name;          // null since 0.3: releases before had a second name here
  std::optional<std::string> accent_color;  // null: the usual colour
  std::optional<Picture> logo;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(Branding, (), (tenant_id, name, accent_color, logo, updated_at, version))

// The branding as the API shows it.
struct ShownBranding {
  std::string shop_name;            // the tenant's name
  std::optional<std::string> name;  // the same; null: the shop has no name yet, and its id is shown
  std::optional<std::string> accent_color;
  std::optional<std::string> text_color;  // for text on the accent colour
  std::optional<Picture> logo;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(ShownBranding, (), (shop_name, name, accent_color, text_color, logo, version))

struct BrandingPatch {
  using Record = ShownBranding;
  Change<std::optional<Text<>>> name;
  Change<std::optional<Color>> accent_color;
};
BOOST_DESCRIBE_STRUCT(BrandingPatch, (), (name, accent_color))

// Black or white, whichever can be read better on the colour. The contrast is at least 4.5:1 for every colour (WCAG
// AA).
std::string_view text_color_on(std::string_view accent_color);

// The ratio of WCAG 2 between two colours, from 1 to 21.
double contrast(std::string_view first, std::string_view second);

Select<Branding> branding_of(const TenantId& tenant);

// Writes the record and increments its version. Throws WriteRace if it was changed since it was read.
void put_branding(Tx& tx, Branding& branding);

// Makes the name in an imported row, which releases before 0.3 have exported, that of the tenant.
void adopt_branding_name(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
