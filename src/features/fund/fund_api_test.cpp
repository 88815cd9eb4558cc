#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "features/fund/fund_store.h"
#include "storage/columns.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

const std::string base = "/api/admin/community-fund";

const Sql audit_sql(
    "SELECT subject || ' ' || action || ' ' || actor_id || ' ' || changes FROM audit_entries WHERE tenant_id = $1"
    " AND subject LIKE 'fund%' ORDER BY id");
const Sql messages_sql(
    "SELECT payload FROM outbox_messages WHERE tenant_id = $1 AND topic = 'chat.message' ORDER BY id");

class Fund : public test::OnEachPair {
 protected:
  HttpReply contribute(std::int64_t cents, std::string_view more = "", const test::HttpHeaders& headers = {}) {
    return admin.post(base + "/contributions",
                      fmt::format(R"({{"customerId":"{}","amountCents":{}{}}})", customer, cents, more), headers);
  }
  HttpReply disburse(std::int64_t cents, const test::HttpHeaders& headers = {}) {
    return admin.post(
        base + "/disbursements",
        fmt::format(R"({{"recipientCustomerId":"{}","amountCents":{},"reason":"rent"}})", customer, cents), headers);
  }
  HttpReply configure(const std::string& json) { return admin.put(base + "/config", json); }
  void enable() { ASSERT_EQ(configure(R"({"enabled":true})").status, 200); }
  std::string balances() {
    const HttpReply reply = admin.get(base + "/balance");
    return fmt::format("{} {} {}", reply.integer("/totalContributedCents"), reply.integer("/totalDisbursedCents"),
                       reply.integer("/currentBalanceCents"));
  }
  std::vector<std::string> texts(const Sql& sql) {
    std::vector<std::string> found;
    server.write([&](Tx& tx) {
      found = tx.all(Select<std::string>{{&sql, params(std::string("default"))},
                                         [](const Row& row) { return std::string(row.text(0)); }});
    });
    return found;
  }

  CheckedClient admin = server.admin();
  std::string customer =
      admin.post("/api/data/customer", R"({"chatId":"1","chatUsername":"ada","chatDisplayName":"Ada *L*"})")
          .text("/id");
};
INSTANTIATE_TEST_SUITE_P(Pairs, Fund, test::engines, test::engine_name);

TEST_P(Fund, starts_empty_and_disabled) {
  EXPECT_EQ(balances(), "0 0 0");
  EXPECT_EQ(admin.get(base + "/contributions").integer("/total"), 0);
  EXPECT_EQ(admin.get(base + "/disbursements").size("/items"), 0u);
  EXPECT_EQ(admin.get(base + "/ledger").size("/items"), 0u);
  EXPECT_EQ(contribute(500).code(), "COMMUNITY_FUND_DISABLED");
  EXPECT_EQ(disburse(1).code(), "COMMUNITY_FUND_DISABLED");
  EXPECT_EQ(disburse(1).status, 400);
}

TEST_P(Fund, takes_in_and_pays_out) {
  enable();
  const HttpReply given = contribute(500, R"(,"orderId":"o-1")");
  ASSERT_EQ(given.status, 201) << given.body;
  EXPECT_EQ(given.text("/customerId"), customer);
  EXPECT_EQ(given.text("/orderId"), "o-1");
  EXPECT_EQ(given.integer("/amountCents"), 500);
  EXPECT_FALSE(given.boolean("/anonymous"));
  EXPECT_EQ(contribute(7).status, 201) << "presets do not bind an admin";
  const HttpReply paid = disburse(200);
  ASSERT_EQ(paid.status, 201) << paid.body;
  EXPECT_EQ(paid.text("/recipientCustomerId"), customer);
  EXPECT_EQ(paid.integer("/amountCents"), 200);
  EXPECT_EQ(paid.text("/approvedBy"), admin.get("/auth/me").text("/session/user/userId"));
  EXPECT_EQ(balances(), "507 200 307");
  const HttpReply refused = disburse(308);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "INSUFFICIENT_BALANCE");
  EXPECT_EQ(disburse(307).status, 201);
  EXPECT_EQ(balances(), "507 507 0");
  EXPECT_EQ(disburse(1).code(), "INSUFFICIENT_BALANCE");
}

