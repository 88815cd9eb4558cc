#include <sstream>

#include "audit/audit_chain.h"
#include "features/fund/fund_store.h"
#include "features/reports/report_rebuild.h"
#include "outbox/message_store.h"
#include "sandbox/commands.h"
#include "support/shop.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

const TenantId shop_tenant{std::string("default")};

class DemoShop : public test::OnEachPair {
 protected:
  std::string fill(std::optional<std::size_t> orders) {
    std::ostringstream out;
    server.stop();
    fill_demo_shop(server.config, orders, out);
    server.restart();
    return out.str();
  }

  std::int64_t audit_entries() {
    std::int64_t count = 0;
    server.storage().read_now([&](Tx& tx) {
      const ChainReport report = verify_chain(tx, shop_tenant);
      EXPECT_FALSE(report.problem) << *report.problem;
      count = report.sealed + report.waiting;
    });
    return count;
  }

  // Everything that is derived from the records is as if the server itself had made them.
  void verify() {
    server.storage().read_now([&](Tx& tx) {
      std::ostringstream report;
      EXPECT_TRUE(verify_funds(tx, shop_tenant, report)) << report.str();
      const ReportCorrections corrections = compare_reports(tx, shop_tenant);
      EXPECT_EQ(corrections.differences(), 0);
      EXPECT_TRUE(corrections.is_built);
      EXPECT_TRUE(outbox::depth_by_topic(tx).empty()) << "a message would be sent for something in the past";
    });
  }

  static std::int64_t total_of(test::HttpClient& admin, const std::string& list) {
    const char joint = list.find('?') == std::string::npos ? '?' : '&';
    return admin.get(fmt::format("{}{}limit=1&total=true", list, joint)).integer("/total");
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, DemoShop, test::engines, test::engine_name);

TEST_P(DemoShop, has_something_to_show_everywhere) {
  fill(std::nullopt);
  verify();
  auto admin = server.admin();
  EXPECT_EQ(total_of(admin, "/api/data/order"), 420);
  for (const char* status : {"PENDING_PAYMENT", "PAID", "FULFILLING", "SHIPPED", "COMPLETE", "CANCELLED", "REFUNDED"}) {
    EXPECT_GT(total_of(admin, fmt::format("/api/data/order?status={}", status)), 0) << status;
  }
  EXPECT_EQ(total_of(admin, "/api/data/customer"), 40);
  EXPECT_EQ(total_of(admin, "/api/data/product"), 14);
  EXPECT_EQ(total_of(admin, "/api/data/product?isMembership=true"), 2);
  EXPECT_GT(total_of(admin, "/api/admin/memberships?status=ACTIVE"), 5);
  EXPECT_GE(total_of(admin, "/api/data/product?stock=low"), 3);
  EXPECT_GT(total_of(admin, "/api/admin/payments?attention=true"), 0);
  EXPECT_GT(total_of(admin, "/api/data/shipment?status=SHIPPED"), 0);
  EXPECT_GT(total_of(admin, "/api/data/entitlement?status=GRANTED&type=CHAT_ROLE"), 0);
  EXPECT_EQ(total_of(admin, "/api/data/entitlement?status=FAILED"), 1);
  EXPECT_EQ(total_of(admin, "/api/data/entitlement?status=PENDING"), 0);
  const auto branding = admin.get("/api/admin/branding");
  EXPECT_EQ(branding.text("/shopName"), "Lantern Guild");
  const auto settings = admin.get("/api/admin/settings");
  EXPECT_EQ(settings.text("/orderNumberPrefix"), "LG-") << "the bot's orders go on with the demo's numbers";
  EXPECT_EQ(settings.integer("/orderNumberNext"), 1421);
  const auto products = admin.get("/api/data/product?limit=200");
  for (std::size_t i = 0; i < products.size("/items"); ++i) {
    const std::string path = products.text(fmt::format("/items/{}/image/thumbnailUrl", i));
    EXPECT_EQ(admin.get(path).header("content-type"), "image/webp") << path;
  }
  const auto sales = admin.get("/api/admin/reports/sales?interval=month");
  EXPECT_GT(sales.integer("/totals/refundCents"), 0) << sales.body;
  EXPECT_GT(sales.integer("/totals/taxCents"), 0);
  EXPECT_GT(admin.get("/api/admin/community-fund/balance").integer("/totalDisbursedCents"), 0);
}

TEST_P(DemoShop, is_made_once) {
  fill(std::nullopt);
  const std::int64_t entries = audit_entries();
  fill(std::nullopt);
  fill(100);
  EXPECT_EQ(audit_entries(), entries);
}

TEST_P(DemoShop, grows_to_the_wanted_number_of_orders) {
  fill(60);
  auto first = server.admin();
  EXPECT_EQ(total_of(first, "/api/data/order"), 60);
  fill(720);
  auto admin = server.admin();
  EXPECT_EQ(total_of(admin, "/api/data/order"), 720);
  EXPECT_EQ(total_of(admin, "/api/data/customer"), 60);
  verify();
  const std::int64_t entries = audit_entries();
  fill(720);
  EXPECT_EQ(audit_entries(), entries);
}

// A server that uses the sandbox, which knows nothing of the demo shop's past.
class SandboxedDemoShop : public ::testing::TestWithParam<test::Engine> {
 protected:
  static std::map<std::string, std::string> variables(const test::TestSandbox& sandbox) {
    auto all = sandbox.environment();
    all["SERVICE_ENV"] = "development";
    return all;
  }

  test::TestSandbox sandbox;
  test::TestServer server{GetParam(), variables(sandbox)};
};
INSTANTIATE_TEST_SUITE_P(Pairs, SandboxedDemoShop, test::engines, test::engine_name);

TEST_P(SandboxedDemoShop, has_orders_whose_money_its_processors_return) {
  std::ostringstream out;
  server.stop();
  fill_demo_shop(server.config, 60, out);
  server.restart();
  auto admin = server.admin();
  for (const char* method : {"WALLET", "APPPAY"}) {
    SCOPED_TRACE(method);
    const auto orders = admin.get(fmt::format("/api/data/order?status=COMPLETE&paymentMethod={}", method));
    const std::string path = "/api/data/order/" + orders.text("/items/0/id");
    const auto part = admin.post(path + "/refund", R"({"amountCents":100})");
    EXPECT_EQ(part.text("/refunds/0/status"), "DONE") << part.body;
    const auto rest = admin.post(path + "/refund", "{}");
    EXPECT_EQ(rest.text("/orderStatus"), "REFUNDED") << rest.body;
  }
  EXPECT_EQ(sandbox.calls("card", "/v2/refunds").size(), 2U);
  EXPECT_EQ(sandbox.calls("wallet", "/v2/payments/captures/*/refund").size(), 2U);
}

TEST_P(DemoShop, is_not_mixed_with_records_of_a_real_shop) {
  auto before = server.admin();
  test::created(before, "product", R"({"name":"Own","sku":"OWN","priceCents":1})");
  EXPECT_NE(fill(std::nullopt).find("records of its own"), std::string::npos);
  auto admin = server.admin();
  EXPECT_EQ(total_of(admin, "/api/data/product"), 1);
  EXPECT_EQ(total_of(admin, "/api/data/order"), 0);
}

}  // namespace
}  // namespace guildhall
