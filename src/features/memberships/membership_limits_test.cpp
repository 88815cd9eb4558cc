// The limits of what a shop may store about its memberships.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/memberships/membership_code_actions.h"
#include "features/memberships/membership_code_store.h"
#include "features/memberships/membership_store.h"
#include "storage/columns.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpReply;

class MembershipLimits : public test::OnEachPair {
 protected:
  std::string plan(const std::string& sku) {
    return test::created(shop, "product",
                         fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":1000,"inventoryTracked":false,)"
                                     R"("membership":{{"periodDays":30,"group":"g"}}}})",
                                     sku));
  }
  HttpReply pay(const std::string& product) {
    return shop.post("/api/data/order",
                     fmt::format(R"({{"orderNumber":"{}","status":"PAID","customer":{{"name":"Ada","chatId":"7"}},)"
                                 R"("items":[{{"productId":"{}","quantity":1}}]}})",
                                 test::fresh_name(), product));
  }
  Membership membership() {
    std::vector<Membership> found;
    server.storage().read_now([&](Tx& tx) { found = tx.all(memberships_of_chat_user(tenant, "7", 2)); });
    return found.at(0);
  }
  HttpReply act(const std::string& action, const std::string& body = "") {
    return shop.post(fmt::format("/api/admin/memberships/{}/{}", membership().id.text(), action), body);
  }

  const TenantId tenant{std::string("default")};
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, MembershipLimits, test::engines, test::engine_name);

TEST_P(MembershipLimits, count_changes_of_the_plan_together_with_the_other_changes) {
  const std::string basic = plan("BASIC"), better = plan("BETTER");
  ASSERT_EQ(pay(basic).status, 201);
  server.write([&](Tx& tx) {
    static const Sql sql("UPDATE memberships SET changes = $2 WHERE tenant_id = $1");
    const std::vector<MembershipChange> changes(membership_changes_max - 2, {MembershipChangeKind::CANCELLED, now()});
    tx.run({&sql, params(tenant, changes)});
  });
  const auto change_to = [&](const std::string& product) {
    return act("plan", fmt::format(R"({{"productId":"{}"}})", product));
  };
  EXPECT_EQ(change_to(better).status, 200);
  EXPECT_EQ(change_to(basic).status, 200);
  EXPECT_EQ(change_to(better).code(), "TOO_MANY_CHANGES");
  EXPECT_EQ(act("pause").code(), "TOO_MANY_CHANGES");
  EXPECT_EQ(membership().product_id.text(), basic);
  EXPECT_EQ(pay(better).status, 201) << "a payment is no change by an admin";
}

TEST_P(MembershipLimits, end_the_payments_of_one_member) {
  const std::string basic = plan("BASIC");
  ASSERT_EQ(pay(basic).status, 201);
  const MembershipId id = membership().id;
  server.write([&](Tx& tx) {
    MembershipPeriod period = tx.all(periods_of_membership(tenant, id)).at(0);
    for (std::size_t i = 2; i < membership_periods_max; ++i) {
      period.id = MembershipPeriodId::make(now());
      period.source_key.value = period.id.text();
      insert_period(tx, period);
    }
  });
  EXPECT_EQ(pay(basic).status, 201);
  EXPECT_EQ(pay(basic).code(), "TOO_MANY_PERIODS");
}

TEST_P(MembershipLimits, let_a_membership_without_periods_end) {
  const std::string basic = plan("BASIC");
  ASSERT_EQ(pay(basic).status, 201);
  server.write([&](Tx& tx) {
    static const Sql sql("DELETE FROM membership_periods WHERE tenant_id = $1");
    tx.run({&sql, params(tenant)});
  });
  EXPECT_EQ(act("pause").status, 200);
  EXPECT_EQ(membership().status, MembershipStatus::ENDED);
  EXPECT_EQ(pay(basic).status, 201);
  EXPECT_EQ(membership().status, MembershipStatus::ACTIVE);
}