TEST_P(Fund, refuses_what_is_not_valid) {
  enable();
  const auto wrong = [&](const std::string& path, const std::string& json) {
    const HttpReply reply = admin.post(base + path, json);
    EXPECT_EQ(reply.status, 400) << json;
    return fmt::format("{}", fmt::join(reply.wrong_fields(), ","));
  };
  EXPECT_EQ(wrong("/contributions", "{}"), "amountCents,customerId");
  EXPECT_EQ(wrong("/contributions", R"({"customerId":"c","amountCents":0})"), "amountCents");
  EXPECT_EQ(wrong("/contributions", R"({"customerId":"c","amountCents":-5})"), "amountCents");
  EXPECT_EQ(wrong("/contributions", R"({"customerId":"c","amountCents":1.5})"), "amountCents");
  EXPECT_EQ(wrong("/contributions", R"({"customerId":"c","amountCents":9007199254740992})"), "amountCents");
  EXPECT_EQ(wrong("/contributions", R"({"customerId":"c","amountCents":1,"anonymous":"yes"})"), "anonymous");
  EXPECT_EQ(wrong("/disbursements", "{}"), "amountCents,reason,recipientCustomerId");
  EXPECT_EQ(wrong("/disbursements", R"({"recipientCustomerId":"nobody","amountCents":1,"reason":"r"})"),
            "recipientCustomerId");
  EXPECT_EQ(wrong("/disbursements", fmt::format(R"({{"recipientCustomerId":"{}","amountCents":1,"reason":"{}"}})",
                                                customer, std::string(1001, 'x'))),
            "reason");
  for (const std::string query : {"limit=0", "limit=101", "offset=-1", "limit=x", "offset=1.5"}) {
    EXPECT_EQ(admin.get(base + "/contributions?" + query).status, 400) << query;
    EXPECT_EQ(admin.get(base + "/disbursements?" + query).status, 400) << query;
  }
  for (const std::string query : {"limit=0", "limit=201", "cursor=x", "cursor=LTE"}) {
    EXPECT_EQ(admin.get(base + "/ledger?" + query).status, 400) << query;
  }
  EXPECT_EQ(balances(), "0 0 0");
}

TEST_P(Fund, never_holds_more_than_can_be_represented_exactly) {
  enable();
  EXPECT_EQ(contribute(9007199254740991).status, 201);
  const HttpReply refused = contribute(1);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "AMOUNT_OUT_OF_RANGE");
  EXPECT_EQ(balances(), "9007199254740991 0 9007199254740991");
}

TEST_P(Fund, lists_newest_first_by_offset) {
  enable();
  for (int i = 1; i <= 25; ++i) ASSERT_EQ(contribute(i).status, 201);
  const HttpReply first = admin.get(base + "/contributions");
  EXPECT_EQ(first.integer("/total"), 25);
  ASSERT_EQ(first.size("/items"), 20u);
  EXPECT_EQ(first.integer("/items/0/amountCents"), 25);
  const HttpReply last = admin.get(base + "/contributions?limit=100&offset=20");
  ASSERT_EQ(last.size("/items"), 5u);
  EXPECT_EQ(last.integer("/items/4/amountCents"), 1);
  EXPECT_EQ(admin.get(base + "/contributions?offset=25").size("/items"), 0u);
}

TEST_P(Fund, ledger_runs_through_both_kinds_by_cursor) {
  enable();
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(contribute(100).status, 201);
    ASSERT_EQ(disburse(30).status, 201);
  }
  std::int64_t expected_sequence = 10, after = 350;
  std::string cursor;
  do {
    const HttpReply page = admin.get(base + "/ledger?limit=3" + (cursor.empty() ? "" : "&cursor=" + cursor));
    ASSERT_EQ(page.status, 200);
    for (std::size_t i = 0; i < page.size("/items"); ++i) {
      const std::string item = fmt::format("/items/{}", i);
      EXPECT_EQ(page.integer(item + "/sequence"), expected_sequence--);
      EXPECT_EQ(page.integer(item + "/balanceCents"), after);
      after -= page.integer(item + "/changeCents");
    }
    cursor = page.text("/nextCursor");
  } while (!cursor.empty());
  EXPECT_EQ(expected_sequence, 0);
  EXPECT_EQ(after, 0);
}

