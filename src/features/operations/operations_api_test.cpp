#include <gtest/gtest.h>

#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

class Operations : public test::OnEachPair {
 protected:
  CheckedClient client = server.client();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Operations, test::engines, test::engine_name);

TEST_P(Operations, report_health_and_readiness) {
  EXPECT_EQ(client.get("/healthz").body, R"({"status":"ok"})");
  const HttpReply ready = client.get("/readyz");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.text("/database"), "ok");
  EXPECT_EQ(ready.text("/cache"), "ok");
}

TEST_P(Operations, stay_ready_without_a_cache_and_say_so) {
  TestServer without_cache(GetParam(), {{"CACHE_URL", fmt::format("redis://127.0.0.1:{}", test::free_port())}});
  const HttpReply ready = without_cache.client().get("/readyz");
  EXPECT_EQ(ready.status, 200) << ready.body;
  EXPECT_EQ(ready.text("/cache"), "down");
  EXPECT_NE(ready.body.find("The cache does not answer"), std::string::npos) << ready.body;
}

TEST_P(Operations, leave_nothing_of_their_probes) {
  static const Sql count_sql("SELECT count(*) FROM write_probes");
  EXPECT_EQ(client.get("/readyz").status, 200);
  std::int64_t rows = -1;
  server.storage().read_now([&](Tx& tx) { tx.run({&count_sql, {}}, [&](const Row& row) { rows = row.integer(0); }); });
  EXPECT_EQ(rows, 0);
}

TEST_P(Operations, info_shows_the_configuration_without_secrets) {
  const HttpReply info = client.get("/info");
  EXPECT_EQ(info.status, 200);
  EXPECT_EQ(info.text("/build/packageVersion"), GUILDHALL_VERSION);
  EXPECT_GT(info.integer("/build/startTime"), 1'700'000'000'000);
  EXPECT_EQ(info.text("/deployment/service"), "guildhall");
  EXPECT_TRUE(info.has("/env/LISTEN_ADDR"));
  EXPECT_FALSE(info.has("/env/PATH"));
  EXPECT_EQ(info.body.find(test::admin_password), std::string::npos);
  EXPECT_EQ(client.get("/api/info").body, info.body);
}

TEST_P(Operations, describe_the_api) {
  const HttpReply document = client.get("/openapi.json");
  EXPECT_EQ(document.text("/openapi"), "3.1.0");
  EXPECT_TRUE(document.has("/paths/~1api~1data~1customer~1{id}/patch/requestBody"));
  EXPECT_TRUE(document.has("/components/schemas/Customer/properties/chatId/description"));
  EXPECT_EQ(document.text("/servers/0/url"), server.config.public_base_url);
  EXPECT_EQ(client.get("/openapi.json", {{"if-none-match", document.header("etag")}}).status, 304);
}

TEST_P(Operations, compress_the_description_for_clients_that_accept_it) {
  const HttpReply plain = client.get("/openapi.json");
  const HttpReply zipped = client.get("/openapi.json", {{"accept-encoding", "br, gzip"}});
  EXPECT_EQ(plain.header("content-encoding"), "");
  EXPECT_EQ(zipped.header("content-encoding"), "gzip");
  EXPECT_EQ(zipped.header("vary"), "Accept-Encoding");
  EXPECT_LT(zipped.body.size(), plain.body.size() / 5);
  EXPECT_EQ(zipped.body.substr(0, 2), "\x1f\x8b");
  EXPECT_NE(zipped.header("etag"), plain.header("etag")) << "the bytes differ, so the strong tags differ";
  EXPECT_EQ(client.get("/openapi.json", {{"accept-encoding", "gzip;q=0"}}).body, plain.body);
}

