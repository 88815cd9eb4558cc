#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/fund/fund_actions.h"
#include "features/fund/fund_store.h"
#include "features/orders/order.h"
#include "features/orders/order_events.h"
#include "storage/columns.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

const std::string fund_path = "/api/admin/community-fund";
const TenantId donors_tenant(std::string("default"));
const Actor somebody{ActorKind::CHAT, "the-donor-themself", "request-of-the-donor"};

class FundOrders : public test::OnEachPair {
 protected:
  void SetUp() override {
    subscribe_fund(events);
    ASSERT_EQ(admin.put(fund_path + "/config", R"({"enabled":true,"celebrationChannelId":"7"})").status, 200);
  }

  HttpReply place(const std::string& number, std::int64_t cents, std::string_view more = "") {
    return admin.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"@everyone"}},"customerId":"donor-1","status":"PAID",
          "items":[{{"productId":"community-fund","name":"Gift","sku":"G","quantity":1,"unitPriceCents":{}}},
                   {{"productId":"shirt","name":"Shirt","sku":"S","quantity":1,"unitPriceCents":9900}}]{}}})",
                    number, cents, more));
  }
  HttpReply refund(const std::string& order) {
    return admin.patch("/api/data/order/" + order, R"({"status":"REFUNDED"})");
  }
  void spend(std::int64_t cents) {
    const std::string customer =
        admin.post("/api/data/customer", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"A"})").text("/id");
    ASSERT_EQ(admin
                  .post(fund_path + "/disbursements",
                        fmt::format(R"({{"recipientCustomerId":"{}","amountCents":{},"reason":"r"}})", customer, cents))
                  .status,
              201);
  }
  std::int64_t balance() { return admin.get(fund_path + "/balance").integer("/currentBalanceCents"); }
  std::size_t entries() { return admin.get(fund_path + "/ledger").size("/items"); }

  // Emits the event in a transaction of its own.
  template <DomainEvent E>
  void emit(const E& event) {
    server.write([&](Tx& tx) { ActionContext{tx, events, donors_tenant, somebody, now()}.emit(event); });
  }
  static Order contributing(const std::string& id, std::int64_t cents) {
    Order order;
    order.id = OrderId(id);
    order.customer_id = CustomerId(std::string("donor-1"));
    order.customer.name = {"Ada"};
    order.items = {{ProductId(community_fund_product), {"Gift"}, {"G"}, {1}, Cents(cents), order.currency}};
    order.total_cents = Cents(cents);
    return order;
  }
  Reversal charge_back(const std::string& order) {
    Reversal reversal;
    server.write([&](Tx& tx) {
      reversal = reverse_as_far_as_possible({tx, events, donors_tenant, somebody, now()}, OrderId(order),
                                            LedgerSource::CHARGEBACK);
    });
    return reversal;
  }

  Events events;
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, FundOrders, test::engines, test::engine_name);

TEST_P(FundOrders, contribute_once_when_they_become_paid) {
  const HttpReply order = place("A-1", 500);
  ASSERT_EQ(order.status, 201) << order.body;
  EXPECT_EQ(balance(), 500);
  const std::string path = "/api/data/order/" + order.text("/id");
  EXPECT_EQ(admin.patch(path, R"({"status":"SHIPPED"})").status, 200);
  EXPECT_EQ(balance(), 500) << "paid once";
  const HttpReply item = admin.get(fund_path + "/contributions");
  EXPECT_EQ(item.text("/items/0/orderId"), order.text("/id"));
  EXPECT_EQ(item.text("/items/0/customerId"), "donor-1");
  EXPECT_EQ(place("A-2", 0).status, 201);
  EXPECT_EQ(entries(), 1u) << "nothing given, nothing written";
}

TEST_P(FundOrders, that_are_reported_as_paid_again_change_nothing) {
  const Order order = contributing("o-1", 500);
  emit(OrderPaid{order});
  emit(OrderPaid{order});
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back([&] { emit(OrderPaid{contributing("o-2", 100)}); });
  threads.clear();
  EXPECT_EQ(balance(), 600);
  EXPECT_EQ(entries(), 2u);
}

TEST_P(FundOrders, take_back_what_they_gave_when_they_are_refunded) {
  const std::string order = place("A-1", 500).text("/id");
  ASSERT_EQ(place("A-2", 50).status, 201);
  EXPECT_EQ(refund(order).status, 200);
  EXPECT_EQ(refund(order).status, 200) << "the same status is a no-op";
  EXPECT_EQ(balance(), 50);
  const HttpReply list = admin.get(fund_path + "/contributions");
  EXPECT_EQ(list.integer("/total"), 3);
  EXPECT_EQ(list.integer("/items/0/amountCents"), -500);
  EXPECT_EQ(list.text("/items/0/orderId"), order);
}

TEST_P(FundOrders, are_not_refunded_when_the_money_is_gone) {
  const std::string order = place("A-1", 500).text("/id");
  spend(1);
  const HttpReply refused = refund(order);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "INSUFFICIENT_BALANCE");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/status"), "PAID") << "the whole change is undone";
  EXPECT_EQ(balance(), 499);
  ASSERT_EQ(place("A-2", 1).status, 201);
  EXPECT_EQ(refund(order).status, 200);
  EXPECT_EQ(balance(), 0);
}

