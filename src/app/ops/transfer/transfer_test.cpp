#include "app/ops/transfer/transfer.h"

#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include "app/ops/transfer/row_text.h"
#include "features/payments/payment_store.h"
#include "storage/storage.h"
#include "support/crafted_export.h"
#include "support/pictures.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

// Records of every kind, with text that must be quoted correctly.
void fill(test::TestServer& server) {
  auto shop = server.admin();
  const std::string mug = test::product_with_stock(shop, "MUG", 1000);
  test::created(shop, "discount", R"({"code":"ten","type":"PERCENT","percent":10})");
  for (int i = 0; i < 12; ++i) {
    test::created(shop, "order",
                  test::order_of(fmt::format("{}, \\\"quoted\\\"\\r\\nÄ", i), test::item(mug, 2, 333),
                                 R"(,"discountCode":"TEN","notes":null)"));
  }
}

using test::file_text, test::refusal_of;

class Transfers : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::Engine other() const {
    return GetParam() == test::Engine::sqlite ? test::Engine::postgresql : test::Engine::sqlite;
  }
  test::TemporaryFolder folder;
  std::ostringstream report;
};
INSTANTIATE_TEST_SUITE_P(Engines, Transfers, test::engines, test::engine_name);

TEST_P(Transfers, move_a_tenant_from_one_engine_to_the_other) {
  test::TestServer source(GetParam());
  fill(source);
  auto shop = source.admin();
  test::created(shop, "order", test::order_of("paid", test::item("p", 3, 7), R"(,"status":"PAID","customerId":"c")"));
  const std::string sales = shop.get("/api/admin/reports/sales").body;
  const std::string orders = source.admin().get("/api/data/order?limit=200").body;
  const std::string summary = source.admin().get("/api/data/order/open/summary").body;
  const std::filesystem::path out = folder.path / "export";
  const std::string url = source.config.database_url;
  source.stop();
  export_tenant(url, source.config.default_tenant, ExportFormat::ndjson, out, report);

  test::FreshDatabase target(other());
  import_tenant(target.url, out, report);
  test::TestServer moved(other(), {{"DATABASE_URL", target.url}});
  EXPECT_EQ(moved.admin().get("/api/data/order?limit=200").body, orders);
  EXPECT_EQ(moved.admin().get("/api/data/order/open/summary").body, summary);
  EXPECT_EQ(moved.admin().get("/api/admin/reports/sales").body, sales);
  EXPECT_EQ(moved.admin().get("/api/admin/reports/customers").integer("/totals/newCustomers"), 1);
  EXPECT_EQ(moved.admin().get("/api/data/product").integer("/items/0/stockQuantity"), 976);
  moved.stop();
  EXPECT_EQ(refusal_of([&] { import_tenant(target.url, out, report); }).find("tenant default has "), 0u);
}

// Pictures move with their tenant, also those that are stored in a folder; they are then stored in the database.
TEST_P(Transfers, keep_pictures_branding_and_settings) {
  for (const bool in_folder : {false, true}) {
    test::TemporaryFolder files;
    const std::string media = in_folder ? (files.path / "media").string() : "";
    test::TestServer source(GetParam(), {{"MEDIA_DIR", media}});
    auto shop = source.admin();
    const std::string path = "/api/data/product/" + test::product_with_stock(shop, "MUG", 1);
    const std::string bytes = test::png_of(test::quarters(500, 100));
    const auto product = shop.send("PUT", path + "/image", bytes, {{"Content-Type", "image/png"}});
    shop.send("PUT", "/api/admin/branding/logo", bytes, {{"Content-Type", "image/png"}});
    const auto branding = shop.put("/api/admin/branding", R"({"accentColor":"#123456"})");
    const auto settings = shop.put("/api/admin/settings", R"({"currency":"SEK","timeZone":"Europe/Stockholm"})");
    std::map<std::string, std::string> pictures;
    for (const std::string& url : {product.text("/image/url"), product.text("/image/thumbnailUrl"),
                                   branding.text("/logo/url"), branding.text("/logo/thumbnailUrl")}) {
      pictures[url] = shop.get(url).body;
    }
    source.stop();
    const std::filesystem::path out = files.path / "export";
    export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::ndjson, out, report, media);
    test::FreshDatabase target(other()), copied(other());
    import_tenant(target.url, out, report);
    copy_installation(source.config.database_url, copied.url, report);

    test::TestServer moved(other(), {{"DATABASE_URL", target.url}});
    test::TestServer copy(other(), {{"DATABASE_URL", copied.url}, {"MEDIA_DIR", media}});
    for (test::TestServer* server : {&moved, &copy}) {
      EXPECT_EQ(server->admin().get(path).body, product.body);
      EXPECT_EQ(server->admin().get("/api/admin/branding").body, branding.body);
      EXPECT_EQ(server->admin().get("/api/admin/settings").body, settings.body);
      for (const auto& [url, picture] : pictures) EXPECT_EQ(server->client().get(url).body, picture);
    }
    EXPECT_EQ(moved.admin().del(path + "/image").status, 204);
  }
}