TEST_P(Operations, lead_browsers_to_pages_and_programs_to_json) {
  const test::HttpHeaders browser{{"accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}};
  const HttpReply entrance = client.get("/", browser);
  EXPECT_EQ(entrance.status, 302);
  EXPECT_EQ(entrance.header("location"), "/console/");
  EXPECT_EQ(entrance.header("vary"), "Accept");
  EXPECT_EQ(client.get("/").text("/openapi"), "/openapi.json");
  test::HttpClient plain(server.port());
  const HttpReply page = plain.get("/no-such-page", browser);
  EXPECT_EQ(page.status, 404);
  EXPECT_EQ(page.header("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.body.find("<script"), std::string::npos);
  EXPECT_NE(page.header("content-security-policy").find("default-src 'none'; style-src 'sha256-"), std::string::npos);
  for (const std::string path : {"/api/no-such-thing", "/auth", "/api", "/auth/no/such/thing"}) {
    EXPECT_EQ(plain.get(path, browser).code(), "NOT_FOUND") << path;
  }
  EXPECT_EQ(plain.get("/apiary", browser).header("content-type"), "text/html; charset=utf-8");
}

TEST_P(Operations, unknown_paths_and_methods_are_distinguished) {
  EXPECT_EQ(client.get("/nowhere").status, 404);
  EXPECT_EQ(client.get("/nowhere").code(), "NOT_FOUND");
  const HttpReply other = client.send("PUT", "/healthz", "", {});
  EXPECT_EQ(other.status, 405);
  EXPECT_EQ(other.header("allow"), "GET, HEAD");
  EXPECT_EQ(client.send("BREW", "/healthz", "", {}).status, 405);
  EXPECT_EQ(client.send("HEAD", "/healthz", "", {}).header("content-length"), "15");
}

TEST_P(Operations, every_reply_carries_a_request_id) {
  EXPECT_EQ(client.get("/healthz").header("x-request-id").size(), 36u);
  EXPECT_EQ(client.get("/nowhere", {{"x-request-id", "a.b_c-1"}}).header("x-request-id"), "a.b_c-1");
  EXPECT_NE(client.get("/healthz", {{"x-request-id", "a b"}}).header("x-request-id"), "a b");
}

// The contract's order: 404, 405, 429, 413, 401, 403, 415, 400.
TEST_P(Operations, checks_come_in_the_contracts_order) {
  CheckedClient admin = server.admin();
  const std::string too_large(256 * 1024 + 1, ' ');
  EXPECT_EQ(client.send("POST", "/nowhere", too_large, {}).status, 404);
  EXPECT_EQ(client.send("PUT", "/api/data/customer", too_large, {}).status, 405);
  const HttpReply large = client.send("POST", "/api/data/customer", too_large, {});
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.body, R"({"error":"Payload Too Large","maxBytes":262144})");
  EXPECT_EQ(client.send("POST", "/api/data/customer", "x", {}).status, 401);
  EXPECT_EQ(admin.send("POST", "/api/data/customer", "x", {{"x-tenant-id", "other"}}).status, 403);
  EXPECT_EQ(admin.send("POST", "/api/data/customer", "x", {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_EQ(admin.send("POST", "/api/data/customer", "x", {}).status, 415);
  EXPECT_EQ(admin.send("POST", "/api/data/customer", "{}", {{"Content-Type", "text/plain"}}).status, 415);
  EXPECT_EQ(admin.send("POST", "/api/data/customer", "x", {{"Content-Type", "application/json; charset=utf-8"}}).status,
            400);
}

TEST_P(Operations, refuse_unsafe_methods_that_a_page_of_another_host_sends_with_the_session_cookie) {
  TestServer named(GetParam(), {{"PUBLIC_BASE_URL", "https://shop.example.com"}});
  CheckedClient admin = named.admin(), nobody = named.client();
  const auto status = [](CheckedClient& by, const test::HttpHeaders& headers) {
    return by.send("POST", "/api/data/customer", "", headers).status;
  };
  const int admitted = 400, refused = 403;  // a missing body is only looked at once the guards are passed
  EXPECT_EQ(status(admin, {}), admitted) << "no browser";
  for (const std::string site : {"same-origin", "none"}) {
    EXPECT_EQ(status(admin, {{"Sec-Fetch-Site", site}}), admitted) << site;
  }
  for (const std::string site : {"cross-site", "same-site", "something-new"}) {
    EXPECT_EQ(status(admin, {{"Sec-Fetch-Site", site}}), refused) << site;
    EXPECT_EQ(status(admin, {{"Sec-Fetch-Site", site}, {"Origin", "https://shop.example.com"}}), refused) << site;
  }
  for (const std::string origin : {"https://shop.example.com", "http://test", "https://test"}) {
    EXPECT_EQ(status(admin, {{"Origin", origin}}), admitted) << origin;
  }
  for (const std::string origin : {"https://evil.example.com", "https://shop.example.com:8443", "null"}) {
    EXPECT_EQ(status(admin, {{"Origin", origin}}), refused) << origin;
  }
  EXPECT_EQ(admin.get("/api/data/customer", {{"Sec-Fetch-Site", "cross-site"}}).status, 200) << "a safe method";
  const std::string login =
      fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password);
  EXPECT_EQ(nobody.post("/auth/local/login", login, {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_EQ(nobody.post("/auth/local/login", login, {{"Sec-Fetch-Site", "same-site"}}).status, 200) << "no cookie";
  EXPECT_EQ(admin.post("/auth/logout", "", {{"Sec-Fetch-Site", "same-site"}}).status, 403);
  EXPECT_EQ(admin.get("/auth/me").status, 200);
}

TEST_P(Operations, limit_the_requests_of_a_tenant) {
  TestServer limited(GetParam(), {{"RATE_LIMIT_DISABLED", "false"},
                                  {"RATE_LIMIT_TENANT_PER_MIN", "3"},
                                  {"DEFAULT_TENANT_ID", test::fresh_name()}});
  CheckedClient admin = limited.admin(limited.config.default_tenant.text());
  for (int i = 0; i < 3; ++i) {
    const HttpReply reply = admin.get("/api/data/customer");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("ratelimit-limit"), "3");
    EXPECT_EQ(reply.header("ratelimit-remaining"), std::to_string(2 - i));
    EXPECT_FALSE(reply.header("ratelimit-reset").empty());
  }
  const HttpReply refused = admin.get("/api/data/customer");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.header("retry-after"), "60");
  EXPECT_EQ(refused.body, R"({"error":"Too Many Requests","retryAfterSeconds":60})");
  EXPECT_EQ(admin.get("/auth/me").status, 200) << "only /api/data and /api/admin count";
  EXPECT_EQ(limited.client().get("/api/data/customer").status, 401) << "strangers do not use up a tenant's limit";
}

TEST(Metrics, are_served_on_their_own_address) {
  TestServer server(
      test::Engine::sqlite,
      {{"METRICS_ADDR", "127.0.0.1:0"}, {"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_TENANT_PER_MIN", "1"}});
  CheckedClient admin = server.admin();
  EXPECT_EQ(admin.get("/api/data/customer").status, 200);
  EXPECT_EQ(admin.get("/api/data/customer").status, 429);
  EXPECT_EQ(admin.get("/metrics").status, 404);
  test::HttpClient metrics(server.metrics_port());
  const std::string text = metrics.get("/metrics").body;
  EXPECT_NE(text.find(R"(rate_limit_exceeded_total{endpoint="tenant_api",source="default"} 1)"), std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(http_requests_total{method="GET",route="/api/data/customer",status="2xx"} 1)"),
            std::string::npos);
}

}  // namespace
}  // namespace guildhall
