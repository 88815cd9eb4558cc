#include "app/commands.h"
#include "features/catalog/product_actions.h"
#include "features/customers/customer_actions.h"
#include "features/payments/methods/payment_method_store.h"
#include "features/tenancy/guild_binding.h"
#include "features/tenancy/tenant.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

constexpr std::string_view people[] = {
    R"({"chatId":"200000000000000001","chatUsername":"ada","chatDisplayName":"Ada","email":"ada@example.com"})",
    R"({"chatId":"200000000000000002","chatUsername":"grace","chatDisplayName":"Grace","email":"grace@example.com"})",
    R"({"chatId":"200000000000000003","chatUsername":"linus","chatDisplayName":"Linus","email":"linus@example.com"})",
};

constexpr std::string_view products[] = {
    R"({"name":"Guild mug","sku":"MUG-1","priceCents":1500,"stockQuantity":40})",
    R"({"name":"Guild shirt","sku":"SHIRT-1","priceCents":2500,"stockQuantity":25})",
    R"({"name":"Patron role","sku":"PATRON-1","priceCents":500,"isDigital":true,"inventoryTracked":false})",
};

const Actor demo{ActorKind::SYSTEM, "demo", ""};

StoredMethod cash_of(const TenantId& tenant) {
  return {.tenant_id = tenant,
          .method = cash_method,
          .enabled = true,
          .settings = {.store_id = {},
                       .expiration_minutes = {},
                       .webhook_id = {},
                       .location_id = {},
                       .notification_url = {},
                       .instructions = "Pay in cash when you fetch it."},
          .credentials = {},
          .created_at = now(),
          .updated_at = now(),
          .version = {0}};
}

}  // namespace

void fill_demo_shop(const Config& config) {
  const auto storage = open_storage({.url = config.database_url});
  migrate(*storage);
  const Events events;
  bool filled = false;
  storage->write_now([&](Tx& tx) {
    const ActionContext context{tx, events, config.default_tenant, demo, now()};
    ensure_default_tenant(tx, context.tenant, context.now);
    for (const std::string_view person : people) {
      const auto found = find_or_create_customer(context, from_json<NewCustomer>(person));
      filled = filled || !found.created;
    }
    if (filled) return;  // the demo data exists already
    for (const std::string_view product : products) {
      create_product(context, from_json<NewProduct>(product));
    }
    bind_guild(tx, context.tenant, std::string(demo_guild), context.now);
    StoredMethod cash = cash_of(context.tenant);
    write_method(tx, cash);
  });
}

}  // namespace guildhall