TEST_P(Fund, answers_a_repeated_key_once) {
  enable();
  const HttpReply first = contribute(100, "", {{"Idempotency-Key", "k"}});
  const HttpReply again = contribute(100, "", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("idempotent-replayed"), "true");
  EXPECT_EQ(contribute(101, "", {{"Idempotency-Key", "k"}}).status, 409);
  EXPECT_EQ(disburse(200, {{"Idempotency-Key", "d"}}).status, 400);
  EXPECT_EQ(contribute(100).status, 201);
  EXPECT_EQ(disburse(200, {{"Idempotency-Key", "d"}}).status, 201) << "a refusal is not remembered";
  EXPECT_EQ(balances(), "200 200 0");
}

TEST_P(Fund, is_of_one_tenant) {
  enable();
  ASSERT_EQ(contribute(100).status, 201);
  server.add_tenant("other");
  CheckedClient other = server.admin("other");
  EXPECT_EQ(other.get(base + "/balance").integer("/currentBalanceCents"), 0);
  EXPECT_EQ(other.get(base + "/ledger").size("/items"), 0u);
  EXPECT_FALSE(other.get(base + "/config").boolean("/enabled"));
  ASSERT_EQ(other.put(base + "/config", R"({"enabled":true})").status, 200);
  const std::string to_ours = fmt::format(R"({{"recipientCustomerId":"{}","amountCents":1,"reason":"r"}})", customer);
  EXPECT_EQ(other.post(base + "/disbursements", to_ours).wrong_fields(),
            std::vector<std::string>{"recipientCustomerId"});
  EXPECT_EQ(other.get(base + "/balance", {{"x-tenant-id", "default"}}).status, 403);
}

TEST_P(Fund, needs_admin_access_and_an_approval_role) {
  enable();
  ASSERT_EQ(contribute(100).status, 201);
  CheckedClient staff = server.member("default", "TenantStaff");
  CheckedClient clerk = server.member("default", "admin.access");
  CheckedClient treasurer = server.member("default", "admin.access", "Treasurer");
  for (const char* path : {"/balance", "/contributions", "/disbursements", "/ledger", "/config"}) {
    EXPECT_EQ(server.client().get(base + path).status, 401) << path;
    EXPECT_EQ(staff.get(base + path).status, 403) << path;
    EXPECT_EQ(clerk.get(base + path).status, 200) << path;
  }
  const std::string one = fmt::format(R"({{"recipientCustomerId":"{}","amountCents":1,"reason":"r"}})", customer);
  EXPECT_EQ(clerk.post(base + "/disbursements", one).status, 403);
  EXPECT_EQ(clerk.post(base + "/disbursements", "{}").status, 403) << "403 comes before 400";
  EXPECT_EQ(clerk.send("POST", base + "/disbursements", "{}", {{"Content-Type", "text/plain"}}).status, 403)
      << "and before 415";
  EXPECT_EQ(treasurer.post(base + "/disbursements", one).status, 403);
  ASSERT_EQ(configure(R"({"disbursementApprovalRoles":["Treasurer"]})").status, 200);
  EXPECT_EQ(treasurer.post(base + "/disbursements", one).status, 201);
  EXPECT_EQ(server.member("default", "TenantAdmin").post(base + "/disbursements", one).status, 403);
  EXPECT_EQ(disburse(1).status, 201) << "the PlatformAdmin holds every role";
  EXPECT_EQ(balances(), "100 2 98");
}

