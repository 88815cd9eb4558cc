// Lists, reports and exports are read from a streaming replica (DATABASE_READ_URL), and show every acknowledged write.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/private_services.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

// A node with a replica.
class Node {
 public:
  Node(const test::PrivateServices& services, const std::string& read_url, const std::string& folder,
       const std::string& binary = "", const std::string& database_url = "")
      : variables(variables_of(services, read_url, folder, database_url)), process_(variables, {"serve"}, binary) {
    process_.wait_until_ready();
  }

  HttpClient client() const { return HttpClient(process_.port()); }

  // The value of a metric; 0 if there is none.
  double metric(const std::string& name) const {
    const std::string text = "\n" + HttpClient(metrics_port_).get("/metrics").body;
    const std::size_t found = text.find("\n" + name + " ");
    return found == std::string::npos ? 0 : std::stod(text.substr(found + name.size() + 2));
  }

  double reads_on(const std::string& server) const {
    return metric(fmt::format("database_reads_to_show_total{{server=\"{}\"}}", server));
  }

  bool uses_replica() const { return metric("postgres_replica_usable") == 1; }
  void wait_for_replica() const {
    ASSERT_TRUE(test::eventually([&] { return uses_replica(); })) << process_.output();
  }
  std::string warnings() const { return client().get("/readyz").body; }

 private:
  ServerProcess::Variables variables_of(const test::PrivateServices& services, const std::string& read_url,
                                        const std::string& folder, const std::string& database_url) const {
    auto made = test::server_variables(test::Engine::postgresql,
                                       database_url.empty() ? services.database_url() : database_url, folder);
    made["CACHE_URL"] = services.cache_url();
    made["DATABASE_READ_URL"] = read_url;
    made["METRICS_ADDR"] = fmt::format("127.0.0.1:{}", metrics_port_);
    return made;
  }

  const std::uint16_t metrics_port_ = test::free_port();

 public:
  const ServerProcess::Variables variables;

 private:
  ServerProcess process_;
};

