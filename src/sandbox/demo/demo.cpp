#include <iostream>

#include "app/ops/progress.h"
#include "audit/audit_chain.h"
#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "features/discounts/discount_actions.h"
#include "features/fund/fund_actions.h"
#include "features/identity/chat_user.h"
#include "features/identity/grants.h"
#include "features/identity/user_store.h"
#include "features/media/branding.h"
#include "features/orders/order_store.h"
#include "features/payments/methods/payment_method_store.h"
#include "features/payments/processors/processor_list.h"
#include "features/reports/report_fold.h"
#include "features/tenancy/guild_binding.h"
#include "features/tenancy/tenant.h"
#include "features/tenancy/tenant_settings.h"
#include "sandbox/commands.h"
#include "sandbox/demo/catalogue.h"
#include "sandbox/demo/history.h"
#include "sandbox/demo/people.h"
#include "sandbox/demo/pictures.h"
#include "storage/migrations.h"

namespace guildhall {
namespace demo {
namespace {

constexpr std::size_t first_customers = 40;
constexpr std::size_t orders_a_customer = 12;
constexpr std::size_t steps_a_sqlite_transaction = 4000;   // each commit waits for the disk
constexpr std::size_t steps_a_postgres_transaction = 250;  // each step reads rows past their versions of before
constexpr int folds_a_transaction = 50;
const Actor system_actor{ActorKind::SYSTEM, "demo", ""};

std::size_t customers_for(std::size_t orders) {
  return std::max(first_customers, orders / orders_a_customer);
}

struct Pictures {
  std::vector<NewPicture> products;  // in the order of catalogue()
  NewPicture logo;
};

Pictures store_pictures(const Media& media, const TenantId& tenant, Instant now) {
  Pictures pictures{.products = {}, .logo = stored_picture(media, tenant, "logo", now)};
  for (const CatalogueProduct& product : catalogue()) {
    pictures.products.push_back(stored_picture(media, tenant, product.picture, now));
  }
  return pictures;
}

NewProduct new_product(const CatalogueProduct& listed) {
  NewProduct input;
  Product& product = input.record;
  product.name = listed.name;
  product.description = listed.description;
  product.sku = listed.sku;
  product.price_cents = Cents(listed.price_cents);
  product.is_digital = listed.is_digital();
  product.inventory_tracked = !listed.is_digital();
  if (listed.stock) product.stock_quantity = *listed.stock;
  if (!listed.required_role.empty()) product.required_role_ids = {std::string(listed.required_role)};
  if (listed.months > 0) {
    product.membership = from_json<MembershipTerms>(
        fmt::format(R"({{"periodMonths":{},"graceDays":3,"reminderDays":[7,1],"group":"keeper"}})", listed.months));
  }
  if (!listed.granted_role.empty()) product.granted_role_ids = {std::string(listed.granted_role)};
  return input;
}

void add_products(const ActionContext& context, const Media& media, const Pictures& pictures) {
  // Lists begin with the newest, so the first of the catalogue is added last.
  for (std::size_t i = catalogue().size(); i-- > 0;) {
    const ActionContext at{context.tx, context.events, context.tenant, context.actor,
                           context.now + std::chrono::minutes(catalogue().size() - i)};
    const Product product = create_product(at, new_product(catalogue()[i]));
    change_product(at, product.id, [&](Product& shown) {
      media.replace(context.tx, context.tenant, shown.image, pictures.products[i], at.now);
    });
  }
}

void add_discounts(const ActionContext& context, Instant end) {
  create_discount(
      context, from_json<NewDiscount>(fmt::format(R"({{"code":"{}","type":"PERCENT","percent":10}})", welcome_code)));
  create_discount(
      context,
      from_json<NewDiscount>(fmt::format(
          R"({{"code":"{}","type":"AMOUNT","amountCents":500,"currency":"USD","lifecycle":{{"usageLimit":50}}}})",
          gift_code)));
  create_discount(context,
                  from_json<NewDiscount>(fmt::format(
                      R"({{"code":"{}","type":"PERCENT","percent":20,"lifecycle":{{"startsAt":"{}","endsAt":"{}"}}}})",
                      sale_code, to_string(end - std::chrono::days(118)), to_string(end - std::chrono::days(95)))));
}

void add_methods(const ActionContext& context) {
  const auto enable = [&](PaymentMethod method, std::optional<std::string> instructions) {
    StoredMethod stored{.tenant_id = context.tenant,
                        .method = method,
                        .enabled = true,
                        .settings = {},
                        .credentials = {},
                        .created_at = context.now,
                        .updated_at = context.now,
                        .version = {0}};
    stored.settings.instructions = std::move(instructions);
    write_method(context.tx, stored);
  };
  for (const ProcessorDescriptor* processor : processor_list) enable(processor->method, std::nullopt);
  enable(cash_method, "Pay in cash when you fetch it at the next meet-up.");
}

void add_staff(const ActionContext& context, const StaffMember& member, const std::string& admin_username) {
  const ChatProfile profile{.id = std::string(member.chat_id),
                            .username = std::string(member.username),
                            .display_name = std::string(member.name),
                            .email = fmt::format("{}@example.com", member.username),
                            .avatar_url = {}};
  const User user = find_or_create_chat_user(
      context, profile,
      {.reserved_username = admin_username, .home_tenant = context.tenant, .first_becomes_admin = false});
  add_grant(context.tx, context.tenant, user.id, member.role, context.now);
  context.audit(
      {"grants", user.id.text()}, "updated",
      json::object({{"keys", json::object({{"before", nullptr}, {"after", json::array({member.role})}})}}).text);
}

void name_shop(const ActionContext& context, const Media& media, const NewPicture& logo) {
  auto tenant = context.tx.one(tenant_by_id(context.tenant));
  if (!tenant) throw std::runtime_error(fmt::format("There is no tenant {}.", context.tenant.text()));
  const Tenant before = *tenant;
  tenant->name = "Lantern Guild";
  tenant->updated_at = context.now;
  update_tenant(context.tx, *tenant);
  context.audit_change({"tenant", context.tenant.text()}, &before, &*tenant);
  Branding branding;
  branding.tenant_id = context.tenant;
  branding.accent_color = "#b4541a";
  branding.updated_at = context.now;
  media.replace(context.tx, context.tenant, branding.logo, logo, context.now);
  put_branding(context.tx, branding);
  context.audit_created({"branding", context.tenant.text()}, branding);
}

void open_fund(const ActionContext& context) {
  change_fund_config(context,
                     from_json<FundConfigPatch>(
                         R"({"enabled":true,"publicViewEnabled":true,"allowedAmountsCents":[300,500,1000,2500,5000]})"),
                     [](const FundConfig&) {});
}

// Celebrations go to the chat server from now on, but not those of the past.
void celebrate_from_now_on(const ActionContext& context) {
  const std::string patch = json::object({{"celebrationChannelId", celebration_channel}}).text;
  change_fund_config(context, from_json<FundConfigPatch>(patch), [](const FundConfig&) {});
}

// The bot's orders go on with the numbers of the demo's.
void number_orders(const ActionContext& context, std::size_t orders) {
  TenantSettings settings;
  settings.tenant_id = context.tenant;
  settings.order_number_prefix = std::string(order_prefix);
  settings.updated_at = context.now;
  put_tenant_settings(context.tx, settings);
  context.audit_created({"settings", context.tenant.text()}, settings);
  set_next_order_number(context.tx, context.tenant, static_cast<std::int64_t>(first_number + orders));
}

// The shop's records, if the tenant is a demo shop.
std::optional<ShopRecords> find_shop(Tx& tx, const TenantId& tenant) {
  ShopRecords shop{.tenant = tenant, .products = {}, .owner = {}, .packer = {}};
  const auto binding = tx.one(binding_of_guild(std::string(demo_guild)));
  if (!binding || binding->tenant_id != tenant) return std::nullopt;
  for (const CatalogueProduct& listed : catalogue()) {
    const auto product = tx.one(product_by_sku(tenant, std::string(listed.sku)));
    if (!product) return std::nullopt;
    shop.products.push_back(product->id);
  }
  const auto find_user = [&](const StaffMember& member) {
    const auto user = tx.one(user_by_identity(tenant, chat_provider, std::string(member.chat_id)));
    return user ? user->id : UserId(system_actor.id);
  };
  shop.owner = find_user(owner);
  shop.packer = find_user(packer);
  return shop;
}

bool is_empty(Tx& tx, const TenantId& tenant) {
  return !has_orders(tx, tenant) && !tx.one(guild_of_tenant(tenant)) &&
         tx.all(offered_products_after(tenant, Position(), 1)).empty();
}

// The number of demo orders. Their numbers have no gaps, so the last one is found by bisection.
std::size_t count_orders_of_demo(Tx& tx, const TenantId& tenant) {
  const auto exists = [&](std::size_t index) {
    return tx.one(order_by_number(tenant, order_number(index))).has_value();
  };
  std::size_t known = 0, unknown = 1;  // orders before `known` exist
  while (exists(unknown - 1)) {
    known = unknown;
    unknown *= 2;
  }
  while (known + 1 < unknown) {
    const std::size_t middle = (known + unknown) / 2;
    (exists(middle - 1) ? known : unknown) = middle;
  }
  return known;
}

// The server plans each statement once a connection, by the statistics of then. New tables have none.
void renew_statistics(Storage& storage) {
  static const Sql analyze_sql("ANALYZE orders, order_products, customers, payments, shipments, outbox_messages");
  storage.write_now([](Tx& tx) { tx.run({&analyze_sql, {}}); });
}

void run_steps(Storage& storage, History& history, const Plan& plan) {
  Progress progress("making orders", std::ssize(plan.orders), Progress::Unit::orders);
  const bool is_sqlite = storage.name() == "sqlite";
  const std::size_t steps_a_transaction = is_sqlite ? steps_a_sqlite_transaction : steps_a_postgres_transaction;
  const std::span<const Step> steps(plan.steps);
  std::size_t next_statistics = steps_a_transaction;
  for (std::size_t done = 0; done < steps.size(); done += steps_a_transaction) {
    if (!is_sqlite && done >= next_statistics) {
      renew_statistics(storage);
      next_statistics *= 2;
    }
    const auto some = steps.subspan(done, std::min(steps_a_transaction, steps.size() - done));
    storage.write_now([&](Tx& tx) { history.run(tx, some); });
    progress.add(std::ranges::count(some, StepKind::place, &Step::kind));
  }
}

void add_orders(Storage& storage, const ShopRecords& shop, const PlanRequest& request) {
  const Plan plan = make_plan(request);
  History history(shop, plan, request.first_order);
  run_steps(storage, history, plan);
  Progress reports("making reports", 0);
  for (bool more = true; more;) {
    storage.write_now([&](Tx& tx) {
      more = true;
      for (int folds = 0; more && folds < folds_a_transaction; ++folds) more = fold_entries(tx, shop.tenant);
    });
    reports.add(folds_a_transaction * entries_a_fold);
  }
  Progress trail("sealing the audit trail", 0);
  while (const std::int64_t sealed = seal_audit_trail_of(storage, shop.tenant)) trail.add(sealed);
}

void create_shop(Storage& storage, const Config& config, std::size_t orders, Instant end) {
  const TenantId& tenant = config.default_tenant;
  const Instant start = end - history_length;
  const Media media(config);
  const Pictures pictures = store_pictures(media, tenant, start);
  const Events events;
  storage.write_now([&](Tx& tx) {
    const ActionContext context{tx, events, tenant, system_actor, start};
    name_shop(context, media, pictures.logo);
    add_staff(context, owner, config.local_admin_username);
    add_staff(context, packer, config.local_admin_username);
    add_methods(context);
    add_products(context, media, pictures);
    add_discounts(context, end);
    open_fund(context);
    number_orders(context, orders);
    bind_guild(tx, tenant, std::string(demo_guild), start);
  });
}

}  // namespace
}  // namespace demo

void fill_demo_shop(const Config& config, std::optional<std::size_t> orders, std::ostream& out) {
  using namespace demo;
  const auto storage = open_storage({.url = config.database_url});
  migrate(*storage);
  const TenantId& tenant = config.default_tenant;
  const Instant end = now();
  PlanRequest request{.orders = orders.value_or(demo_orders), .now = end};
  std::optional<ShopRecords> shop;
  bool empty = false;
  storage->write_now([&](Tx& tx) {
    ensure_default_tenant(tx, tenant, end - history_length);
    empty = is_empty(tx, tenant);
    shop = find_shop(tx, tenant);
    request.first_order = shop ? count_orders_of_demo(tx, tenant) : 0;
  });
  if (!shop && !empty) {
    out << fmt::format("The shop {} has records of its own; nothing was added.\n", tenant.text());
    return;
  }
  if (shop && (!orders || request.orders <= request.first_order)) return;  // there is nothing to add
  if (!shop) {
    create_shop(*storage, config, request.orders, end);
    storage->read_now([&](Tx& tx) { shop = find_shop(tx, tenant); });
  }
  request.first_customer = request.first_order == 0 ? 0 : customers_for(request.first_order);
  request.customers = customers_for(request.orders);
  add_orders(*storage, *shop, request);
  const Events events;
  storage->write_now([&](Tx& tx) { celebrate_from_now_on({tx, events, tenant, system_actor, end}); });
}

}  // namespace guildhall