TEST_P(Fund, celebrates_in_the_channel_without_letting_a_name_format) {
  enable();
  ASSERT_EQ(contribute(100).status, 201);
  EXPECT_TRUE(texts(messages_sql).empty()) << "no channel, no message";
  ASSERT_EQ(configure(R"({"celebrationChannelId":"777","celebrationMessageTemplate":"{donor} {amount} {balance}",
                          "anonymousMessageTemplate":"anon {amount}"})")
                .status,
            200);
  ASSERT_EQ(contribute(500).status, 201);
  ASSERT_EQ(contribute(50, R"(,"anonymous":true)").status, 201);
  EXPECT_EQ(texts(messages_sql), (std::vector<std::string>{R"({"channelId":"777","content":"Ada \\*L\\* $5.00 $6.00"})",
                                                           R"({"channelId":"777","content":"anon $0.50"})"}));
}

TEST_P(Fund, keeps_anonymous_donors_out_of_the_audit_trail_and_the_public_view) {
  ASSERT_EQ(configure(R"({"enabled":true,"publicViewEnabled":true})").status, 200);
  ASSERT_EQ(contribute(500, R"(,"anonymous":true,"orderId":"telling-order")").status, 201);
  ASSERT_EQ(contribute(300).status, 201);
  for (const std::string& row : texts(audit_sql)) {
    EXPECT_EQ(row.find("telling-order"), std::string::npos) << row;
    if (row.find(R"("after":500)") != std::string::npos) EXPECT_EQ(row.find(customer), std::string::npos) << row;
  }
  const HttpReply shown = server.client().get("/api/community-fund/default/public");
  ASSERT_EQ(shown.status, 200);
  EXPECT_EQ(shown.integer("/totalContributedCents"), 800);
  EXPECT_EQ(shown.integer("/currentBalanceCents"), 800);
  ASSERT_EQ(shown.size("/contributions"), 2u);
  EXPECT_EQ(shown.text("/contributions/0/donor"), "Ada *L*");
  EXPECT_TRUE(shown.is_null("/contributions/1/donor"));
  EXPECT_EQ(shown.body.find(customer), std::string::npos);
  EXPECT_EQ(shown.body.find("telling-order"), std::string::npos);
  EXPECT_EQ(admin.get(base + "/contributions").text("/items/1/customerId"), customer) << "admins see the contract's";
}

TEST_P(Fund, is_shown_to_the_public_only_when_its_tenant_wants) {
  const auto status = [&](const std::string& tenant) {
    return server.client().get("/api/community-fund/" + tenant + "/public").status;
  };
  EXPECT_EQ(status("default"), 404);
  EXPECT_EQ(status("nobody"), 404);
  EXPECT_EQ(server.client().get("/api/community-fund/default/public").body,
            server.client().get("/api/community-fund/nobody/public").body);
  enable();
  EXPECT_EQ(status("default"), 404);
  ASSERT_EQ(configure(R"({"publicViewEnabled":true})").status, 200);
  EXPECT_EQ(status("default"), 200);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(contribute(100).status, 201);
  const HttpReply page = server.client().get("/api/community-fund/default/public?limit=3");
  EXPECT_EQ(page.size("/contributions"), 3u);
  const HttpReply rest =
      server.client().get("/api/community-fund/default/public?limit=3&cursor=" + page.text("/nextCursor"));
  EXPECT_EQ(rest.size("/contributions"), 2u);
  EXPECT_TRUE(rest.is_null("/nextCursor"));
  EXPECT_EQ(server.client().get("/api/community-fund/default/public?limit=101").status, 400);
}

TEST_P(Fund, is_never_overspent_by_many_at_once) {
  enable();
  ASSERT_EQ(contribute(1000).status, 201);
  std::atomic<int> paid = 0, refused = 0;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, client = admin]() mutable {
      for (int n = 0; n < 5; ++n) {
        const HttpReply reply =
            client.post(base + "/disbursements",
                        fmt::format(R"({{"recipientCustomerId":"{}","amountCents":70,"reason":"r"}})", customer));
        reply.status == 201 ? ++paid : ++refused;
        EXPECT_TRUE(reply.status == 201 || reply.code() == "INSUFFICIENT_BALANCE") << reply.body;
      }
    });
  }
  clients.clear();
  EXPECT_EQ(paid, 14);
  EXPECT_EQ(refused, 26);
  EXPECT_EQ(balances(), "1000 980 20");
}

}  // namespace
}  // namespace guildhall
