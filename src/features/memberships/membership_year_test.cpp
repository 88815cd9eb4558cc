// Members who pay, are refunded and stay away at random, day after day, with restarts in between. A model in whole days
// says who must have the role and how many reminders each member must have received. `script/test --long` simulates a
// year of 1,000 members and compares the roles on the chat server at the end of every day.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

#include "features/memberships/membership_job.h"
#include "features/memberships/membership_store.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_number.h"
#include "features/tenancy/guild_binding.h"
#include "storage/columns.h"
#include "support/eventually.h"
#include "support/guild_members.h"
#include "support/shop.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;

constexpr int period_days = 30, grace_days = 3;
constexpr int reminder_days[] = {7, 1};

struct Extent {
  int members, days, days_between_comparisons, days_between_restarts;
};

Extent extent() {
  return std::getenv("GUILDHALL_LONG") != nullptr ? Extent{1000, 365, 1, 30} : Extent{40, 90, 15, 45};
}

// One member in whole days. All that happens on a day happens at the same time of the day, or a little later than on
// the days before: a time that ends on a day has ended when the day's payments are made.
struct Member {
  struct Payment {
    OrderId order;
    int paid_on = 0;
    std::set<int> reminded{};
  };
  std::string id;
  bool was_member = false;
  int begin = 0, end = 0;                   // the days on which the uninterrupted time begins and ends
  Instant begins_after{}, begins_before{};  // the beginning is between these
  bool has_grace = true;
  std::vector<Payment> present{};  // the payments of the uninterrupted time
  int reminders = 0;

  bool has_role(int today) const { return was_member && today < end + (has_grace ? grace_days : 0); }

  void pay(const OrderId& order, int today, Instant earliest, Instant latest) {
    if (!has_role(today)) {
      present.clear();
      begin = end = today;
      begins_after = earliest;
      begins_before = latest;
    }
    was_member = has_grace = true;
    end += period_days;
    present.push_back({order, today});
  }

  OrderId take_refundable(std::mt19937& random) {
    const auto at = std::uniform_int_distribution<std::size_t>(0, present.size() - 1)(random);
    const OrderId order = present[at].order;
    present.erase(present.begin() + static_cast<std::ptrdiff_t>(at));
    return order;
  }

  void refund(int today) {
    end -= period_days;
    if (end <= today) has_grace = false;
  }

  // Of several reminders that are due only the most urgent one is sent.
  void remind(int today) {
    if (today >= end || present.empty()) return;
    Payment& last = present.back();
    bool is_new = false;
    for (const int day : reminder_days) {
      if (end - day <= last.paid_on || end - day > today) continue;
      is_new = last.reminded.insert(day).second;
    }
    reminders += is_new ? 1 : 0;
  }
};

class MembershipYear : public ::testing::TestWithParam<test::Engine> {
 protected:
  MembershipYear() {
    server.write([&](Tx& tx) { bind_guild(tx, tenant, "900", now()); });
    test::CheckedClient admin = server.admin();
    test::send_only_reminders(admin);
    product = ProductId(test::created(
        admin, "product",
        fmt::format(R"({{"name":"VIP","sku":"VIP","priceCents":500,"inventoryTracked":false,"grantedRoleIds":["41"],)"
                    R"("membership":{{"periodDays":{},"graceDays":{},"reminderDays":[7,1]}}}})",
                    period_days, grace_days)));
    for (int i = 0; i < extent().members; ++i) {
      members.push_back({.id = fmt::format("m{}", i)});
      chat.add_member(members.back().id);
    }
  }

  ActionContext context(Tx& tx) { return {tx, server.events(), tenant, actor, now()}; }

  void pay(Member& member) {
    NewOrder input;
    input.items.value = {
        {.product_id = product, .name = {}, .sku = {}, .quantity = {1}, .unit_price_cents = {}, .currency = {}}};
    input.order_number.value = make_order_number();
    input.customer.name.value = member.id;
    input.customer.chat_id = Key{member.id};
    input.status.value = OrderStatus::PAID;
    OrderId order;
    const Instant earliest = now();
    server.write([&](Tx& tx) { order = place_order(context(tx), input).id; });
    member.pay(order, today, earliest, now());
  }

