// Kills the dispatcher's node repeatedly, between sending a message and marking it as sent.
#include <fmt/format.h>
#include <set>

#include "outbox/message_store.h"
#include "support/eventually.h"
#include "support/http_client.h"
#include "support/http_receiver.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::HttpReceiver, test::ReceiverReply, test::ReceivedRequest;

constexpr int outbox_deaths = 50;
constexpr int orders = 60;

// Blocks the receiver's answers until it is opened.
class Gate {
 public:
  void open() {
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

void place_orders(HttpClient& admin, const std::string& hook) {
  ASSERT_EQ(
      admin.post("/api/admin/webhook-endpoints", fmt::format(R"({{"url":"{}","events":["order.created"]}})", hook))
          .status,
      201);
  for (int i = 0; i < orders; ++i) {
    const HttpReply placed = admin.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"N{}","customer":{{"name":"Ada"}},"items":[{{"productId":"p","name":"Mug",)"
                    R"("sku":"M","quantity":1,"unitPriceCents":500}}]}})",
                    i));
    ASSERT_EQ(placed.status, 201) << placed.body;
  }
}

// Releases the claims of a killed node. On a shared database other nodes can claim its messages only after the lease
// has ended, which takes too long for a test.
void release_claims(const test::FreshDatabase& database) {
  open_storage({.url = database.url})->write_now([](Tx& tx) { outbox::release_all(tx, now()); });
}

class OutboxCrash : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, OutboxCrash, test::engines, test::engine_name);

TEST_P(OutboxCrash, loses_no_message_and_changes_no_id_when_the_node_is_killed_fifty_times) {
  test::FreshDatabase database(GetParam());
  test::TemporaryFolder folder;
  auto variables = test::server_variables(GetParam(), database.url, folder.path.string());
  variables.insert_or_assign("SERVICE_ENV", "development");
  variables.insert_or_assign("WEBHOOK_PRIVATE_TARGETS", "true");
  variables.insert_or_assign("LOG_LEVEL", "error");
  Gate gate;
  HttpReceiver receiver;
  const struct Opener {
    Gate& gate;
    ~Opener() { gate.open(); }
  } opener{gate};  // opens the gate before the receiver is destroyed, also when the test fails
  // Every second process is killed while it waits for its first answer, the others right after they have received it.
  std::atomic<int> answers_left = 0;
  receiver.on("POST", "/hook", [&](const ReceivedRequest&) {
    if (answers_left.fetch_sub(1) <= 0) gate.wait();
    return ReceiverReply{};
  });
  test::ServerProcess server(variables);
  server.wait_until_ready();
  HttpClient admin(server.port());
  ASSERT_EQ(admin
                .post("/auth/local/login", fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})",
                                                       test::admin_password))
                .status,
            200);
  place_orders(admin, receiver.url("/hook"));
  std::size_t before = 0;
  for (int life = 0; life < outbox_deaths; ++life) {
    ASSERT_TRUE(receiver.wait_for_requests(before + 1)) << "life " << life << ": " << server.output();
    server.kill_hard();
    if (GetParam() == test::Engine::postgresql) release_claims(database);
    before = receiver.requests().size();
    answers_left = life % 2;
    server.start();
  }
  gate.open();
  std::map<std::string, std::set<std::string>> bodies_by_id;
  EXPECT_TRUE(test::eventually([&] {
    for (const ReceivedRequest& request : receiver.requests()) {
      bodies_by_id[request.header("webhook-id")].insert(request.body);
    }
    return bodies_by_id.size() >= orders;
  }));
  EXPECT_EQ(bodies_by_id.size(), static_cast<std::size_t>(orders));
  EXPECT_GT(receiver.requests().size(), static_cast<std::size_t>(orders));  // some deliveries were repeated
  std::set<std::string> distinct;
  for (const auto& [id, bodies] : bodies_by_id) {
    EXPECT_EQ(bodies.size(), 1u) << id;
    distinct.insert(*bodies.begin());
  }
  EXPECT_EQ(distinct.size(), static_cast<std::size_t>(orders));
}

}  // namespace
}  // namespace guildhall
