// Requests of web pages from other origins.
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpHeaders, test::HttpReply;

class CrossOrigin : public test::OnEachPair {
 protected:
  static std::string token_of(CheckedClient& admin) {
    return admin.post("/api/admin/tokens", R"({"name":"page","keys":["data.read","data.write"]})").text("/token");
  }
  static HttpReply list_origins(CheckedClient& admin, const std::string& origins) {
    return admin.put("/api/admin/settings", fmt::format(R"({{"allowedOrigins":{}}})", origins));
  }
  static std::string allowed(const HttpReply& reply) { return reply.header("access-control-allow-origin"); }
  static HttpHeaders from(const std::string& origin, const std::string& token) {
    return {{"Origin", origin}, {"Sec-Fetch-Site", "cross-site"}, {"Authorization", "Bearer " + token}};
  }
  HttpReply preflight(const std::string& path, const std::string& origin) {
    return browser.send("OPTIONS", path, "",
                        {{"Origin", origin},
                         {"Access-Control-Request-Method", "POST"},
                         {"Access-Control-Request-Headers", "authorization, content-type"}});
  }

  const std::string shop = "https://shop.example.com";
  CheckedClient admin = server.admin();
  CheckedClient page = server.client();
  test::HttpClient browser{page};  // sends preflights, which the description of the API does not have
};
INSTANTIATE_TEST_SUITE_P(Pairs, CrossOrigin, test::engines, test::engine_name);

TEST_P(CrossOrigin, pages_of_listed_origins_read_replies_to_requests_with_a_token) {
  ASSERT_EQ(list_origins(admin, R"(["https://shop.example.com"])").status, 200);
  const std::string token = token_of(admin);
  const HttpReply read = page.get("/api/data/product", from(shop, token));
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(allowed(read), shop);
  EXPECT_EQ(read.header("vary"), "Origin");
  EXPECT_NE(read.header("access-control-expose-headers").find("ETag"), std::string::npos);
  EXPECT_EQ(read.header("access-control-allow-credentials"), "");
  const HttpReply made =
      page.post("/api/data/product", R"({"name":"Mug","sku":"M","priceCents":1})", from(shop, token));
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(allowed(made), shop);
  EXPECT_EQ(allowed(page.get("/api/data/product/unknown", from(shop, token))), shop) << "errors can be read, too";
  EXPECT_EQ(allowed(page.get("/api/data/product", from("https://other.example.com", token))), "");
  EXPECT_EQ(allowed(page.get("/api/data/product", from("https://shop.example.com.evil.example", token))), "");
  EXPECT_EQ(allowed(page.get("/api/data/product", from("null", token))), "");
  EXPECT_EQ(allowed(page.get("/api/data/product", from(shop, "wrong"))), "");
  ASSERT_EQ(list_origins(admin, "null").status, 200);
  EXPECT_EQ(allowed(page.get("/api/data/product", from(shop, token))), "") << "it is not listed any more";
}

TEST_P(CrossOrigin, a_request_with_a_cookie_is_never_readable) {
  ASSERT_EQ(list_origins(admin, R"(["https://shop.example.com"])").status, 200);
  EXPECT_EQ(allowed(admin.get("/api/data/product", {{"Origin", shop}})), "");
  const std::string token = token_of(admin);
  EXPECT_EQ(allowed(admin.get("/api/data/product", from(shop, token))), "") << "with a token and a cookie";
  EXPECT_EQ(admin
                .post("/api/data/product", R"({"name":"Mug","sku":"M","priceCents":1})",
                      {{"Origin", shop}, {"Sec-Fetch-Site", "cross-site"}})
                .status,
            403);
}

TEST_P(CrossOrigin, the_list_of_another_tenant_gives_nothing) {
  server.add_tenant("another");
  CheckedClient neighbour = server.admin("another");
  ASSERT_EQ(list_origins(neighbour, R"(["https://shop.example.com"])").status, 200);
  EXPECT_EQ(allowed(page.get("/api/data/product", from(shop, token_of(admin)))), "");
  EXPECT_EQ(allowed(page.get("/api/data/product", from(shop, token_of(neighbour)))), shop);
  EXPECT_EQ(allowed(page.get("/api/community-fund/default/public", {{"Origin", shop}})), "");
  EXPECT_EQ(allowed(page.get("/api/community-fund/another/public", {{"Origin", shop}})), shop);
  EXPECT_EQ(page.get("/api/community-fund/another/public").header("vary"), "Origin") << "for caches";
  EXPECT_EQ(allowed(page.get("/healthz", {{"Origin", shop}})), "");
}

TEST_P(CrossOrigin, a_preflight_is_answered_for_listed_origins_only) {
  ASSERT_EQ(list_origins(admin, R"(["https://shop.example.com"])").status, 200);
  const HttpReply reply = preflight("/api/data/order", shop);
  EXPECT_EQ(reply.status, 204);
  EXPECT_EQ(allowed(reply), shop);
  EXPECT_EQ(reply.header("access-control-allow-methods"), "POST, GET, HEAD");
  EXPECT_NE(reply.header("access-control-allow-headers").find("Authorization"), std::string::npos);
  EXPECT_NE(reply.header("access-control-allow-headers").find("Idempotency-Key"), std::string::npos);
  EXPECT_NE(reply.header("vary").find("Origin"), std::string::npos);
  EXPECT_EQ(reply.header("access-control-allow-credentials"), "");
  const HttpReply other = preflight("/api/data/order", "https://other.example.com");
  EXPECT_EQ(other.status, 405);
  EXPECT_EQ(allowed(other), "");
  EXPECT_EQ(preflight("/auth/local/login", shop).status, 405) << "people sign in on our own pages";
  EXPECT_EQ(preflight("/api/unknown", shop).status, 404);
  EXPECT_EQ(browser.send("OPTIONS", "/api/data/order", "", {{"Origin", shop}}).status, 405) << "no preflight";
}

TEST_P(CrossOrigin, the_list_takes_at_most_twenty_https_origins) {
  const auto wrong = [&](const std::string& origins) { return list_origins(admin, origins).wrong_fields(); };
  for (const char* bad : {"http://shop.example.com", "https://shop.example.com/", "https://Shop.example.com", "*",
                          "https://*.example.com", "https://a@b.example", "https://shop.example.com:443", "https://",
                          "https://a.example b", "https://[::1/64]", "null"}) {
    EXPECT_EQ(wrong(fmt::format(R"(["https://a.example","{}"])", bad)), std::vector<std::string>{"allowedOrigins[1]"})
        << bad;
  }
  std::string many;
  for (int i = 0; i < 21; ++i) many += fmt::format(R"({}"https://shop{}.example.com")", i == 0 ? "" : ",", i);
  EXPECT_EQ(wrong("[" + many + "]"), std::vector<std::string>{"allowedOrigins"});
  const HttpReply saved =
      list_origins(admin, R"(["https://a.example:8443","https://[2001:db8::1]","https://a.example:8443"])");
  ASSERT_EQ(saved.status, 200) << saved.body;
  EXPECT_EQ(saved.size("/allowedOrigins"), 2u) << "each once";
}

}  // namespace
}  // namespace guildhall
