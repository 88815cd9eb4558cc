#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/memberships/membership_job.h"
#include "features/memberships/membership_time.h"
#include "features/tenancy/guild_binding.h"
#include "support/emitted_events.h"
#include "support/eventually.h"
#include "support/guild_members.h"
#include "support/shop.h"
#include "support/smtp_stand_in.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using test::CheckedClient, test::HttpReply, test::TestServer;

constexpr const char* all = "/api/admin/memberships";

class Memberships : public ::testing::TestWithParam<test::Engine> {
 protected:
  Memberships() {
    for (int i = 0; i < 10; ++i) chat.add_member(std::to_string(i));
    server.write([](Tx& tx) { bind_guild(tx, TenantId(std::string("default")), "900", now()); });
    test::send_only_reminders(admin);
  }

  std::string plan(const std::string& sku, const std::string& terms, std::int64_t cents = 1000,
                   const std::string& role = "41") {
    return test::created(admin, "product",
                         fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":{1},"inventoryTracked":false,)"
                                     R"("grantedRoleIds":["{2}"],"membership":{{{3}}}}})",
                                     sku, cents, role, terms));
  }
  std::string pay(const std::string& product, const std::string& member = "7", const std::string& rest = "",
                  std::int64_t quantity = 1) {
    return test::created(
        admin, "order",
        fmt::format(R"({{"orderNumber":"{}","status":"PAID","customer":{{"name":"Ada","chatId":"{}"}},)"
                    R"("items":[{{"productId":"{}","quantity":{}}}]{}}})",
                    make_uuid(now()), member, product, quantity, rest));
  }
  HttpReply membership(const std::string& member = "7") {
    const HttpReply list = admin.get(fmt::format("{}?chatUserId={}", all, member));
    EXPECT_EQ(list.size("/items"), 1u) << list.body;
    return admin.get(fmt::format("{}/{}", all, list.text("/items/0/id")));
  }
  Instant time(const HttpReply& reply, const std::string& field) { return parse_instant(reply.text(field)).value(); }
  // The server's own job does the same every ten seconds.
  void handle_due() { handle_due_memberships(server.storage(), server.events(), now()); }
  void advance(std::chrono::milliseconds by) {
    clock.advance(by);
    admin.cookies = server.admin().cookies;  // the session in the memory cache has expired
  }
  std::map<std::string, std::string> environment() {
    auto variables = chat.environment("CHAT_");
    variables.insert({{"SMTP_URL", smtp.url()}, {"SMTP_FROM", "shop@example.com"}});
    return variables;
  }
  void await_role(const std::string& member, bool present, const std::string& role = "41") {
    EXPECT_TRUE(test::eventually([&] { return chat.members_with(role).contains(member) == present; })) << member;
  }

  test::GuildMembers chat;
  test::SmtpStandIn smtp;
  TestServer server{GetParam(), environment()};
  test::TestClock clock;
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Memberships, test::engines, test::engine_name);

TEST_P(Memberships, have_terms_that_are_checked) {
  const auto wrong = [&](const std::string& terms) {
    return admin
        .post("/api/data/product", fmt::format(R"({{"name":"V","sku":"V","priceCents":1,"membership":{}}})", terms))
        .wrong_fields();
  };
  using Fields = std::vector<std::string>;
  EXPECT_EQ(wrong("{}"), Fields{"membership.periodDays"});
  EXPECT_EQ(wrong(R"({"periodDays":1,"periodMonths":1})"), Fields{"membership.periodMonths"});
  EXPECT_EQ(wrong(R"({"periodDays":0,"trialDays":-1,"graceDays":91,"renewal":"card","reminderDays":[0]})"),
            (Fields{"membership.graceDays", "membership.periodDays", "membership.reminderDays[0]", "membership.renewal",
                    "membership.trialDays"}));
  EXPECT_EQ(wrong(R"({"periodDays":1,"reminderDays":[3,3]})"), Fields{"membership.reminderDays"});
  EXPECT_EQ(wrong(R"({"periodDays":1,"renewal":"invoice","reminderDays":[]})"), Fields{"membership.reminderDays"});
  const std::string path = "/api/data/product/" + plan("VIP", R"("periodMonths":1,"reminderDays":[1,7])");
  const HttpReply made = admin.get(path);
  EXPECT_EQ(made.integer("/membership/reminderDays/0"), 7);
  EXPECT_EQ(made.text("/membership/renewal"), "manual");
  EXPECT_TRUE(admin.patch(path, R"({"membership":null})").is_null("/membership"));
}

