#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "audit/audit_chain.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

constexpr std::int64_t sign_in_entries = 2;  // the default admin's grants

class AuditTrail : public test::OnEachPair {
 protected:
  std::string customer(const std::string& chat_id) {
    return admin
        .post("/api/data/customer",
              fmt::format(R"({{"chatId":"{}","chatUsername":"a","chatDisplayName":"A"}})", chat_id))
        .text("/id");
  }
  void change(const std::string& text) {
    static std::deque<Sql> statements;  // a statement's address is its identity
    const Sql& sql = statements.emplace_back(text);
    server.write([&](Tx& tx) { tx.run({&sql, {}}); });
  }
  ChainReport verified() {
    ChainReport report;
    server.write([&](Tx& tx) { report = verify_chain(tx, TenantId(std::string("default"))); });
    return report;
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, AuditTrail, test::engines, test::engine_name);

TEST_P(AuditTrail, records_who_changed_what) {
  const std::string id = customer("1");
  admin.patch("/api/data/customer/" + id, R"({"notes":"tea"})", {{"x-request-id", "request-7"}});
  const HttpReply list = admin.get("/api/admin/audit?subject=customer&subjectId=" + id);
  ASSERT_EQ(list.size("/items"), 2u) << list.body;
  EXPECT_EQ(list.text("/items/0/action"), "updated");
  EXPECT_EQ(list.text("/items/0/changes/notes/after"), "tea");
  EXPECT_TRUE(list.is_null("/items/0/changes/notes/before"));
  EXPECT_EQ(list.text("/items/0/requestId"), "request-7");
  EXPECT_EQ(list.text("/items/0/actorKind"), "USER");
  EXPECT_EQ(list.text("/items/0/actorId"), admin.get("/auth/me").text("/session/user/userId"));
  EXPECT_EQ(list.text("/items/1/action"), "created");
}

TEST_P(AuditTrail, never_has_a_password) {
  const std::string id = admin.post("/api/data/user", R"({"username":"ada","displayName":"Ada"})").text("/id");
  ASSERT_EQ(admin.put("/api/data/user/" + id + "/password", R"({"password":"a secret phrase"})").status, 204);
  const HttpReply list = admin.get("/api/admin/audit?subjectId=" + id);
  EXPECT_EQ(list.text("/items/0/action"), "password_changed");
  EXPECT_EQ(list.body.find("secret phrase"), std::string::npos);
  EXPECT_EQ(list.body.find("argon2"), std::string::npos);
}

TEST_P(AuditTrail, is_filtered_and_paged) {
  for (int i = 0; i < 5; ++i) customer(std::to_string(i));
  const std::string me = admin.get("/auth/me").text("/session/user/userId");
  std::vector<std::string> seen;
  std::string cursor;
  do {
    const HttpReply page = admin.get("/api/admin/audit?action=created&subject=customer&limit=2&actorId=" + me +
                                     (cursor.empty() ? "" : "&cursor=" + cursor));
    ASSERT_EQ(page.status, 200) << page.body;
    for (std::size_t i = 0; i < page.size("/items"); ++i) seen.push_back(page.text(fmt::format("/items/{}/id", i)));
    cursor = page.text("/nextCursor");
  } while (!cursor.empty());
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_TRUE(std::is_sorted(seen.rbegin(), seen.rend()));
  EXPECT_EQ(admin.get("/api/admin/audit?actorId=nobody").size("/items"), 0u);
  EXPECT_EQ(admin.get("/api/admin/audit?to=2020-01-01T00:00:00Z").size("/items"), 0u);
  EXPECT_EQ(admin.get("/api/admin/audit?subject=customer&from=2020-01-01T00:00:00Z").size("/items"), 5u);
  EXPECT_EQ(admin.get("/api/admin/audit?limit=0&from=yesterday&cursor=x").wrong_fields(),
            (std::vector<std::string>{"cursor", "from", "limit"}));
  EXPECT_EQ(admin.get("/api/admin/audit?cursor=x").status, 400);
  server.add_tenant("other");
  const HttpReply others = server.admin("other").get("/api/admin/audit");
  EXPECT_EQ(others.size("/items"), 1u) << others.body;
  EXPECT_EQ(others.text("/items/0/subject"), "grants");
}

TEST_P(AuditTrail, is_sealed_into_a_chain_that_verifies) {
  for (int i = 0; i < 5; ++i) customer(std::to_string(i));
  if (GetParam() == test::Engine::sqlite) EXPECT_EQ(verified().waiting, 0) << "sealed with their causes";
  seal_audit_trail(server.storage());
  const ChainReport report = verified();
  EXPECT_FALSE(report.problem) << *report.problem;
  EXPECT_EQ(report.sealed, 5 + sign_in_entries);
  EXPECT_EQ(report.waiting, 0);
  const HttpReply list = admin.get("/api/admin/audit");
  EXPECT_EQ(list.integer("/items/0/sequence"), 5 + sign_in_entries);
  EXPECT_EQ(list.text("/items/0/hash"), report.head);
}

TEST_P(AuditTrail, is_verified_in_steps_through_the_api) {
  const std::string path = "/api/admin/audit/verification";
  for (int i = 0; i < 5; ++i) customer(std::to_string(i));
  seal_audit_trail(server.storage());
  const HttpReply whole = admin.get(path);
  EXPECT_TRUE(whole.boolean("/complete")) << whole.body;
  EXPECT_TRUE(whole.is_null("/problem")) << whole.body;
  EXPECT_EQ(whole.integer("/verified/sequence"), 5 + sign_in_entries);
  EXPECT_EQ(whole.text("/verified/hash"), whole.text("/head/hash"));
  const HttpReply list = admin.get("/api/admin/audit");
  const HttpReply rest = admin.get(path + "?after=4&hash=" + list.text("/items/3/hash"));
  EXPECT_TRUE(rest.boolean("/complete")) << rest.body;
  EXPECT_TRUE(rest.is_null("/problem")) << rest.body;
  EXPECT_FALSE(admin.get(path + "?after=4&hash=another").is_null("/problem"));
  EXPECT_EQ(admin.get(path + "?after=-1").wrong_fields(), std::vector<std::string>{"after"});
  change("UPDATE audit_entries SET actor_id = 'somebody' WHERE sequence = 3");
  EXPECT_NE(admin.get(path).text("/problem").find("entry 3"), std::string::npos);
  EXPECT_TRUE(server.member("default", "TenantAdmin").get(path).status == 200);
  server.add_tenant("other");
  EXPECT_NE(server.member("other", "TenantAdmin").get(path).text("/head/hash"), whole.text("/head/hash"));
}

TEST_P(AuditTrail, that_was_tampered_with_shows_where) {
  for (int i = 0; i < 5; ++i) customer(std::to_string(i));
  seal_audit_trail(server.storage());
  change("UPDATE audit_entries SET actor_id = 'somebody' WHERE sequence = 3");
  EXPECT_NE(verified().problem.value_or("").find("entry 3"), std::string::npos);
  change("DELETE FROM audit_entries WHERE sequence = 3");
  EXPECT_EQ(verified().problem, "entry 3 of the chain is missing");
  change("DELETE FROM audit_entries WHERE sequence >= 3");
  EXPECT_EQ(verified().problem, "the chain ends at entry 2, but 7 were sealed");
  change("DELETE FROM audit_chains");
  EXPECT_EQ(verified().problem, "the record of the last link is gone");
}

TEST_P(AuditTrail, is_one_chain_however_many_nodes_seal_it) {
  std::atomic<bool> done = false;
  std::vector<std::thread> nodes;
  for (int i = 0; i < 3; ++i) {
    nodes.emplace_back([&] {
      while (!done) seal_audit_trail(server.storage());
    });
  }
  for (int i = 0; i < 60; ++i) customer(std::to_string(i));
  done = true;
  for (auto& node : nodes) node.join();
  seal_audit_trail(server.storage());
  const ChainReport report = verified();
  EXPECT_FALSE(report.problem) << *report.problem;
  EXPECT_EQ(report.sealed, 60 + sign_in_entries);
}

}  // namespace
}  // namespace guildhall