TEST_P(FundOrders, that_are_charged_back_take_what_is_left) {
  emit(OrderPaid{contributing("o-1", 500)});
  spend(400);
  Reversal reversal = charge_back("o-1");
  EXPECT_EQ(reversal.reversed, Cents(100));
  EXPECT_EQ(reversal.missing, Cents(400));
  EXPECT_EQ(balance(), 0);
  EXPECT_EQ(charge_back("o-1").missing, Cents(400)) << "nothing there, nothing written";
  EXPECT_EQ(entries(), 3u);
  emit(OrderPaid{contributing("o-2", 1000)});
  reversal = charge_back("o-1");
  EXPECT_EQ(reversal.reversed, Cents(400)) << "never more than the order gave";
  EXPECT_EQ(reversal.missing, Cents());
  emit(OrderRefunded{contributing("o-1", 500)});
  EXPECT_EQ(balance(), 600);
  EXPECT_EQ(charge_back("unknown").missing, Cents());
}

TEST_P(FundOrders, whose_money_was_returned_already_are_never_refused) {
  emit(OrderPaid{contributing("o-1", 500)});
  spend(400);
  EXPECT_THROW(emit(OrderRefunded{contributing("o-1", 500)}), Failure) << "a request can be refused";
  emit(OrderRefunded{contributing("o-1", 500), RefundCause::carried_out});
  EXPECT_EQ(balance(), 0);
  EXPECT_EQ(admin.get(fund_path + "/ledger").text("/items/0/source"), "REFUND");
  emit(OrderPaid{contributing("o-2", 300)});
  emit(OrderRefunded{contributing("o-1", 500), RefundCause::reported});
  EXPECT_EQ(balance(), 0) << "what was missing before";
  EXPECT_EQ(admin.get(fund_path + "/ledger").text("/items/0/source"), "CHARGEBACK");
}

TEST_P(FundOrders, that_are_taken_back_by_several_at_once_lose_what_they_gave_once) {
  emit(OrderPaid{contributing("o-1", 500)});
  emit(OrderPaid{contributing("o-2", 5000)});
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { emit(OrderRefunded{contributing("o-1", 500)}); });
    threads.emplace_back([&] { charge_back("o-1"); });
  }
  threads.clear();
  EXPECT_EQ(balance(), 5000);
  EXPECT_EQ(entries(), 3u);
}

TEST_P(FundOrders, contribute_what_was_paid_for_their_fund_items) {
  ASSERT_EQ(admin.post("/api/data/discount", R"({"code":"HALF","type":"PERCENT","percent":50})").status, 201);
  ASSERT_EQ(place("A-1", 500, R"(,"discountCode":"HALF")").status, 201);
  EXPECT_EQ(balance(), 250) << "half of the gift, and nothing of the shirt";
  ASSERT_EQ(admin
                .post("/api/data/discount",
                      R"({"code":"SHIRT","type":"PERCENT","percent":50,"scope":{"productIds":["shirt"]}})")
                .status,
            201);
  ASSERT_EQ(place("A-2", 500, R"(,"discountCode":"SHIRT")").status, 201);
  EXPECT_EQ(balance(), 750) << "the discount is for the shirt alone";
}

TEST_P(FundOrders, in_another_currency_than_the_fund_are_refused) {
  const HttpReply refused = place("A-1", 500, R"(,"currency":"EUR")");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "FUND_CURRENCY_MISMATCH");
  const std::string path =
      "/api/data/order/" + admin
                               .post("/api/data/order", R"({"orderNumber":"A-2","customer":{"name":"A"},"items":
        [{"productId":"shirt","name":"Shirt","sku":"S","quantity":1,"unitPriceCents":1}],"currency":"EUR"})")
                               .text("/id");
  const std::string gift =
      R"({"items":[{"productId":"community-fund","name":"G","sku":"G","quantity":1,"unitPriceCents":5}])";
  EXPECT_EQ(admin.patch(path, gift + "}").code(), "FUND_CURRENCY_MISMATCH");
  EXPECT_EQ(admin.patch(path, gift + R"(,"currency":"USD"})").status, 200);
  EXPECT_EQ(admin.patch(path, R"({"currency":"EUR"})").code(), "FUND_CURRENCY_MISMATCH");
  EXPECT_EQ(admin.patch(path, R"({"status":"PAID"})").status, 200);
  EXPECT_EQ(balance(), 5);
}

TEST_P(FundOrders, from_before_the_fund_had_its_currency_are_left_for_a_person) {
  Order order = contributing("o-1", 500);
  order.currency = *Currency::parse("EUR");
  emit(OrderPaid{order});
  EXPECT_EQ(entries(), 0u);
  emit(OrderRefunded{order});
  EXPECT_EQ(balance(), 0);
}

TEST_P(FundOrders, contribute_to_a_disabled_fund_too_because_the_money_has_come) {
  ASSERT_EQ(admin.put(fund_path + "/config", R"({"enabled":false})").status, 200);
  emit(OrderPaid{contributing("o-1", 500)});
  EXPECT_EQ(balance(), 500);
}

TEST_P(FundOrders, do_not_betray_an_anonymous_donor) {
  Order order = contributing("o-1", 500);
  order.anonymous_contribution = true;
  emit(OrderPaid{order});
  emit(OrderRefunded{order});
  static const Sql trail_sql(
      "SELECT actor_id || request_id || subject_id || changes FROM audit_entries WHERE tenant_id = $1 AND subject ="
      " 'fundContribution'");
  static const Sql messages_sql("SELECT payload FROM outbox_messages WHERE tenant_id = $1 AND topic = 'chat.message'");
  std::vector<std::string> texts;
  server.write([&](Tx& tx) {
    texts.clear();
    for (const Sql* sql : {&trail_sql, &messages_sql}) {
      tx.run({sql, params(donors_tenant)}, [&](const Row& row) { texts.emplace_back(row.text(0)); });
    }
  });
  EXPECT_EQ(texts.size(), 3u) << "given, given back, celebrated";
  for (const std::string& text : texts) {
    for (const char* trace : {"donor-1", "Ada", "o-1", "the-donor-themself", "request-of-the-donor"}) {
      EXPECT_EQ(text.find(trace), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace guildhall