TEST_P(Transfers, refuse_an_export_that_was_changed_and_leave_nothing_behind) {
  test::TestServer source(GetParam());
  fill(source);
  source.stop();
  const std::filesystem::path out = folder.path / "export";
  export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::ndjson, out, report);
  std::string products = file_text(out / "products.ndjson");
  products.replace(products.find("\"stock_quantity\":976"), 20, "\"stock_quantity\":977");
  std::ofstream(out / "products.ndjson", std::ios::binary) << products;

  test::FreshDatabase target(other());
  EXPECT_EQ(refusal_of([&] { import_tenant(target.url, out, report); }), "products is not as it was exported");
  test::TestServer empty(other(), {{"DATABASE_URL", target.url}});
  EXPECT_EQ(empty.admin().get("/api/data/customer").body, "[]");
  EXPECT_EQ(empty.admin().get("/api/data/order").size("/items"), 0u);
}

TEST_P(Transfers, leave_imported_payments_to_accounts_of_the_tenant) {
  test::TestServer source(GetParam());
  source.write([&](Tx& tx) {
    Payment payment;
    payment.id = PaymentId(std::string("p1"));
    payment.tenant_id.value = source.config.default_tenant;
    payment.provider = PaymentProvider("APPPAY");
    payment.provider_payment_id = "SO1";
    payment.status = PaymentStatus::PAID;
    payment.opened_with.value = AccountOwner::OPERATOR;
    EXPECT_TRUE(insert_payment(tx, payment));
  });
  source.stop();
  const std::filesystem::path out = folder.path / "export";
  export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::ndjson, out, report);

  test::FreshDatabase target(other());
  import_tenant(target.url, out, report);
  const auto storage = open_storage({.url = target.url});
  storage->write_now([&](Tx& tx) {
    const auto payment = tx.one(payment_by_id(source.config.default_tenant, PaymentId(std::string("p1"))));
    ASSERT_TRUE(payment.has_value());
    EXPECT_EQ(payment->opened_with.value, AccountOwner::TENANT) << "this installation's operator has not opened it";
  });
}

TEST_P(Transfers, write_csv_that_a_spreadsheet_reads) {
  test::TestServer source(GetParam());
  fill(source);
  source.stop();
  const std::filesystem::path out = folder.path / "export";
  export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::csv, out, report);
  const std::string orders = file_text(out / "orders.csv");
  EXPECT_TRUE(orders.starts_with("id,tenant_id,order_number,status,"));
  EXPECT_NE(orders.find("\"0, \"\"quoted\"\"\r\nÄ\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(out / "outbox_messages.csv"));
  const auto export_nobody = [&] {
    export_tenant(source.config.database_url, TenantId(std::string("nobody")), ExportFormat::csv, folder.path / "none",
                  report);
  };
  EXPECT_EQ(refusal_of(export_nobody), "There is no tenant nobody in this database.");
  EXPECT_FALSE(std::filesystem::exists(folder.path / "none"));
}

// A member chooses their own name, and an admin opens the file.
TEST(CsvLine, makes_no_text_a_formula_and_leaves_numbers) {
  for (const std::string text : {"=HYPERLINK(\"http://x\")", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"}) {
    const std::string quoted = std::string(csv_line({text})).substr(0, 2);
    EXPECT_EQ(quoted, "\"'") << text;
  }
  EXPECT_EQ(csv_line({std::int64_t{-5}, std::string("a-b"), Value(), true}), "-5,\"a-b\",,true\r\n");
}

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  ::stat(path.c_str(), &found);
  return found.st_mode & 0777;
}

TEST_P(Transfers, export_beside_a_running_server_for_the_owner_alone) {
  test::TestServer source(GetParam());
  fill(source);
  const mode_t umask_before = ::umask(0);
  const std::filesystem::path out = folder.path / "exports" / "today";
  export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::ndjson, out, report);
  ::umask(umask_before);
  EXPECT_EQ(source.admin().get("/api/data/order").size("/items"), 12u) << "the server goes on";
  EXPECT_EQ(mode_of(out), 0700u);
  EXPECT_EQ(mode_of(out.parent_path()), 0700u);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    EXPECT_EQ(mode_of(entry.path()), 0600u) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 10);
  EXPECT_TRUE(std::filesystem::exists(out / "manifest.json"));
}

