// Routes as webhooks need them: raw bytes of any type, a limit by address, and the contract's order of checks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/api.h"
#include "http/listener.h"
#include "support/http_client.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using namespace api;
using http::Capacity, http::Limits, http::Listener;

class RawRoutes : public ::testing::Test {
 protected:
  static std::vector<Route> routes() {
    const auto echo = [](Call& call) { return Reply{.body = fmt::format("{}", call.request.body.size())}; };
    std::vector<Route> list;
    list.push_back(route(Method::post, "/webhook", Access::open, "takes anything", echo)
                       .takes_raw(100)
                       .limited({"shipping_webhook", 3}));
    return list;
  }

  RawRoutes() {
    const auto nobody = [](const Request&) -> Task<std::shared_ptr<const Caller>> { co_return nullptr; };
    loop.run([&]() -> Task<> {
      cache = engine->open(loop.context());
      api.emplace(routes(), nobody, *cache, metrics, ApiOptions{});
      listener.emplace(loop.context(), "127.0.0.1", 0, *api, Limits{}, capacity);
      co_return;
    });
  }
  ~RawRoutes() override {
    loop.stop();
    listener.reset();
    api.reset();
    cache.reset();
  }

  Metrics metrics;
  Capacity capacity;
  std::unique_ptr<CacheEngine> engine = open_cache({.url = "memory:", .keep_file = ""});
  test::LoopThread loop;
  std::unique_ptr<Cache> cache;
  std::optional<Api> api;
  std::optional<Listener> listener;
};

TEST_F(RawRoutes, take_bytes_of_any_content_type) {
  test::HttpClient client(listener->port());
  EXPECT_EQ(client.send("POST", "/webhook", "\xff\x01", {}).body, "2");
  EXPECT_EQ(client.send("POST", "/webhook", "{}", {{"Content-Type", "text/plain"}}).body, "2");
}

TEST_F(RawRoutes, limit_an_address_before_they_look_at_the_body) {
  test::HttpClient client(listener->port());
  const std::string large(101, 'x');
  EXPECT_EQ(client.send("POST", "/webhook", "{}", {}).status, 200);
  EXPECT_EQ(client.send("GET", "/webhook", "", {}).status, 405);  // does not count
  const test::HttpReply refused = client.send("POST", "/webhook", large, {});
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.body, R"({"error":"Payload Too Large","maxBytes":100})");
  EXPECT_EQ(client.send("POST", "/webhook", "{}", {}).header("ratelimit-remaining"), "0");
  for (const std::string& body : {std::string("{}"), large}) {
    const test::HttpReply limited = client.send("POST", "/webhook", body, {});
    EXPECT_EQ(limited.status, 429);
    EXPECT_EQ(limited.body, R"({"error":"Too Many Requests","retryAfterSeconds":60})");
    EXPECT_EQ(limited.header("retry-after"), "60");
  }
  EXPECT_NE(metrics.text().find(R"(rate_limit_exceeded_total{endpoint="shipping_webhook",source="127.0.0.1"} 2)"),
            std::string::npos)
      << metrics.text();
}

}  // namespace
}  // namespace guildhall
