#include "features/media/branding.h"

#include <gtest/gtest.h>
#include <random>

#include "features/tenancy/tenant.h"
#include "storage/migrations.h"
#include "support/pictures.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

TEST(TextColors, can_be_read_on_every_accent_colour) {
  EXPECT_EQ(text_color_on("#ffffff"), "#000000");
  EXPECT_EQ(text_color_on("#000000"), "#ffffff");
  EXPECT_EQ(text_color_on("#ffd400"), "#000000");
  EXPECT_EQ(text_color_on("#3d3fb8"), "#ffffff");
  EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 0.01);
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string color = fmt::format("#{:06x}", random() & 0xffffff);
    EXPECT_GE(contrast(color, text_color_on(color)), 4.5) << color;
  }
}

class ShopBranding : public test::OnEachPair {
 protected:
  test::HttpReply put_logo(test::HttpClient& client, const std::string& bytes) {
    return client.send("PUT", "/api/admin/branding/logo", bytes, {{"Content-Type", "image/png"}});
  }
  test::CheckedClient shop = server.admin();
  const std::string path = "/api/admin/branding";
};
INSTANTIATE_TEST_SUITE_P(Pairs, ShopBranding, test::engines, test::engine_name);

TEST_P(ShopBranding, is_empty_at_first_and_changed_field_by_field) {
  const auto none = shop.get(path);
  ASSERT_EQ(none.status, 200) << none.body;
  EXPECT_NE(none.text("/shopName"), "") << "the tenant's name";
  for (const char* field : {"/name", "/accentColor", "/textColor", "/logo"}) EXPECT_TRUE(none.is_null(field)) << field;

  const auto named = shop.put(path, R"({"name":"The Guild Store","accentColor":"#FFD400"})", {{"If-Match", "\"0\""}});
  ASSERT_EQ(named.status, 200) << named.body;
  EXPECT_EQ(named.text("/shopName"), "The Guild Store");
  EXPECT_EQ(named.text("/accentColor"), "#ffd400");
  EXPECT_EQ(named.text("/textColor"), "#000000");
  EXPECT_EQ(shop.get(path).body, named.body);
  EXPECT_EQ(shop.put(path, R"({"name":"x"})", {{"If-Match", "\"0\""}}).status, 412);

  const auto plain = shop.put(path, R"({"name":null})");
  EXPECT_EQ(plain.text("/shopName"), none.text("/shopName"));
  EXPECT_EQ(plain.text("/accentColor"), "#ffd400") << "absent fields stay";
  EXPECT_TRUE(shop.put(path, R"({"accentColor":null})").is_null("/textColor"));
}

TEST_P(ShopBranding, has_the_name_of_the_tenant) {
  shop.put(path, R"({"name":"The Mug Guild"})");
  EXPECT_EQ(shop.get("/api/data/tenant/default").text("/name"), "The Mug Guild");
  EXPECT_EQ(shop.get("/auth/tenants").text("/items/0/name"), "The Mug Guild");
  const auto read = shop.get(path);
  shop.patch("/api/data/tenant/default", R"({"name":"The Cup Guild"})");
  EXPECT_EQ(shop.get(path).text("/name"), "The Cup Guild");
  EXPECT_EQ(shop.get(path).text("/shopName"), "The Cup Guild");
  EXPECT_EQ(shop.put(path, R"({"name":"x"})", {{"If-Match", read.header("etag")}}).status, 412)
      << "the name has changed";

  const std::string token =
      shop.post("/api/admin/tokens", R"({"name":"script","keys":["admin.access"]})").text("/token");
  auto program = server.client();
  const test::HttpHeaders bearer{{"Authorization", "Bearer " + token}};
  EXPECT_EQ(program.put(path, R"({"name":"x"})", bearer).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.put(path, R"({"accentColor":"#112233"})", bearer).status, 200);
}

class ShopNameMigration : public test::OnEachEngine {};
INSTANTIATE_TEST_SUITE_P(Engines, ShopNameMigration, test::engines, test::engine_name);

TEST_P(ShopNameMigration, makes_the_name_that_buyers_saw_that_of_the_tenant) {
  const auto all = migrations();
  const auto step =
      std::ranges::find_if(all, [](const Migration& each) { return each.name.ends_with("one_shop_name"); });
  ASSERT_NE(step, all.end());
  migrate(*storage, all.first(static_cast<std::size_t>(step - all.begin())));
  static const Sql tenants(
      "INSERT INTO tenants (tenant_id, name, owner_user_id, created_at, updated_at, version) VALUES"
      " ('a', 'default', '', 1, 1, 3), ('b', 'Plain', '', 1, 1, 1)");
  static const Sql branded(
      "INSERT INTO branding (tenant_id, name, updated_at, version) VALUES ('a', 'The Mug Guild', 1, 2), ('b', NULL, 1, "
      "1)");
  storage->write_now([](Tx& tx) {
    tx.run({&tenants, {}});
    tx.run({&branded, {}});
  });
  migrate(*storage);
  storage->write_now([](Tx& tx) {
    const auto a = tx.one(tenant_by_id(TenantId(std::string("a")))),
               b = tx.one(tenant_by_id(TenantId(std::string("b"))));
    EXPECT_EQ(a->name, "The Mug Guild");
    EXPECT_EQ(a->version, 4);
    EXPECT_EQ(b->name, "Plain");
    EXPECT_FALSE(tx.one(branding_of(TenantId(std::string("a"))))->name);
  });
}

TEST_P(ShopBranding, refuses_what_is_no_colour_or_name) {
  for (const char* color : {"red", "#fff", "#12345g", "#1234567", "123456", ""}) {
    const auto reply = shop.put(path, fmt::format(R"({{"accentColor":"{}","name":5}})", color));
    EXPECT_EQ(reply.status, 400) << color;
    EXPECT_EQ(reply.wrong_fields(), (std::vector<std::string>{"accentColor", "name"})) << color;
  }
}

TEST_P(ShopBranding, has_a_logo_that_is_replaced_and_deleted) {
  const auto first = put_logo(shop, test::png_of(test::quarters(600, 300)));
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(first.integer("/logo/width"), 600);
  EXPECT_EQ(shop.get(first.text("/logo/url")).status, 200);
  const auto second = put_logo(shop, test::png_of(test::quarters(50, 50)));
  EXPECT_EQ(shop.get(first.text("/logo/url")).status, 404);
  EXPECT_EQ(shop.get(first.text("/logo/thumbnailUrl")).status, 404);
  EXPECT_EQ(shop.get(second.text("/logo/url")).status, 200);
  EXPECT_EQ(shop.del(path + "/logo").status, 204);
  EXPECT_EQ(shop.del(path + "/logo").status, 204) << "there is none any more";
  EXPECT_EQ(shop.get(second.text("/logo/url")).status, 404);
  EXPECT_TRUE(shop.get(path).is_null("/logo"));
}

TEST_P(ShopBranding, is_read_by_staff_and_changed_by_admins_of_the_same_shop) {
  server.add_tenant("another");
  auto staff = server.member("default", "TenantStaff");
  auto other = server.admin("another");
  shop.put(path, R"({"name":"Mine","accentColor":"#112233"})");
  EXPECT_EQ(staff.get(path).text("/name"), "Mine");
  EXPECT_EQ(staff.put(path, R"({"name":"x"})").status, 403);
  EXPECT_EQ(put_logo(staff, test::png_of(test::quarters(9, 9))).status, 403);
  EXPECT_TRUE(other.get(path).is_null("/name")) << "nobody has named it";
  EXPECT_EQ(other.del(path + "/logo").status, 204);
  EXPECT_EQ(shop.get(path).text("/name"), "Mine");
}

}  // namespace
}  // namespace guildhall