TEST_P(Transfers, overwrite_no_earlier_export) {
  test::TestServer source(GetParam());
  const std::filesystem::path out = folder.path / "export";
  const auto export_again = [&] {
    export_tenant(source.config.database_url, source.config.default_tenant, ExportFormat::ndjson, out, report);
  };
  std::filesystem::create_directories(out);
  std::filesystem::permissions(out, std::filesystem::perms::all);
  EXPECT_EQ(refusal_of(export_again), "") << "an empty folder will do";
  EXPECT_EQ(mode_of(out), 0700u);
  const std::string before = file_text(out / "manifest.json");
  source.add_tenant("another");
  EXPECT_NE(refusal_of(export_again).find("is not empty"), std::string::npos);
  EXPECT_EQ(file_text(out / "manifest.json"), before);
}

TEST_P(Transfers, refuse_to_copy_from_what_is_no_installation_and_create_nothing) {
  const std::filesystem::path target = folder.path / "target.db";
  const auto copied_from = [&](const std::string& url) {
    return refusal_of([&] { copy_installation(url, "sqlite:" + target.string(), report); });
  };
  test::FreshDatabase empty(GetParam());
  if (GetParam() == test::Engine::sqlite) {
    EXPECT_EQ(copied_from(empty.url), fmt::format("There is no database file {}.", empty.url.substr(7)));
    EXPECT_FALSE(std::filesystem::exists(empty.url.substr(7)));
    open_storage({.url = empty.url});
  }
  EXPECT_NE(copied_from(empty.url).find("not one of Guildhall's"), std::string::npos) << copied_from(empty.url);
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_P(Transfers, copy_every_row_as_it_is_grants_of_platform_admins_included) {
  test::TestServer source(GetParam());
  static const Sql grant(
      "INSERT INTO grants (tenant_id, user_id, key, created_at) VALUES ('default', 'u', 'PlatformAdmin', 1)");
  static const Sql held("SELECT COUNT(*) FROM grants WHERE user_id = 'u' AND key = 'PlatformAdmin'");
  source.write([](Tx& tx) { tx.run({&grant, {}}); });
  test::FreshDatabase target(other());
  copy_installation(source.config.database_url, target.url, report);  // the server still runs
  std::int64_t found = 0;
  open_read_only(target.url)->read([&](Tx& tx) {
    tx.run({&held, {}}, [&](const Row& row) { found = row.integer(0); });
  });
  EXPECT_EQ(found, 1);
}

TEST_P(Transfers, copy_a_whole_installation_to_the_other_engine) {
  test::TestServer source(GetParam());
  fill(source);
  source.add_tenant("another");
  auto neighbour = source.admin("another");
  test::created(neighbour, "order", test::order_of("1", test::item("p", 1, 1)));
  const std::string orders = source.admin().get("/api/data/order?limit=200").body;
  source.stop();
  test::FreshDatabase target(other());
  copy_installation(source.config.database_url, target.url, report);
  EXPECT_NE(report.str().find("orders: 13 rows, sum "), std::string::npos) << report.str();
  const auto copy_again = [&] { copy_installation(source.config.database_url, target.url, report); };
  EXPECT_EQ(refusal_of(copy_again).find("The target is not empty"), 0u);
  test::TestServer moved(other(), {{"DATABASE_URL", target.url}});
  EXPECT_EQ(moved.admin().get("/api/data/order?limit=200").body, orders);
  EXPECT_EQ(moved.admin("another").get("/api/data/order").size("/items"), 1u);
}

}  // namespace
}  // namespace guildhall