  void refund(Member& member) {
    const OrderId order = member.take_refundable(random);
    server.write([&](Tx& tx) { move_order(context(tx), order, OrderStatus::REFUNDED); });
    member.refund(today);
  }

  bool happens(double probability) { return std::bernoulli_distribution(probability)(random); }

  // The server's own job may run at any time, which must make no difference.
  void handle_due() {
    handle_due_memberships(server.storage(), server.events(), now());
    for (Member& member : members) member.remind(today);
  }

  void live_a_day() {
    clock.advance(24h);
    ++today;
    handle_due();
    for (Member& member : members) {
      const bool is_late = member.was_member && today >= member.end - 2;
      if (happens(is_late ? 0.25 : 0.02)) pay(member);
      if (!member.present.empty() && happens(0.005)) refund(member);
    }
    handle_due();
  }

  void compare_records() {
    static const Sql sql("SELECT chat_user_id, status, expires_at FROM memberships WHERE tenant_id = $1");
    std::map<std::string, std::pair<std::string, Instant>> stored;
    server.storage().read_now([&](Tx& tx) {
      stored.clear();
      tx.run({&sql, params(tenant)}, [&](const Row& row) {
        stored[std::string(row.text(0))] = {std::string(row.text(1)), Instant{row.integer(2)}};
      });
    });
    for (const Member& member : members) {
      if (!member.was_member) continue;
      const auto& [status, end] = stored.at(member.id);
      EXPECT_EQ(status == "ACTIVE", member.has_role(today)) << member.id << " on day " << today;
      const Instant begin = end - std::chrono::days(member.end - member.begin);
      EXPECT_GE(begin, member.begins_after) << member.id << " on day " << today;
      EXPECT_LE(begin, member.begins_before) << member.id << " on day " << today;
    }
  }

  struct Pending {
    std::int64_t messages = 0, claimed = 0;
    Instant due;  // the earliest
  };
  Pending pending_messages() {
    static const Sql sql(
        "SELECT COUNT(*), COUNT(claimed_until), COALESCE(MIN(due_at), 0) FROM outbox_messages"
        " WHERE tenant_id = $1 AND status = 'PENDING'");
    Pending pending;
    server.storage().read_now([&](Tx& tx) {
      tx.run({&sql, params(tenant)}, [&](const Row& row) {
        pending = {row.integer(0), row.integer(1), {row.integer(2)}};
      });
    });
    return pending;
  }

  // Roles are taken a little after the end, and the chat platform accepts only so many calls in a second. Moves the
  // clock on to the next delivery while none is running, since the end of a running one would be taken for lost.
  bool deliver_messages() {
    return test::eventually([&] {
      const Pending pending = pending_messages();
      if (pending.messages == 0) return true;
      if (pending.claimed == 0) clock.advance(std::max(1'000ms, std::chrono::milliseconds(pending.due.ms - now().ms)));
      return false;
    });
  }

  void compare_roles() {
    ASSERT_TRUE(deliver_messages()) << pending_messages().messages << " messages wait on day " << today;
    std::set<std::string> expected;
    for (const Member& member : members) {
      if (member.has_role(today)) expected.insert(member.id);
      ASSERT_EQ(static_cast<int>(chat.messages_to(member.id).size()), member.reminders)
          << member.id << " on day " << today;
    }
    EXPECT_EQ(chat.members_with("41"), expected) << "on day " << today;
  }

  const TenantId tenant{std::string("default")};
  const Actor actor{ActorKind::SYSTEM, "test", ""};
  test::GuildMembers chat;
  test::TestServer server{GetParam(), chat.environment("CHAT_")};
  test::TestClock clock;
  ProductId product;
  std::vector<Member> members;
  std::mt19937 random{20261117};
  int today = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, MembershipYear, test::engines, test::engine_name);

TEST_P(MembershipYear, gives_every_member_the_role_for_as_long_as_it_is_paid) {
  const auto [count, days, days_between_comparisons, days_between_restarts] = extent();
  while (today < days && !HasFailure()) {
    live_a_day();
    compare_records();
    if (today % days_between_comparisons == 0) compare_roles();
    if (today % days_between_restarts == 0) server.restart();
  }
}

}  // namespace
}  // namespace guildhall
