// Exports that somebody has changed: import refuses them and leaves nothing behind.
#include <fstream>
#include <sstream>

#include "app/ops/transfer/import_rules.h"
#include "app/ops/transfer/row_text.h"
#include "base/password.h"
#include "features/identity/user_store.h"
#include "features/media/picture.h"
#include "features/tenancy/guild_binding.h"
#include "features/webhooks/webhook_event_store.h"
#include "support/crafted_export.h"
#include "support/pictures.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::refusal_of, test::TestServer;

const TenantId evil_tenant{std::string("evil")};

// An export of the tenant "evil" with records of several kinds, and a server to import it into.
class CraftedExports : public ::testing::TestWithParam<test::Engine> {
 protected:
  CraftedExports() {
    TestServer source(GetParam());
    source.add_tenant("evil");
    puppet = source.add_user("evil", {"TenantAdmin"}, "evil");
    auto evil = source.admin("evil");
    const std::string mug = test::product_with_stock(evil, "MUG", 10);
    order = test::created(evil, "order", test::order_of("1", test::item(mug, 1, 2), R"(,"status":"PAID")"));
    test::created(evil, "discount", R"({"code":"ten","type":"PERCENT","percent":10})");
    test::created(evil, "customer", R"({"chatId":"c1","chatUsername":"eve","chatDisplayName":"Eve"})");
    evil.put("/api/admin/branding", R"({"accentColor":"#123456"})");
    evil.put("/api/admin/settings", R"({"currency":"SEK"})");
    evil.post("/api/admin/roles", R"({"name":"clerk","keys":["data.read"]})");
    source.write([&](Tx& tx) { add_rows(tx); });
    tables = read_tables(source.storage());
    source.stop();
    export_tenant(source.config.database_url, evil_tenant, ExportFormat::ndjson, out, report);
  }

  void add_rows(Tx& tx) const {
    const Instant at{1'700'000'000'000};
    bind_guild(tx, evil_tenant, "evil-guild", at);
    insert_identity(tx, evil_tenant, "chat", "person", UserId(puppet), at);
    WebhookEvent event = manual_event_from(
        {.provider = shipping_webhooks, .event_id = {"evt_1"}, .payload = {R"({"id":"evt_1"})"}, .received_at = at},
        evil_tenant, at);
    event.source = WebhookSource::PROVIDER;
    event.status = WebhookStatus::FAILED;
    insert_webhook_event(tx, event);
  }

  std::string refused(const ImportOptions& options) {
    return refusal_of([&] { import_tenant(target.config.database_url, out, report, options); });
  }
  std::string refused() { return refused(confirmed); }

  // The report of the import, whose server is running again.
  void import_crafted() {
    target.stop();
    import_tenant(target.config.database_url, out, report, confirmed);
    target.restart();
  }

  const ImportOptions confirmed{.chat_servers = {"evil-guild"}};
  test::TemporaryFolder folder;
  const std::filesystem::path out = folder.path / "export";
  std::ostringstream report;
  std::string puppet, order;
  Tables tables;
  test::CraftedExport files{out, tables};
  TestServer target{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Engines, CraftedExports, test::engines, test::engine_name);

struct WrongRow {
  const char *table, *old_text, *new_text, *refusal;
};

// One for each kind of rule; each fails without its rule.
const WrongRow wrong_rows[]{
    {"branding", "#123456", "</style><script>", "accentColor must be a colour such as #1a2b3c"},
    {"tenant_settings", "SEK", "QQQ", "currency unknown currency in the database: QQQ"},
    {"tenants", R"("name":"evil")", R"("name":"")", "name is required"},
    {"products", R"("price_cents":100)", R"("price_cents":-1)", "price_cents An amount of money is below zero"},
    {"products", R"("stock_quantity":9)", R"("stock_quantity":9007199254740992)", "stock_quantity must be an integer"},
    {"products", R"("image":null)",
     R"("image":"{\"url\":\"https://x\",\"thumbnailUrl\":\"\",\"width\":1,\"height\":1}")",
     "image must be a picture that was uploaded"},
    {"products", R"("created_at":)", R"("created_at":999)", "created_at "},
    {"orders", R"(\"quantity\":1)", R"(\"quantity\":-1)", "items[0].quantity must be a positive integer"},
    {"orders", R"(\"quantity\":1,)", R"(\"quantity\":9007199254740991,)", "items "},
    {"orders", R"("items":"[)", R"("items":"[[)", "items The body is not valid JSON."},
    {"orders", R"("status":"PAID")", R"("status":"GIVEN")", "status unknown value in the database: GIVEN"},
    {"orders", R"("shipping_address":null)", R"("shipping_address":"{},\"x\":{}")", "shipping_address The body is not"},
    {"orders", R"(\"quantity\":1,\"isKeys\")", R"(\"quantity\":-5,\"isKeys\")", "stock_taken must not be negative"},
    {"orders", R"("use_counted":false)", R"("use_counted":true)", "use_counted needs a discount"},
    {"orders", R"("pricing":"{)", R"("pricing":"[)", "pricing The body is not valid JSON."},
    {"discounts", R"("percent":1000)", R"("percent":null)", "percent is required when type is PERCENT"},
    {"customers", R"("chat_id":"c1")", R"("chat_id":"c\u0000")", "chat_id must not contain U+0000"},
    {"customers", R"("email":null)", R"("email":"eve")", "email must be a valid email address"},
    {"roles", "data.read", "PlatformAdmin", "keys[0] cannot be part of a role"},
    {"users", R"("avatar_url":null)", R"("avatar_url":"javascript:x")", "avatarUrl must be"},
    {"users", R"("password_hash":null)", R"("password_hash":"$argon2id$v=19$m=65536,t=1500,p=1$c2FsdA$aGFzaA")",
     "password_hash is not an Argon2id hash, or costs more"},
    {"grants", "TenantAdmin", "PlatformAdmin", "key must not be PlatformAdmin, which only the installation can grant"},
    {"grants", R"("user_tenant_id":"evil")", R"("user_tenant_id":"default")",
     "user_tenant_id must not be another tenant"},
    {"identities", R"("provider":"chat")", R"("provider":"configuration")",
     "provider must be chat or tenant-chat: other identities belong to the installation"},
    {"audit_entries", R"("changes":"{)", R"("changes":"[{)", "changes The body is not valid JSON."},
    {"users", R"("chat_id":null)", R"("chat_id":"another")", "the export has a user whose identity is that of another"},
    {"webhook_events", R"("tenant_id":"evil")", R"("tenant_id":"default")",
     "tenant_id must be the tenant of the export"},
    {"orders", R"("tenant_id":"evil","order)", R"("tenant_id":"default","order)",
     "tenant_id must be the tenant of the export"},
};

TEST_P(CraftedExports, are_refused_when_a_row_breaks_the_rules_of_its_type) {
  target.stop();
  for (const WrongRow& wrong : wrong_rows) {
    const std::string rows = files.rows_of(wrong.table);
    files.replace(wrong.table, wrong.old_text, wrong.new_text);
    const std::string refusal = refused();
    EXPECT_NE(refusal, "") << wrong.table << " " << wrong.new_text;
    EXPECT_NE(refusal.find(wrong.refusal), std::string::npos)
        << wrong.table << " " << wrong.new_text << ": " << refusal;
    files.set_rows(wrong.table, rows);
  }
  EXPECT_EQ(refused(), "") << "without any of these it is imported";
}

TEST_P(CraftedExports, are_checked_by_a_dry_run_that_names_everything_and_writes_nothing) {
  const std::string branding = files.rows_of("branding"), orders = files.rows_of("orders");
  files.replace("branding", "#123456", "red");
  files.replace("orders", R"("status":"PAID")", R"("status":"GIVEN")");
  target.stop();
  const std::string refusal = refused({.dry_run = true});
  for (const std::string& sentence :
       {std::string("branding: accentColor must be a colour such as #1a2b3c"),
        fmt::format("orders {}: status unknown value in the database: GIVEN", order),
        std::string("guild_bindings evil-guild: guild_id is bound only if you confirm it: add --chat-server")}) {
    EXPECT_NE(refusal.find(sentence), std::string::npos) << sentence << "\n" << refusal;
  }
  files.set_rows("branding", branding);
  files.set_rows("orders", orders);
  EXPECT_EQ(refused({.chat_servers = {"evil-guild"}, .dry_run = true}), "");
  EXPECT_NE(report.str().find("nothing was written"), std::string::npos) << report.str();
  target.restart();
  EXPECT_EQ(target.admin().get("/api/data/tenant").size("/items"), 1u);
}

TEST_P(CraftedExports, give_nobody_the_id_of_an_administrator) {
  const std::string admin = target.admin().get("/auth/me").text("/session/user/userId");
  target.stop();
  for (const char* table : {"users", "grants", "identities"}) files.replace(table, puppet, admin);
  EXPECT_EQ(refused().find("the export has a user whose id another tenant has here: " + admin), 0u) << refused();
  target.restart();
  EXPECT_EQ(target.admin().get("/api/data/tenant").size("/items"), 1u) << "nothing was left behind";
}

TEST_P(CraftedExports, give_nobody_what_was_granted_to_an_id_elsewhere) {
  auto admin = target.admin();
  ASSERT_EQ(admin.post("/api/data/tenant", R"({"tenantId":"rich","name":"n","ownerUserId":"promised"})").status, 201);
  target.stop();
  for (const char* table : {"users", "grants", "identities"}) files.replace(table, puppet, "promised");
  EXPECT_EQ(refused(), "the export has a user whose id has permissions in another tenant here: promised");
}

// The operator's first sign-in makes the user with this identity PlatformAdmin.
TEST_P(CraftedExports, do_not_become_the_admin_of_the_configuration) {
  TestServer source(GetParam());
  auto admin = source.admin();
  source.stop();
  test::TemporaryFolder other;
  const std::filesystem::path exported = other.path / "export";
  export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::ndjson, exported, report);
  EXPECT_EQ(test::file_text(exported / "identities.ndjson").find("configuration"), std::string::npos);
  EXPECT_EQ(test::file_text(exported / "grants.ndjson").find("PlatformAdmin"), std::string::npos);
}

TEST_P(CraftedExports, replace_no_picture_of_another_shop) {
  auto shop = target.admin();
  const std::string url =
      shop.send("PUT", "/api/admin/branding/logo", test::png_of(test::quarters(9, 9)), {{"Content-Type", "image/png"}})
          .text("/logo/url");
  const std::string picture = shop.get(url).body;
  target.stop();
  files.set_rows(
      "media_files",
      fmt::format(R"({{"tenant_id":"evil","id":"{}","bytes":12,"content":"UklGRgAAAABXRUJQ","created_at":1}})",
                  *media_id(url)) +
          "\n");
  EXPECT_EQ(refused(), "the export has a picture whose id another tenant has here: " + *media_id(url));
  files.replace("media_files", "UklGRg", "PGh0bWw+");
  EXPECT_NE(refused().find("content must be a WebP picture of as many bytes as the row says"), std::string::npos);
  target.restart();
  EXPECT_EQ(target.client().get(url).body, picture);
}

// Shops may share the operator's account at a processor, which knows payments by the id of their order.
TEST_P(CraftedExports, claim_no_order_of_another_shop) {
  auto shop = target.admin();
  const std::string theirs = test::created(shop, "order", test::order_of("1", test::item("p", 1, 1)));
  target.stop();
  files.replace("orders", order, theirs);
  EXPECT_EQ(refused(), "the export has an order whose id another tenant has here: " + theirs);
  target.restart();
  EXPECT_EQ(target.admin().get("/api/data/tenant").size("/items"), 1u) << "nothing was left behind";
}

TEST_P(CraftedExports, bind_no_chat_server_that_is_bound_or_not_confirmed) {
  target.write([&](Tx& tx) { bind_guild(tx, target.config.default_tenant, "their-guild", now()); });
  target.stop();
  EXPECT_NE(refused({}).find("guild_bindings evil-guild: guild_id is bound only if you confirm it"), std::string::npos);
  files.replace("guild_bindings", "evil-guild", "their-guild");
  EXPECT_EQ(refused({.chat_servers = {"their-guild"}}),
            "guild_bindings their-guild: guild_id is bound here already; its present tenant has to release it first");
  files.replace("guild_bindings", "their-guild", "evil-guild");
  target.restart();
  import_crafted();
  EXPECT_NE(report.str().find("the chat server evil-guild is bound to tenant evil now\n"), std::string::npos)
      << report.str();
  target.write(
      [&](Tx& tx) { EXPECT_EQ(tx.one(binding_of_guild("their-guild"))->tenant_id, target.config.default_tenant); });
}

// A member's direct messages belong to the shop that the member joined last, whatever an export says.
TEST_P(CraftedExports, attract_no_direct_messages) {
  const std::string local = target.add_user("default", {}, "default");
  target.write([&](Tx& tx) {
    insert_identity(tx, target.config.default_tenant, "chat", "person", UserId(local), Instant{1'600'000'000'000});
  });
  files.replace("identities", R"("created_at":1700000000000)", R"("created_at":9700000000000)");
  import_crafted();
  target.write([&](Tx& tx) {
    EXPECT_EQ(tx.one(tenant_of_identity("chat", "person"))->tenant_id, target.config.default_tenant);
    EXPECT_EQ(tx.one(user_by_identity(evil_tenant, "chat", "person"))->id.text(), puppet);
  });
}

// No provider has sent the events of an export to this installation.
TEST_P(CraftedExports, bring_no_event_that_is_applied) {
  import_crafted();
  auto evil = target.admin("evil");
  const auto events = evil.get("/api/data/webhook-event");
  ASSERT_EQ(events.size("/items"), 1u);
  EXPECT_EQ(events.text("/items/0/source"), "MANUAL");
  EXPECT_EQ(events.text("/items/0/status"), "IGNORED");
  EXPECT_EQ(evil.patch("/api/data/webhook-event/" + events.text("/items/0/id"), R"({"status":"RECEIVED"})").code(),
            "EVENT_NOT_REPEATABLE");
}

// It is not known here who knows an imported password, so a promotion clears it.
TEST_P(CraftedExports, keep_no_password_over_a_promotion) {
  files.replace("users", R"("password_hash":null)", fmt::format(R"("password_hash":"{}")", hash_password("mine")));
  files.replace("users", R"("password_set_by":null)", fmt::format(R"("password_set_by":"{}")", puppet));
  files.set_rows("grants", "");
  import_crafted();
  target.write([&](Tx& tx) {
    const auto user = tx.one(user_by_id(evil_tenant, UserId(puppet)));
    EXPECT_TRUE(user->password_hash.value);
    EXPECT_FALSE(user->password_set_by.value);
  });
  auto admin = target.admin("evil");
  EXPECT_EQ(admin.put("/api/admin/grants/" + puppet, R"({"keys":["TenantAdmin"]})").status, 200);
  target.write([&](Tx& tx) { EXPECT_FALSE(tx.one(user_by_id(evil_tenant, UserId(puppet)))->password_hash.value); });
}

TEST_P(CraftedExports, invent_no_counts) {
  for (const char* table : {"order_counters", "role_keys", "order_products"}) files.set_rows(table, "");
  files.set_rows("media_usage", R"({"tenant_id":"evil","bytes":-1,"deleted":true})"
                                "\n");
  import_crafted();
  auto evil = target.admin("evil");
  EXPECT_EQ(evil.get("/api/data/order/open/summary").integer("/byStatus/PAID"), 1)
      << evil.get("/api/data/order/open/summary").body;
  EXPECT_EQ(
      evil.send("PUT", "/api/admin/branding/logo", test::png_of(test::quarters(9, 9)), {{"Content-Type", "image/png"}})
          .status,
      200);
}

TEST_P(CraftedExports, exceed_no_limit_of_a_tenant) {
  target.stop();
  std::string periods, roles;
  for (int i = 0; i < 2001; ++i) {
    periods += fmt::format(
        R"({{"id":"p{0}","tenant_id":"evil","membership_id":"m","product_id":"x","kind":"PAID","order_id":null,)"
        R"("code_id":null,"gifted_by":null,"months":1,"days":0,"value_cents":1,"currency":"USD","paid_at":1,)"
        R"("refunded_at":null,"list_months":1,"list_days":0,"list_cents":1,"grace_days":0,"source_key":"s{0}",)"
        R"("time_zone":"UTC"}})"
        "\n",
        i);
  }
  for (int i = 0; i < 51; ++i) {
    roles += fmt::format(R"({{"tenant_id":"evil","name":"r{}","description":null,"keys":"[\"data.read\"]",)"
                         R"("created_at":1,"updated_at":1,"version":1}})"
                         "\n",
                         i);
  }
  files.set_rows("membership_periods", periods);
  files.set_rows("roles", roles);
  const std::string refusal = refused();
  for (const char* sentence : {"roles: a tenant can have at most 50",
                               "the export has a membership with more periods or changes than it may have: m"}) {
    EXPECT_NE(refusal.find(sentence), std::string::npos) << refusal;
  }
}

TEST_P(CraftedExports, bring_no_work_and_no_tokens_to_this_installation) {
  target.stop();
  const std::string manifest = test::file_text(out / "manifest.json");
  for (const std::string table : {"outbox_messages", "api_tokens", "invitations", "password_resets"}) {
    files.set_rows(table, "");
    EXPECT_EQ(refused(), "no tenant's export has the table " + table);
    std::filesystem::remove(out / (table + ".ndjson"));
    std::ofstream(out / "manifest.json", std::ios::binary) << manifest;
  }
  files.set_rows("billing_invoices",
                 R"({"tenant_id":"evil","invoice_id":"i","customer_id":null,"paid_at":1,"payment_intent_id":null,)"
                 R"("intent_at":1,"failure_message":null,"failed_at":null,"created_at":1,"updated_at":1,"version":1})"
                 "\n");
  EXPECT_EQ(refused(), "no tenant's export has the table billing_invoices");
}

TEST_P(CraftedExports, with_a_broken_manifest_or_line_are_refused) {
  target.stop();
  const std::string manifest = test::file_text(out / "manifest.json");
  for (const char* text :
       {"", "[]", "{}", R"({"tenant":"../x","tables":{}})", R"({"tenant":"evil","tables":{"orders":1}})",
        R"({"tenant":"evil","tables":{"orders":{"rows":1,"sum":"z"}}})"}) {
    std::ofstream(out / "manifest.json", std::ios::binary) << text;
    EXPECT_EQ(refused().find("manifest.json "), 0u) << text;
  }
  std::ofstream(out / "manifest.json", std::ios::binary) << R"({"tenant":"evil","tables":{}})";
  EXPECT_EQ(refused(), "the export does not have the tenant itself");
  std::ofstream(out / "manifest.json", std::ios::binary) << manifest;
  for (const std::string& line : {std::string("x"), std::string("{}"), std::string(5 << 20, '[')}) {
    std::ofstream(out / "products.ndjson", std::ios::binary) << line << "\n";
    EXPECT_NE(refused().find("products"), std::string::npos);
  }
}

class ImportRules : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Engines, ImportRules, test::engines, test::engine_name);

// A new table or column is imported only after it has a type that checks it.
TEST_P(ImportRules, cover_every_column_of_every_table) {
  TestServer server(GetParam());
  const Tables tables = read_tables(server.storage());
  for (const auto& table : tables) {
    const ImportRule* rule = import_rule(table->name);
    const bool of_platform = table->name == "billing_accounts" || table->name == "billing_invoices";
    EXPECT_EQ(rule == nullptr, stays_with_installation(*table) || of_platform) << table->name;
    if (rule == nullptr || rule->is_derived) continue;
    for (const TableColumn& column : table->columns) {
      EXPECT_NE(std::ranges::find(rule->fields, column.name, &Field::column), rule->fields.end())
          << table->name << "." << column.name;
    }
  }
}

}  // namespace
}  // namespace guildhall
