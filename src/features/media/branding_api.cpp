#include "api/resource.h"
#include "features/action.h"
#include "features/identity/tenant_actions.h"
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

// Both records can change the branding, so both count in its version.
std::int64_t version_of(const Branding& branding, const Tenant& tenant) {
  return branding.version + tenant.version - 1;
}

ShownBranding shown(const Branding& branding, const Tenant& tenant) {
  const bool named = tenant.name != tenant.tenant_id.text();
  ShownBranding view{.shop_name = tenant.name,
                     .name = named ? std::optional(tenant.name) : std::nullopt,
                     .accent_color = branding.accent_color,
                     .text_color = std::nullopt,
                     .logo = branding.logo,
                     .version = {version_of(branding, tenant)}};
  if (view.accent_color) view.text_color = text_color_on(*view.accent_color);
  return view;
}

Tenant read_tenant(Tx& tx, const TenantId& id) {
  auto tenant = tx.one(tenant_by_id(id));
  if (!tenant) throw not_found("Tenant");
  return std::move(*tenant);
}

// Reads the records, calls `edit` to change them, and writes them back with an audit entry each.
ShownBranding change_branding(Tx& tx, const Call& call, const Events& events,
                              FunctionRef<void(Branding&, Tenant&)> edit) {
  Branding branding = read_branding(tx, call.tenant);
  Tenant tenant = read_tenant(tx, call.tenant);
  call.require_match(version_of(branding, tenant));
  const Branding before = branding;
  const std::string name_before = tenant.name;
  edit(branding, tenant);
  if (needs_write(before, branding)) {
    branding.updated_at = call.now;
    put_branding(tx, branding);
    action_of(call, tx).audit_change({"branding", call.tenant.text()}, &before, &branding);
  }
  if (tenant.name != name_before) {
    tenant = change_tenant(action_of(call, tx, events), [&](Tenant& stored) { stored.name = tenant.name; });
  }
  return shown(branding, tenant);
}

Task<Reply> find(Call& call, Database& db) {
  co_return api::record_reply(200, co_await db.read([&](Tx& tx) {
    return shown(read_branding(tx, call.tenant), read_tenant(tx, call.tenant));
  }));
}

// A program cannot change a tenant (docs/security.md), and so not its name.
void require_may_rename(const Call& call) {
  if (call.caller->token_id.empty()) return;
  throw forbidden("SESSION_REQUIRED", "Only a person who is signed in can change the name of the shop.");
}

Task<Reply> put(Call& call, Database& db, const Events& events) {
  const auto patch = call.body<BrandingPatch>();
  if (patch.name) require_may_rename(call);
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    return change_branding(tx, call, events, [&](Branding& branding, Tenant& tenant) {
      if (patch.name) tenant.name = *patch.name ? (*patch.name)->value : tenant.tenant_id.text();
      if (patch.accent_color) branding.accent_color.reset();
      if (patch.accent_color && *patch.accent_color) branding.accent_color = (*patch.accent_color)->value;
    });
  });
}

Task<Reply> put_logo(Call& call, Database& db, const Events& events, const Media& media) {
  const NewPicture picture = co_await media.convert(call.tenant, call.request.body, call.now);
  const auto write = [&](Tx& tx) {
    return change_branding(tx, call, events, [&](Branding& branding, Tenant&) {
      media.replace(tx, call.tenant, branding.logo, picture, call.now);
    });
  };
  co_return co_await media.finish(picture, api::write_record(call, db, 200, write));
}

Task<Reply> erase_logo(Call& call, Database& db, const Events& events) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    change_branding(tx, call, events, [&](Branding& branding, Tenant&) {
      if (branding.logo) forget_picture(tx, call.tenant, *branding.logo, call.now);
      branding.logo.reset();
    });
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> branding_routes(Database& db, const Events& events, const Media& media) {
  constexpr std::string_view all = "/api/admin/branding", logo = "/api/admin/branding/logo";
  return {
      route(Method::get, all, Access::data_read, "The shop's name, logo and accent colour", find, db)
          .gives<ShownBranding>(200, "The branding."),
      route(Method::put, all, Access::admin, "Change the shop's name and accent colour", put, db, events)
          .takes<BrandingPatch>()
          .gives<ShownBranding>(200, "The branding."),
      route(Method::put, logo, Access::admin, "Set the shop's logo", put_logo, db, events, media)
          .takes_bytes(picture_media_types(), picture_bytes_max)
          .gives<ShownBranding>(200, "The branding."),
      route(Method::del, logo, Access::admin, "Delete the shop's logo", erase_logo, db, events)
          .gives(204, "There is no logo."),
  };
}

}  // namespace guildhall
