// Live changes on two nodes: every committed change reaches every stream once and in order, also when a node dies.
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "support/event_stream.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::EventStream, test::HttpClient, test::HttpReply, test::ServerProcess;

constexpr int streams_per_node = 100;
constexpr int writers = 4;
constexpr int changes_per_writer = 60;

ServerProcess::Variables settings(const std::string& database, const std::string& folder) {
  auto variables = test::server_variables(test::Engine::postgresql, database, folder);
  variables["CHANGE_STREAMS_PER_TENANT"] = "1000";
  variables["RATE_LIMIT_DISABLED"] = "true";
  return variables;
}

class TwoNodes : public ::testing::Test {
 protected:
  TwoNodes() {
    first.wait_until_ready();
    second.wait_until_ready();
    HttpClient client(first.port());
    const HttpReply reply = client.post(
        "/auth/local/login",
        fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
    EXPECT_EQ(reply.status, 200) << reply.body;
    cookies = client.cookies;
  }

  HttpClient client_of(const ServerProcess& node) const {
    HttpClient client(node.port());
    client.cookies = cookies;
    return client;
  }

  // Creates a customer. On a node that has died, the other one is used instead. The id is empty if the outcome is
  // unknown.
  std::string create(bool on_first, const std::string& name) {
    const std::string body = fmt::format(R"({{"chatId":"{}","chatUsername":"u","chatDisplayName":"d"}})", name);
    try {
      return client_of(on_first && first_lives ? first : second).post("/api/data/customer", body).text("/id");
    } catch (const std::exception&) {
      return "";
    }
  }

  test::FreshDatabase database{test::Engine::postgresql};
  test::TemporaryFolder one, two;
  ServerProcess first{settings(database.url, one.path.string())}, second{settings(database.url, two.path.string())};
  std::map<std::string, std::string> cookies;
  std::atomic<bool> first_lives = true;
};

// A client that connects again to the second node when its connection ends.
class ReconnectingStream {
 public:
  ReconnectingStream(std::uint16_t port, const HttpClient& caller) : caller_(caller) { events_.emplace(port, caller_); }

  // Reads up to the change of that record. Expects each change once, in order.
  void read_up_to(const std::string& id, std::uint16_t fallback_port) {
    while (ids.empty() || ids.back() != id) {
      const auto event = next(fallback_port);
      ASSERT_EQ(event.type, "change");
      const std::int64_t sequence = std::stoll(event.id);
      if (last_ != 0) ASSERT_EQ(sequence, last_ + 1) << "after " << ids.size() << " changes";
      last_ = sequence;
      ids.push_back(event.data.text("/id"));
    }
  }

  std::vector<std::string> ids;
  int reconnected = 0;

 private:
  test::StreamEvent next(std::uint16_t fallback_port) {
    try {
      if (auto event = events_->next()) return std::move(*event);
    } catch (const std::exception&) {
      // The node has died.
    }
    const std::string last = events_->last_event_id;
    events_.emplace(fallback_port, caller_, EventStream::Options{.last_event_id = last});
    EXPECT_EQ(events_->head.status, 200) << events_->head.body;
    ++reconnected;
    return events_->next().value();
  }

  HttpClient caller_;
  std::optional<EventStream> events_;
  std::int64_t last_ = 0;
};

TEST_F(TwoNodes, send_every_change_to_every_stream_once_and_in_order_when_one_dies) {
  std::vector<std::unique_ptr<ReconnectingStream>> streams;
  for (int i = 0; i < streams_per_node; ++i) {
    for (const ServerProcess* node : {&first, &second}) {
      streams.push_back(std::make_unique<ReconnectingStream>(node->port(), client_of(*node)));
    }
  }
  std::array<std::set<std::string>, writers> committed;
  std::atomic<int> written = 0;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      for (int i = 0; i < changes_per_writer; ++i) {
        committed[static_cast<std::size_t>(writer)].insert(create(writer % 2 == 0, fmt::format("{}-{}", writer, i)));
        ++written;
        written.notify_all();
      }
    });
  }
  for (int seen = written; seen < writers * changes_per_writer / 2; seen = written) written.wait(seen);
  first.kill_hard();
  first_lives = false;
  for (std::thread& thread : threads) thread.join();
  const std::string last = create(false, "the-last-one");
  ASSERT_FALSE(last.empty());

  int reconnected = 0;
  for (const auto& stream : streams) {
    ASSERT_NO_FATAL_FAILURE(stream->read_up_to(last, second.port()));
    reconnected += stream->reconnected;
    EXPECT_EQ(stream->ids, streams.front()->ids) << "all streams show the same changes";
  }
  EXPECT_EQ(reconnected, streams_per_node) << "those of the node that died";
  const std::set<std::string> seen(streams.front()->ids.begin(), streams.front()->ids.end());
  EXPECT_EQ(seen.size(), streams.front()->ids.size()) << "each customer is created once";
  for (const auto& of_writer : committed) {
    for (const std::string& id : of_writer) EXPECT_TRUE(id.empty() || seen.contains(id)) << id;
  }
}

}  // namespace
}  // namespace guildhall
