// Every request has a deadline: 503 then, whatever hangs behind it.
#include <future>
#include <gtest/gtest.h>

#include "storage/columns.h"
#include "support/eventually.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

const std::string customer = R"({"chatId":"1","chatUsername":"a","chatDisplayName":"A"})";

class Deadline : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, Deadline, test::engines, test::engine_name);

TEST_P(Deadline, ends_a_request_while_the_database_hangs) {
  test::TestServer server(GetParam(), {{"REQUEST_TIMEOUT_MS", "2000"}});
  auto admin = server.admin();
  static const Sql lock_sql("LOCK TABLE customers IN ACCESS EXCLUSIVE MODE");
  std::promise<void> locked, release;
  std::thread holder([&] {
    server.write([&, once = false](Tx& tx) mutable {
      if (std::exchange(once, true)) return;
      if (GetParam() == test::Engine::postgresql) tx.run({&lock_sql, {}});
      locked.set_value();
      release.get_future().wait();
    });
  });
  locked.get_future().wait();
  const test::HttpReply late = admin.post("/api/data/customer", customer);
  EXPECT_EQ(late.status, 503);
  EXPECT_EQ(late.code(), "UNAVAILABLE");
  EXPECT_NE(late.header("retry-after"), "");
  EXPECT_EQ(server.client().get("/healthz").status, 200);
  release.set_value();
  holder.join();
  // The request itself goes on, and the server with it.
  admin.disconnect();
  const test::HttpReply again = admin.post("/api/data/customer", customer);
  EXPECT_LT(again.status, 300) << again.body;
  EXPECT_TRUE(test::eventually([&] { return admin.get("/api/data/customer").size() > 0; }));
  EXPECT_EQ(admin.get("/api/data/customer").size(), 1U);
}

}  // namespace
}  // namespace guildhall