class CodeLimits : public MembershipLimits {
 protected:
  HttpReply make_codes(int number, const test::HttpHeaders& headers = {}) {
    return shop.post("/api/admin/codes", fmt::format(R"({{"productId":"{}","count":{}}})", product, number), headers);
  }
  std::int64_t number_of(const std::string& status) {
    return shop.get("/api/admin/codes?total=true&status=" + status).integer("/total");
  }
  std::int64_t audit_entries() {
    static const Sql sql(
        "SELECT COUNT(*) FROM audit_entries WHERE tenant_id = 'default' AND subject = 'membership-code'");
    std::int64_t found = 0;
    server.storage().read_now([&](Tx& tx) { tx.run({&sql, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }
  void redeem(const std::string& code) {
    server.write([&](Tx& tx) {
      redeem_code({tx, server.events(), tenant, {}, now()}, code, {HolderId(code), std::nullopt, code});
    });
  }

  // In portions, because a statement may take ten seconds.
  void leave_room_for_five() {
    static const Sql sql(
        "INSERT INTO membership_codes (id, tenant_id, product_id, periods, status, hint, created_at, updated_at,"
        " version, code_hash) WITH RECURSIVE n(i) AS (SELECT CAST($1 AS bigint) UNION ALL SELECT i + 1 FROM n"
        " WHERE i + 1 < $2) SELECT 'c' || i, 'default', 'p', 1, 'OPEN', 'h', 0, 0, 1, 'h' || i FROM n");
    constexpr std::int64_t portion = 10'000;
    for (std::int64_t begin = 0; begin < open_codes_max; begin += portion) {
      const std::int64_t end = std::min(begin + portion, open_codes_max - 5);
      server.write([&](Tx& tx) { tx.run({&sql, params(begin, end)}); });
    }
  }
  std::int64_t open_codes_now() {
    std::int64_t found = 0;
    server.storage().read_now([&](Tx& tx) { found = *tx.one(number_of_open_codes(tenant, 2 * open_codes_max)); });
    return found;
  }
  CodeBatch batch_of(std::int64_t count) {
    return {{.product_id = ProductId(product), .count = {count}, .note = {}, .expires_at = {}}, tenant, now()};
  }
  void store_and_open(const CodeBatch& batch, std::int64_t batches) {
    server.write([&](Tx& tx) {
      for (std::size_t number = 0; number < batch.codes().size(); ++number) insert_code(tx, batch.record(number));
      open_codes({tx, server.events(), tenant, {}, now()}, batch, batches);
    });
  }
  // How many of the requests, each for one code, succeed.
  int make_codes_at_once(int requests) {
    std::atomic<int> made = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < requests; ++i) {
      threads.emplace_back([&] {
        test::CheckedClient client = shop;  // of more than five who sign in at once some get 503
        const std::string body = fmt::format(R"({{"productId":"{}","count":1}})", product);
        if (client.post("/api/admin/codes", body).status == 201) ++made;
      });
    }
    for (std::thread& thread : threads) thread.join();
    return made;
  }

  const std::string product = plan("VIP");
};
INSTANTIATE_TEST_SUITE_P(Pairs, CodeLimits, test::engines, test::engine_name);

TEST_P(CodeLimits, make_many_codes_in_portions_with_one_audit_entry) {
  const HttpReply made = make_codes(250);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.size("/codes"), 250u);
  EXPECT_EQ(number_of("OPEN"), 250);
  EXPECT_EQ(audit_entries(), 1);
  redeem(made.text("/codes/0"));
  redeem(made.text("/codes/249"));
  EXPECT_THROW(redeem(made.text("/codes/249")), Failure);
  EXPECT_EQ(number_of("REDEEMED"), 2);
}

TEST_P(CodeLimits, let_nobody_redeem_the_codes_of_a_request_that_has_not_ended) {
  const CodeBatch batch({.product_id = ProductId(product), .count = {3}, .note = {}, .expires_at = {}}, tenant, now());
  server.write([&](Tx& tx) {
    for (std::size_t number = 0; number < 2; ++number) insert_code(tx, batch.record(number));
  });
  EXPECT_THROW(redeem(batch.codes()[0]), Failure);
  EXPECT_THROW(server.write([&](Tx& tx) {
    open_codes({tx, server.events(), tenant, {}, now()}, batch, 0);
  }),
               std::runtime_error)
      << "one is missing";
  EXPECT_EQ(number_of("OPEN"), 0);
  EXPECT_EQ(audit_entries(), 0);
  server.write([&](Tx& tx) { EXPECT_EQ(delete_some_of_batch(tx, batch, 100), 2); });
  EXPECT_EQ(number_of("WITHDRAWN"), 0);
}

TEST_P(CodeLimits, make_the_codes_of_one_key_once_and_leave_nothing_of_the_other_attempt) {
  std::atomic<int> shown = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      test::CheckedClient client = server.admin();
      const HttpReply reply = client.post(
          "/api/admin/codes", fmt::format(R"({{"productId":"{}","count":200}})", product), {{"Idempotency-Key", "k"}});
      if (reply.status == 201 && !reply.is_null("/codes")) ++shown;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shown, 1);
  EXPECT_EQ(number_of("OPEN"), 200);
  EXPECT_EQ(number_of("WITHDRAWN"), 0);
  EXPECT_EQ(audit_entries(), 1);
}

TEST_P(CodeLimits, count_the_open_codes_of_a_shop) {
  leave_room_for_five();
  EXPECT_EQ(make_codes(6).code(), "TOO_MANY_CODES");
  EXPECT_EQ(number_of("WITHDRAWN"), 0);
  const CodeBatch first = batch_of(3), second = batch_of(3);
  std::int64_t batches = -1;
  server.storage().read_now([&](Tx& tx) {
    batches = require_possible_codes(tx, first);
    EXPECT_EQ(require_possible_codes(tx, second), batches);
  });
  store_and_open(first, batches);
  EXPECT_THROW(store_and_open(second, batches), Failure) << "the first ones were opened since they were counted";
  EXPECT_EQ(make_codes_at_once(6), 2);
  EXPECT_EQ(open_codes_now(), open_codes_max);
  EXPECT_EQ(number_of("WITHDRAWN"), 0);
  EXPECT_EQ(make_codes(1).code(), "TOO_MANY_CODES");
  ASSERT_EQ(shop.del("/api/admin/codes/c1").status, 204);
  EXPECT_EQ(make_codes(1).status, 201);
}

TEST_P(MembershipLimits, count_a_request_for_codes_by_their_number) {
  const std::string name = test::fresh_name();
  test::TestServer limited(
      GetParam(),
      {{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_TENANT_PER_MIN", "150"}, {"DEFAULT_TENANT_ID", name}});
  test::CheckedClient admin = limited.admin(name);
  const std::string product = test::created(
      admin, "product", R"({"name":"n","sku":"s","priceCents":1,"isDigital":true,"membership":{"periodDays":30}})");
  const auto make = [&](int number) {
    return admin.post("/api/admin/codes", fmt::format(R"({{"productId":"{}","count":{}}})", product, number));
  };
  const HttpReply first = make(1000);
  ASSERT_EQ(first.status, 201) << first.body;
  EXPECT_LT(std::stoi(first.header("ratelimit-remaining")), 50);
  EXPECT_EQ(make(1000).status, 429);
  EXPECT_EQ(make(10).status, 201) << "what was refused does not count";
}

}  // namespace
}  // namespace guildhall