void sign_in(HttpClient& client) {
  const HttpReply reply =
      client.post("/auth/local/login",
                  fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
  ASSERT_EQ(reply.status, 200) << reply.body;
}

std::string add_customer(HttpClient& client, const std::string& name) {
  const HttpReply reply = client.post(
      "/api/data/customer", fmt::format(R"({{"chatId":"{}","chatUsername":"u","chatDisplayName":"d"}})", name));
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.text("/id");
}

bool lists(HttpClient& client, const std::string& id) {
  const HttpReply reply = client.get("/api/data/customer?limit=200");
  EXPECT_EQ(reply.status, 200) << reply.body;
  return reply.body.find(id) != std::string::npos;
}

class Replica : public ::testing::Test {
 protected:
  test::PrivateServices services;
  test::TemporaryFolder folder;
  test::PrivateReplica replica{services};
  Node node{services, replica.url(), folder.path.string()};
};

TEST_F(Replica, answers_lists_reports_and_exports) {
  HttpClient client = node.client();
  sign_in(client);
  const std::string id = add_customer(client, "mia");
  node.wait_for_replica();
  const auto scans = [](const auto& server) {
    return std::stoll(
        server.execute("SELECT coalesce(idx_scan, 0) + seq_scan FROM pg_stat_user_tables WHERE relname = 'customers'"));
  };
  const auto on_primary = scans(services);
  const double before = node.reads_on("replica");
  constexpr int times = 20;
  for (int i = 0; i < times; ++i) {
    EXPECT_TRUE(lists(client, id));
    EXPECT_NE(client.get("/api/data/customer").body.find(id), std::string::npos);  // the export of all customers
    EXPECT_EQ(client.get("/api/admin/reports/customers").status, 200);
  }
  EXPECT_EQ(node.reads_on("replica") - before, 3 * times);
  // PostgreSQL itself counts them on the replica, after a moment.
  EXPECT_TRUE(test::eventually([&] { return scans(replica) >= 2 * times; })) << scans(replica);
  EXPECT_LT(scans(services) - on_primary, times);  // jobs look at the table, too
}

TEST_F(Replica, shows_every_write_at_once) {
  HttpClient client = node.client();
  sign_in(client);
  node.wait_for_replica();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(lists(client, add_customer(client, fmt::format("c{}", i)))) << i;
  EXPECT_GT(node.reads_on("replica"), 0);
}

// The other node has not seen the write: only the primary's log tells it.
TEST_F(Replica, that_is_behind_hides_no_write_on_any_node) {
  test::TemporaryFolder others;
  Node other(services, replica.url(), others.path.string());
  HttpClient client = node.client();
  sign_in(client);
  HttpClient elsewhere = other.client();
  elsewhere.cookies = client.cookies;
  node.wait_for_replica();
  other.wait_for_replica();
  replica.pause();
  std::string last;
  for (int i = 0; node.uses_replica() || other.uses_replica() || i < 10; ++i) {
    last = add_customer(client, fmt::format("c{}", i));
    ASSERT_TRUE(lists(client, last)) << i;
    ASSERT_TRUE(lists(elsewhere, last)) << i;
  }
  EXPECT_EQ(replica.execute("SELECT count(*) FROM customers"), "0");
  EXPECT_NE(node.warnings().find("It is behind."), std::string::npos) << node.warnings();
  EXPECT_GT(node.metric("postgres_replica_behind_seconds"), 0);

  replica.resume();
  node.wait_for_replica();
  EXPECT_EQ(node.warnings().find("replica"), std::string::npos) << node.warnings();
  const double before = node.reads_on("replica");
  EXPECT_TRUE(test::eventually([&] { return lists(client, last) && node.reads_on("replica") > before; }));
}

// The control: without the check, the same replica hides the write.
TEST(ReplicaControl, without_the_check_a_replica_that_is_behind_hides_a_write) {
  test::PrivateServices services;
  test::TemporaryFolder folder;
  test::PrivateReplica replica(services);
  const Node node(services, replica.url(), folder.path.string(), UNGUARDED_BINARY);
  HttpClient client = node.client();
  sign_in(client);
  node.wait_for_replica();
  replica.pause();
  EXPECT_FALSE(lists(client, add_customer(client, "mia")));
}

TEST_F(Replica, that_is_gone_is_replaced_by_the_primary) {
  HttpClient client = node.client();
  sign_in(client);
  node.wait_for_replica();
  const std::string id = add_customer(client, "mia");
  EXPECT_TRUE(lists(client, id));
  replica.stop();
  do {
    EXPECT_TRUE(lists(client, id));
  } while (node.uses_replica());
  EXPECT_EQ(client.get("/readyz").status, 200);
  EXPECT_NE(node.warnings().find("DATABASE_READ_URL"), std::string::npos) << node.warnings();
  const double before = node.reads_on("primary");
  EXPECT_TRUE(lists(client, id));
  EXPECT_EQ(node.reads_on("primary"), before + 1);

  replica.start();
  node.wait_for_replica();
  const double on_replica = node.reads_on("replica");
  EXPECT_TRUE(test::eventually([&] { return lists(client, id) && node.reads_on("replica") > on_replica; }));
}

TEST_F(Replica, that_does_not_answer_is_replaced_by_the_primary) {
  HttpClient client = node.client();
  sign_in(client);
  node.wait_for_replica();
  const std::string id = add_customer(client, "mia");
  replica.freeze();
  do {
    EXPECT_TRUE(lists(client, id));
  } while (node.uses_replica());
  EXPECT_TRUE(lists(client, id));
  replica.thaw();
  node.wait_for_replica();
  EXPECT_TRUE(lists(client, id));
}

TEST_F(Replica, that_was_promoted_is_not_used) {
  HttpClient client = node.client();
  sign_in(client);
  node.wait_for_replica();
  EXPECT_TRUE(lists(client, add_customer(client, "before")));
  replica.promote();
  // It goes on from where it was, and knows nothing of what the primary commits now.
  for (int i = 0; node.uses_replica() || i < 10; ++i) {
    ASSERT_TRUE(lists(client, add_customer(client, fmt::format("c{}", i)))) << i;
  }
  EXPECT_NE(node.warnings().find("not a replica"), std::string::npos) << node.warnings();
}

// What the node awaits belongs to the timeline of the former primary.
TEST(ReplicaOfANewPrimary, is_used_by_a_node_that_was_running) {
  test::PrivateServices services;
  test::TemporaryFolder folder;
  test::PrivateReplica next(services, "next"), replica(services);
  const auto host = [](const std::string& url) {
    return url.substr(url.find('@') + 1, url.rfind('/') - url.find('@') - 1);
  };
  const Node node(services, replica.url(), folder.path.string(), "",
                  fmt::format("postgresql://guildhall@{},{}/guildhall?target_session_attrs=read-write",
                              host(services.database_url()), host(next.url())));
  HttpClient client = node.client();
  sign_in(client);
  node.wait_for_replica();
  replica.pause();
  add_customer(client, "before");
  ASSERT_TRUE(test::eventually([&] { return !node.uses_replica(); }));
  services.stop_postgres();
  next.promote();
  replica.resume();
  replica.follow(next);
  ASSERT_TRUE(test::eventually([&] { return client.get("/readyz").status == 200; }));
  const std::string id = add_customer(client, "after");
  EXPECT_TRUE(test::eventually([&] {
    next.execute("CHECKPOINT");
    replica.execute("CHECKPOINT");  // writes the timeline to the control file, which otherwise takes some minutes
    return node.uses_replica();
  })) << node.warnings();
  const double before = node.reads_on("replica");
  EXPECT_TRUE(test::eventually([&] { return lists(client, id) && node.reads_on("replica") > before; }));
  services.start_postgres();  // for its destructor
}

TEST_F(Replica, of_another_database_is_not_used) {
  services.execute("CREATE DATABASE other TEMPLATE template0");
  ASSERT_TRUE(test::eventually(
      [&] { return replica.execute("SELECT count(*) FROM pg_database WHERE datname = 'other'") == "1"; }));
  test::TemporaryFolder others;
  const Node wrong(services, replica.url("other"), others.path.string());
  ASSERT_TRUE(test::eventually([&] { return wrong.warnings().find("another database") != std::string::npos; }))
      << wrong.warnings();
  HttpClient client = wrong.client();
  sign_in(client);
  EXPECT_TRUE(lists(client, add_customer(client, "mia")));
  EXPECT_EQ(wrong.reads_on("replica"), 0);
}

TEST_F(Replica, is_examined_by_doctor) {
  const auto report = [&] {
    ServerProcess doctor(node.variables, {"doctor"});
    doctor.wait_for_exit();
    return doctor.output();
  };
  EXPECT_NE(report().find("it answers and has what the primary has"), std::string::npos) << report();
  replica.stop();
  EXPECT_NE(report().find("lists are read from the primary, not from the replica"), std::string::npos) << report();
}

}  // namespace
}  // namespace guildhall
