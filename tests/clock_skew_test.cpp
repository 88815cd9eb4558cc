// Runs a node with a wrong clock and one with a right clock on the same PostgreSQL and Redis.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/instant.h"
#include "cache/test_support.h"
#include "support/signed_in.h"

namespace guildhall {
namespace {

using test::at, test::HttpClient, test::HttpReply, test::ServerProcess, test::signed_in;

class ClockSkew : public ::testing::TestWithParam<int> {
 protected:
  ServerProcess::Variables variables(int shift_hours) {
    auto variables = test::server_variables(test::Engine::postgresql, database_.url, folder_.path.string());
    variables["LOG_LEVEL"] = "warn";
    if (shift_hours == 0) return variables;
    variables["LD_PRELOAD"] = SHIFTED_CLOCK_LIBRARY;
    variables["CLOCK_SHIFT_SECONDS"] = std::to_string(shift_hours * 3600);
    return variables;
  }

 private:
  test::FreshDatabase database_{test::Engine::postgresql};
  test::TemporaryFolder folder_;

 protected:
  ServerProcess right_{variables(0)};
  ServerProcess wrong_{variables(GetParam())};
  void SetUp() override {
    right_.wait_until_ready();
    wrong_.wait_until_ready();
  }
};
INSTANTIATE_TEST_SUITE_P(Hours, ClockSkew, ::testing::Values(25, -25),
                         [](const auto& hours) { return hours.param > 0 ? "ahead" : "behind"; });

TEST_P(ClockSkew, ends_no_session_of_another_node) {
  HttpClient first = signed_in(right_), second = signed_in(wrong_);
  for (HttpClient* client : {&first, &second}) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(at(wrong_, *client).get("/auth/me").status, 200);
      EXPECT_EQ(at(right_, *client).get("/auth/me").status, 200);
    }
  }
  for (const ServerProcess* node : {&right_, &wrong_}) {
    const HttpReply list = at(*node, first).get("/auth/sessions");
    EXPECT_EQ(list.size("/items"), 2u) << list.body;
    for (const char* item : {"/items/0", "/items/1"}) {
      EXPECT_GT(*parse_instant(list.text(std::string(item) + "/expiresAt")), now()) << list.body;
      EXPECT_LT(*parse_instant(list.text(std::string(item) + "/expiresAt")), now() + std::chrono::hours(9));
    }
  }
}

TEST_P(ClockSkew, forgets_no_idempotency_key_of_another_node) {
  HttpClient client = signed_in(right_);
  for (const auto& [one, two] : {std::pair(&right_, &wrong_), std::pair(&wrong_, &right_)}) {
    const test::HttpHeaders key{{"Idempotency-Key", test::fresh_name()}};
    const std::string product = fmt::format(R"({{"name":"Hat","sku":"{}","priceCents":1}})", test::fresh_name());
    const HttpReply made = at(*one, client).post("/api/data/product", product, key);
    ASSERT_EQ(made.status, 201) << made.body;
    const HttpReply again = at(*two, client).post("/api/data/product", product, key);
    EXPECT_EQ(again.status, 201) << again.body;
    EXPECT_EQ(again.header("idempotent-replayed"), "true") << again.body;
    EXPECT_EQ(again.text("/id"), made.text("/id"));
    const Instant created = *parse_instant(made.text("/createdAt"));
    EXPECT_GT(created, now() - std::chrono::hours(1)) << "records carry the database's time";
    EXPECT_LT(created, now() + std::chrono::hours(1));
  }
}

TEST_P(ClockSkew, is_a_warning) {
  HttpClient client(wrong_.port());
  EXPECT_TRUE(test::eventually(
      [&] { return client.get("/readyz").body.find("This machine's clock is") != std::string::npos; }));
  EXPECT_NE(wrong_.output().find("This machine's clock is"), std::string::npos) << wrong_.output();
  EXPECT_EQ(HttpClient(right_.port()).get("/readyz").body.find("clock"), std::string::npos);
}

}  // namespace
}  // namespace guildhall