TEST_P(Memberships, are_extended_by_each_payment_and_shortened_by_a_refund) {
  const std::string vip = plan("VIP", R"("periodDays":30)");
  const Instant start = now();
  const std::string first = pay(vip);
  const Instant end = time(membership(), "/expiresAt");
  EXPECT_GE(end, start + days(30));
  await_role("7", true);
  advance(24h);
  const std::string second = pay(vip, "7", "", 2);
  EXPECT_EQ(time(membership(), "/expiresAt"), end + days(60)) << "from the present end, for two periods";
  const HttpReply entitlements = admin.get("/api/data/entitlement");
  EXPECT_EQ(entitlements.size("/items"), 1u) << entitlements.body;
  EXPECT_EQ(time(entitlements, "/items/0/expiresAt"), end + days(60));
  EXPECT_EQ(entitlements.text("/items/0/membershipId"), membership().text("/id"));

  EXPECT_EQ(admin.patch("/api/data/order/" + first, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(time(membership(), "/expiresAt"), end + days(30));
  EXPECT_EQ(membership().text("/status"), "ACTIVE");
  EXPECT_EQ(admin.patch("/api/data/order/" + second, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(membership().text("/status"), "ENDED");
  const HttpReply revoked = admin.get("/api/data/entitlement");
  EXPECT_EQ(revoked.text("/items/0/status"), "REVOKED");
  EXPECT_EQ(revoked.text("/items/0/reason"), "REFUNDED");
  await_role("7", false);
  const HttpReply periods = admin.get(fmt::format("{}/{}/periods", all, membership().text("/id")));
  EXPECT_EQ(periods.size("/items"), 2u);
  EXPECT_EQ(periods.text("/items/0/orderId"), second);
  EXPECT_FALSE(periods.is_null("/items/0/refundedAt"));
}

TEST_P(Memberships, end_after_the_grace_and_begin_again_when_they_are_paid) {
  test::listen_to_events(server);
  const std::string vip = plan("VIP", R"("periodDays":10,"graceDays":2,"reminderDays":[])");
  pay(vip);
  await_role("7", true);
  advance(days(11));
  handle_due();
  EXPECT_EQ(membership().text("/status"), "ACTIVE") << "in the grace";
  advance(days(1) + 1s);
  handle_due();
  EXPECT_EQ(membership().text("/status"), "ENDED");
  const HttpReply expired = admin.get("/api/data/entitlement");
  EXPECT_EQ(expired.text("/items/0/status"), "REVOKED");
  EXPECT_EQ(expired.text("/items/0/reason"), "EXPIRED");
  advance(1min);
  await_role("7", false);
  const Instant again = now();
  pay(vip);
  EXPECT_GE(time(membership(), "/expiresAt"), again + days(10));
  await_role("7", true);
  const auto events = test::emitted_events(server);
  for (const char* name : {"membership.started", "membership.ended"}) {
    EXPECT_EQ(std::count(events.begin(), events.end(), name), name == std::string("membership.started") ? 2 : 1);
  }
}

TEST_P(Memberships, are_announced_to_end_once_with_an_order_and_its_invoice) {
  const std::string customer =
      admin
          .post("/api/data/customer",
                R"({"chatId":"7","chatUsername":"ada","chatDisplayName":"Ada","email":"ada@example.com"})")
          .text("/id");
  const std::string vip = plan("VIP", R"("periodDays":30,"renewal":"invoice","reminderDays":[7,1])");
  pay(vip);
  const Instant end = time(membership(), "/expiresAt");
  advance(days(23) + 1s);
  std::vector<std::thread> nodes;
  for (int i = 0; i < 4; ++i) nodes.emplace_back([&] { handle_due(); });
  for (std::thread& node : nodes) node.join();
  handle_due();
  ASSERT_TRUE(test::eventually([&] { return chat.messages_to("7").size() == 1; }));
  const std::string message = chat.messages_to("7").front();
  EXPECT_NE(message.find("**VIP**"), std::string::npos) << message;
  const std::string order = membership().text("/renewalOrderId");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/status"), "PENDING_PAYMENT");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/customerId"), customer);
  const std::size_t link = message.find("/orders/invoice/");
  ASSERT_NE(link, std::string::npos) << message;
  test::HttpClient browser(server.port());
  EXPECT_EQ(browser.get(message.substr(link, message.find('"', link) - link)).status, 200);
  ASSERT_TRUE(smtp.wait_for_mails(1));
  EXPECT_NE(smtp.mails().front().text.find("/orders/invoice/"), std::string::npos);

  advance(days(6));
  handle_due();
  ASSERT_TRUE(test::eventually([&] { return chat.messages_to("7").size() == 2; }));
  EXPECT_EQ(membership().text("/renewalOrderId"), order) << "one order for each period";
  EXPECT_EQ(admin.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200);
  EXPECT_EQ(time(membership(), "/expiresAt"), end + days(30));
  EXPECT_TRUE(membership().is_null("/renewalOrderId"));
}

TEST_P(Memberships, are_paused_resumed_and_cancelled) {
  pay(plan("VIP", R"("periodDays":30,"graceDays":5)"));
  await_role("7", true);
  const HttpReply before = membership();
  const std::string path = fmt::format("{}/{}", all, before.text("/id"));
  EXPECT_EQ(admin.post(path + "/resume", "{}").code(), "MEMBERSHIP_NOT_PAUSED");
  EXPECT_EQ(admin.post(path + "/pause", "{}", {{"If-Match", "\"99\""}}).status, 412);
  EXPECT_EQ(admin.post(path + "/pause", "{}", {{"If-Match", before.header("etag")}}).text("/status"), "PAUSED");
  EXPECT_EQ(admin.post(path + "/pause", "{}").code(), "MEMBERSHIP_NOT_ACTIVE");
  await_role("7", false);
  advance(days(40));
  handle_due();
  EXPECT_EQ(membership().text("/status"), "PAUSED") << "the time stands still";
  const HttpReply resumed = admin.post(path + "/resume", "{}");
  EXPECT_GE(time(resumed, "/expiresAt"), time(before, "/expiresAt") + days(40));
  await_role("7", true);
  const HttpReply cancelled = admin.post(path + "/cancel", "{}");
  EXPECT_EQ(cancelled.text("/status"), "ACTIVE");
  EXPECT_EQ(cancelled.text("/graceEndsAt"), cancelled.text("/expiresAt"));
  EXPECT_FALSE(cancelled.is_null("/cancelledAt"));
  advance(days(31));
  handle_due();
  EXPECT_EQ(membership().text("/status"), "ENDED");
  EXPECT_EQ(admin.post(path + "/cancel", "{}").code(), "MEMBERSHIP_NOT_ACTIVE");
  EXPECT_TRUE(chat.messages_to("7").empty()) << "no reminder after it was cancelled";
}

TEST_P(Memberships, of_one_group_are_changed_and_changed_back) {
  const std::string basic = plan("BASIC", R"("periodDays":30,"group":"g")", 1000, "41");
  const std::string better = plan("BETTER", R"("periodDays":30,"group":"g")", 2000, "42");
  pay(basic);
  await_role("7", true);
  const Instant end = time(membership(), "/expiresAt");
  advance(days(15));
  const std::string change = pay(better);
  EXPECT_EQ(membership().text("/productId"), better);
  const auto left = time(membership(), "/expiresAt").ms - now().ms;
  EXPECT_NEAR(static_cast<double>(left) / 86'400'000, 37.5, 0.1);
  await_role("7", true, "42");
  await_role("7", false, "41");
  EXPECT_EQ(admin.patch("/api/data/order/" + change, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(time(membership(), "/expiresAt"), end);
  await_role("7", true, "41");
  await_role("7", false, "42");
}

TEST_P(Memberships, are_changed_to_another_plan_by_an_admin) {
  const std::string basic = plan("BASIC", R"("periodDays":30,"trialDays":7,"group":"g")", 1000, "41");
  const std::string better = plan("BETTER", R"("periodDays":30,"group":"g")", 2000, "42");
  const std::string other = plan("OTHER", R"("periodDays":30)", 2000, "42");
  const std::string first = pay(basic);
  await_role("7", true);
  const std::string path = fmt::format("{}/{}/plan", all, membership().text("/id"));
  const auto body = [](const std::string& product) { return fmt::format(R"({{"productId":"{}"}})", product); };
  EXPECT_EQ(admin.post(path, body(other)).wrong_fields(), std::vector<std::string>{"productId"});
  EXPECT_EQ(admin.post(path, body(better), {{"If-Match", "\"99\""}}).status, 412);
  const HttpReply changed = admin.post(path, body(better));
  EXPECT_EQ(changed.text("/productId"), better) << changed.body;
  const auto left = time(changed, "/expiresAt").ms - now().ms;
  EXPECT_NEAR(static_cast<double>(left) / 86'400'000, 15, 0.1);
  await_role("7", true, "42");
  await_role("7", false, "41");
  EXPECT_EQ(admin.patch("/api/data/order/" + first, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(membership().text("/status"), "ENDED") << "nothing is left that was paid";
  EXPECT_EQ(admin.post(path, body(basic)).code(), "MEMBERSHIP_NOT_ACTIVE");
}

TEST_P(Memberships, count_months_in_the_time_zone_of_the_shop) {
  EXPECT_EQ(admin.put("/api/admin/settings", R"({"timeZone":"America/New_York"})").status, 200);
  pay(plan("VIP", R"("periodMonths":5)"));
  const HttpReply paid = membership();
  const TimeZone zone = TimeZone::find("America/New_York").value();
  EXPECT_EQ(time(paid, "/expiresAt"), add_months(time(paid, "/startedAt"), 5, zone));
  const std::string periods = fmt::format("{}/{}/periods", all, paid.text("/id"));
  EXPECT_EQ(admin.get(periods).text("/items/0/timeZone"), "America/New_York");
}

TEST_P(Memberships, can_be_given_to_another_member_who_learns_from_whom) {
  admin.post("/api/data/customer", R"({"chatId":"5","chatUsername":"bob","chatDisplayName":"Bob"})");
  pay(plan("VIP", R"("periodMonths":1)"), "5", R"(,"giftTo":"7")");
  await_role("7", true);
  EXPECT_FALSE(chat.members_with("41").contains("5"));
  ASSERT_TRUE(test::eventually([&] { return chat.messages_to("7").size() == 1; }));
  EXPECT_NE(chat.messages_to("7").front().find("Bob has given you"), std::string::npos);
  EXPECT_EQ(admin.get(fmt::format("{}/{}/periods", all, membership().text("/id"))).text("/items/0/giftedBy"), "5");
}

TEST_P(Memberships, that_are_paid_at_the_moment_of_their_end_keep_their_role) {
  constexpr int members = 8;
  const std::string vip = plan("VIP", R"("periodDays":10,"reminderDays":[])");
  const auto name = [](int i) { return std::to_string(i); };
  for (int i = 0; i < members; ++i) {
    advance(24h);
    pay(vip, name(i));
  }
  EXPECT_TRUE(test::eventually([&] { return chat.members_with("41").size() == members; }));
  advance(days(10 - members));
  for (int i = 0; i < members; ++i) {
    advance(24h);
    std::thread job([&] { handle_due(); });
    pay(vip, name(i));
    job.join();
    const HttpReply paid = membership(name(i));
    const auto left = time(paid, "/expiresAt").ms - now().ms;
    EXPECT_NEAR(static_cast<double>(left) / 86'400'000, 10, 0.1) << "exactly one period";
    EXPECT_EQ(paid.text("/status"), "ACTIVE");
  }
  advance(1min);
  EXPECT_TRUE(test::eventually([&] { return admin.get("/api/admin/outbox?status=PENDING").size("/items") == 0; }));
  EXPECT_EQ(chat.removals(), 0);
  EXPECT_EQ(chat.members_with("41").size(), static_cast<std::size_t>(members));
}

TEST_P(Memberships, are_counted_in_a_report) {
  const std::string vip = plan("VIP", R"("periodMonths":3,"reminderDays":[])", 3000);
  const std::string weekly = plan("WEEKLY", R"("periodDays":7,"reminderDays":[])", 700, "42");
  for (const char* member : {"1", "2", "3"}) pay(vip, member);
  pay(weekly, "4");
  advance(days(40));
  handle_due();
  pay(vip, "1");
  const HttpReply report = admin.get("/api/admin/reports/memberships");
  ASSERT_EQ(report.status, 200) << report.body;
  EXPECT_EQ(report.integer("/totals/renewed"), 1);
  EXPECT_EQ(report.integer("/totals/ended"), 1);
  EXPECT_EQ(report.integer("/totals/started"), 0) << "earlier than the last 30 days";
  EXPECT_EQ(report.integer("/totals/revenueCents"), 3000);
  EXPECT_EQ(report.integer("/members"), 3);
  EXPECT_EQ(report.integer("/membersAtStart"), 4);
  EXPECT_EQ(report.integer("/churnBasisPoints"), 2500);
  EXPECT_EQ(report.integer("/monthlyRecurringCents"), 3 * 1000);
  EXPECT_EQ(admin.get("/api/admin/reports/memberships?currency=EUR").integer("/members"), 0);
  test::HttpClient plain(admin);  // the description of the API has no schema of CSV
  const HttpReply csv = plain.get("/api/admin/reports/memberships?format=csv&interval=month");
  EXPECT_EQ(csv.body.substr(0, csv.body.find('\r')), "start,started,renewed,ended,revenueCents");
}

TEST_P(Memberships, are_given_by_codes_that_are_shown_once) {
  const std::string vip = plan("VIP", R"("periodMonths":1)");
  EXPECT_EQ(admin.post("/api/admin/codes", R"({"count":1001,"periods":0})").wrong_fields(),
            (std::vector<std::string>{"count", "periods", "productId"}));
  EXPECT_EQ(admin.post("/api/admin/codes", R"({"productId":"none","count":1})").wrong_fields(),
            std::vector<std::string>{"productId"});
  const std::string body = fmt::format(R"({{"productId":"{}","count":3,"note":"fair"}})", vip);
  const HttpReply made = admin.post("/api/admin/codes", body, {{"Idempotency-Key", "k"}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.size("/codes"), 3u);
  EXPECT_TRUE(admin.post("/api/admin/codes", body, {{"Idempotency-Key", "k"}}).is_null("/codes"));
  const HttpReply list = admin.get("/api/admin/codes?status=OPEN&total=true");
  EXPECT_EQ(list.integer("/total"), 3);
  EXPECT_EQ(list.body.find(made.text("/codes/0")), std::string::npos);
  const std::string one = "/api/admin/codes/" + list.text("/items/0/id");
  EXPECT_EQ(admin.del(one).status, 204);
  EXPECT_EQ(admin.get(one).text("/status"), "WITHDRAWN");
}

}  // namespace
}  // namespace guildhall
