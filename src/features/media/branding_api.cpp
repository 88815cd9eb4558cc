#include "api/resource.h"
#include "audit/audit.h"
#include "features/media/branding.h"
#include "features/media/routes.h"
#include "features/tenancy/tenant.h"

namespace guildhall {

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

Branding read_branding(Tx& tx, const TenantId& tenant) {
  auto found = tx.one(branding_of(tenant));
  if (found) return std::move(*found);
  Branding none;
  none.tenant_id = tenant;
  return none;
}

ShownBranding shown(Tx& tx, const Branding& branding) {
  const auto tenant = tx.one(tenant_by_id(branding.tenant_id));
  ShownBranding view{.shop_name = branding.name.value_or(tenant ? tenant->name : ""),
                     .name = branding.name,
                     .accent_color = branding.accent_color,
                     .text_color = std::nullopt,
                     .logo = branding.logo,
                     .version = branding.version};
  if (view.accent_color) view.text_color = text_color_on(*view.accent_color);
  return view;
}

// Reads the record, calls `edit` to change it, and writes it back with an audit entry.
ShownBranding change_branding(Tx& tx, const Call& call, FunctionRef<void(Branding&)> edit) {
  Branding branding = read_branding(tx, call.tenant);
  call.require_match(branding.version);
  const Branding before = branding;
  edit(branding);
  if (needs_write(before, branding)) {
    branding.updated_at = call.now;
    put_branding(tx, branding);
    audit_change(tx, call.tenant, call.actor(), {"branding", call.tenant.text()}, &before, &branding, call.now);
  }
  return shown(tx, branding);
}

Task<Reply> find(Call& call, Database& db) {
  co_return api::record_reply(200, co_await db.read([&](Tx& tx) { return shown(tx, read_branding(tx, call.tenant)); }));
}

Task<Reply> put(Call& call, Database& db) {
  const auto patch = call.body<BrandingPatch>();
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    return change_branding(tx, call, [&](Branding& branding) {
      const auto set = [](const auto& change, std::optional<std::string>& target) {
        if (change) target = *change ? std::optional((*change)->value) : std::nullopt;
      };
      set(patch.name, branding.name);
      set(patch.accent_color, branding.accent_color);
    });
  });
}

Task<Reply> put_logo(Call& call, Database& db, const Media& media) {
  const NewPicture picture = co_await media.convert(call.tenant, call.request.body, call.now);
  const auto write = [&](Tx& tx) {
    return change_branding(
        tx, call, [&](Branding& branding) { media.replace(tx, call.tenant, branding.logo, picture, call.now); });
  };
  co_return co_await media.finish(picture, api::write_record(call, db, 200, write));
}

Task<Reply> erase_logo(Call& call, Database& db) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    change_branding(tx, call, [&](Branding& branding) {
      if (branding.logo) forget_picture(tx, call.tenant, *branding.logo, call.now);
      branding.logo.reset();
    });
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> branding_routes(Database& db, const Media& media) {
  constexpr std::string_view all = "/api/admin/branding", logo = "/api/admin/branding/logo";
  return {
      route(Method::get, all, Access::data_read, "The shop's name, logo and accent colour", find, db)
          .gives<ShownBranding>(200, "The branding."),
      route(Method::put, all, Access::admin, "Change the shop's name and accent colour", put, db)
          .takes<BrandingPatch>()
          .gives<ShownBranding>(200, "The branding."),
      route(Method::put, logo, Access::admin, "Set the shop's logo", put_logo, db, media)
          .takes_bytes(picture_media_types(), picture_bytes_max)
          .gives<ShownBranding>(200, "The branding."),
      route(Method::del, logo, Access::admin, "Delete the shop's logo", erase_logo, db).gives(204, "There is no logo."),
  };
}

}  // namespace guildhall
