// Random sequences of creations, payments, changes, refunds, cancellations and deletions. The totals must always be
// what a recount of the stored orders and refunds gives.
#include <atomic>
#include <rapidcheck.h>
#include <thread>

#include "features/orders/order_actions.h"
#include "features/payments/payment_actions.h"
#include "features/payments/processors/processor_list.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/reports/report_fold.h"
#include "features/reports/report_reading.h"
#include "features/reports/report_rebuild.h"
#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

const TenantId shop{std::string("shop")};
const Actor tester{ActorKind::SYSTEM, "test", ""};
const Instant first_day = parse_instant("2026-01-31T22:00:00Z").value();

// The result of a recount with plain SQL, and the totals.
struct Figures {
  std::int64_t orders = 0, gross = 0, discounts = 0, tax = 0, total = 0, refunds = 0, refunded = 0, new_customers = 0;
  bool operator==(const Figures&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Figures& f) {
  return out << fmt::format("orders {} gross {} discounts {} tax {} total {} refunds {} refunded {} new {}", f.orders,
                            f.gross, f.discounts, f.tax, f.total, f.refunds, f.refunded, f.new_customers);
}

const Sql recount_orders_sql(
    "SELECT COUNT(*), CAST(COALESCE(SUM(subtotal_cents), 0) AS bigint),"
    " CAST(COALESCE(SUM(discount_amount_cents), 0) AS bigint), CAST(COALESCE(SUM(tax_amount_cents), 0) AS bigint),"
    " CAST(COALESCE(SUM(total_cents), 0) AS bigint), COUNT(DISTINCT customer_id)"
    " FROM orders WHERE tenant_id = $1 AND paid_at IS NOT NULL AND currency = $2");
const Sql recount_refunds_sql(
    "SELECT COUNT(*), CAST(COALESCE(SUM(amount_cents), 0) AS bigint) FROM refunds"
    " WHERE tenant_id = $1 AND status = 'DONE' AND currency = $2");

class Reports : public test::OnEachEngine {
 protected:
  Reports() {
    migrate(*storage);
    subscribe_refunds(events);
    subscribe_reports(events);
  }

  ActionContext context(Tx& tx, Instant now) const { return {tx, events, shop, tester, now}; }

  // Runs an action that may be refused.
  template <class Body>
  bool attempt(Body body) {
    try {
      storage->write_now(body);
      return true;
    } catch (const Failure& failure) {
      if (failure.kind == Failure::Kind::internal) throw;
      return false;
    }
  }

  static std::string items(int seed) {
    return fmt::format(R"([{{"productId":"p{}","name":"n","sku":"s","quantity":{},"unitPriceCents":{}}},)"
                       R"({{"productId":"p{}","name":"n","sku":"s","quantity":1,"unitPriceCents":99}}])",
                       seed % 3, 1 + seed % 4, 100 + seed, (seed + 1) % 3);
  }

  std::optional<OrderId> create(int seed, Instant now) {
    std::optional<OrderId> id;
    const auto input = from_json<NewOrder>(fmt::format(
        R"({{"orderNumber":"{}","customer":{{"name":"n"}},"items":{},"status":"{}","currency":"{}"{}}})",
        make_uuid(now), items(seed), name_of(static_cast<OrderStatus>(seed % 4 == 0 ? seed / 4 % 7 : 0)),
        seed % 5 == 0 ? "EUR" : "USD", seed % 3 == 0 ? "" : fmt::format(R"(,"customerId":"c{}")", seed % 7)));
    attempt([&](Tx& tx) { id = place_order(context(tx, now), input).id; });
    return id;
  }

  // One of the things that can happen to an order. Equal seeds do the same.
  void change(const OrderId& id, int kind, int seed, Instant now) {
    const auto patch = [&](const std::string& body) {
      const auto input = from_json<OrderPatch>(body);
      attempt([&](Tx& tx) { change_order(context(tx, now), id, input, [](const Order&) {}); });
    };
    switch (kind) {
      case 0:
      case 1:
        return patch(fmt::format(R"({{"status":"{}"}})", name_of(static_cast<OrderStatus>(1 + seed % 6))));
      case 2:
        return patch(fmt::format(R"({{"items":{}}})", items(seed)));
      case 3:
        return patch(fmt::format(R"({{"taxAmountCents":{},"discountAmountCents":{}}})", seed, seed % 90));
      case 4:
        return patch(seed % 2 == 0 ? R"({"customerId":null})" : fmt::format(R"({{"customerId":"c{}"}})", seed % 7));
      case 5:
        return patch(fmt::format(R"({{"currency":"{}","totalCents":{}}})", seed % 2 == 0 ? "EUR" : "USD", seed));
      case 6:
        attempt([&](Tx& tx) { delete_order(context(tx, now), id, [](const Order&) {}); });
        return;
      case 7:
        return pay(id, seed, now);
      default:
        const auto input = from_json<RefundInput>(seed % 3 == 0 ? "{}" : fmt::format(R"({{"amountCents":{}}})", seed));
        attempt([&](Tx& tx) {
          for (const Refund& refund : begin_refunds(context(tx, now), id, input)) {
            if (refund.status != RefundStatus::PENDING || seed % 5 == 0) continue;
            finish_refund(context(tx, now), refund.id, refund.id.text(), RefundCause::carried_out);
          }
        });
    }
  }

  // A payment of a processor, which may be too small; sometimes its refund fails afterwards.
  void pay(const OrderId& id, int seed, Instant now) {
    const std::string payment = fmt::format("pay-{}-{}", id.text(), seed % 2);
    attempt([&](Tx& tx) {
      settle_payment(context(tx, now), apppay_processor.provider,
                     {.kind = PaymentReport::Kind::paid,
                      .provider_payment_id = payment,
                      .order_id = id.text(),
                      .amount = seed % 4 == 0 ? "0.50" : "9.99",
                      .currency = "USD",
                      .reference = payment},
                     {ReportSource::api, AccountOwner::OPERATOR});
    });
    if (seed % 3 != 0) return;
    attempt([&](Tx& tx) {
      apply_refund_report(context(tx, now), apppay_processor.provider,
                          {.reference = payment,
                           .provider_refund_id = payment,
                           .amount = "0.25",
                           .currency = "USD",
                           .failed = seed % 2 == 0},
                          AccountOwner::OPERATOR);
    });
  }

  void fold_everything() { fold_all_entries(*storage); }

  std::string differences() {
    std::ostringstream out;
    storage->read_now([&](Tx& tx) {
      out.str("");
      const ReportCorrections corrections = compare_reports(tx, shop);
      if (corrections.differences() > 0) print(out, shop, corrections);
    });
    return out.str();
  }

  Figures recounted(const std::string& currency) {
    Figures figures;
    storage->read_now([&](Tx& tx) {
      tx.run({&recount_orders_sql, {shop.text(), currency}}, [&](const Row& row) {
        figures.orders = row.integer(0);
        figures.gross = row.integer(1);
        figures.discounts = row.integer(2);
        figures.tax = row.integer(3);
        figures.total = row.integer(4);
        figures.new_customers = row.integer(5);
      });
      tx.run({&recount_refunds_sql, {shop.text(), currency}}, [&](const Row& row) {
        figures.refunds = row.integer(0);
        figures.refunded = row.integer(1);
      });
    });
    return figures;
  }

  Figures reported(const std::string& currency) {
    std::vector<Problem> problems;
    const ReportPeriod period = period_of(parse_date("2025-01-01"), parse_date("2027-12-31"),
                                          TimeZone::find("Asia/Kathmandu").value(), now(), problems);
    IntervalSums sums;
    storage->read_now([&](Tx& tx) {
      sums = read_intervals(tx, {shop, Dimension::SALES, currency}, "", period, ReportInterval::month);
    });
    const Measures& all = sums.total;
    return {all.orders,      all.gross_cents, all.discount_cents, all.tax_cents,
            all.total_cents, all.refunds,     all.refund_cents,   all.new_customers};
  }

  Events events;
};
INSTANTIATE_TEST_SUITE_P(Engines, Reports, test::engines, test::engine_name);

TEST_P(Reports, equal_a_recount_after_every_sequence_of_changes) {
  std::vector<OrderId> orders;
  Instant time = first_day;
  EXPECT_TRUE(rc::check([&] {
    const auto steps = *rc::gen::inRange(1, 30);
    for (int i = 0; i < steps; ++i) {
      const int seed = *rc::gen::inRange(0, 1000);
      time = time + std::chrono::minutes(seed);
      if (orders.size() < 5 || *rc::gen::inRange(0, 3) == 0) {
        if (const auto id = create(seed, time)) orders.push_back(*id);
      } else {
        const auto which = *rc::gen::inRange<std::size_t>(orders.size() - 5, orders.size());
        change(orders[which], *rc::gen::inRange(0, 10), seed, time);
      }
      if (seed % 7 == 0) fold_everything();
    }
    RC_ASSERT(differences() == "");
  }));
  fold_everything();
  EXPECT_EQ(differences(), "");
  for (const char* currency : {"USD", "EUR"}) EXPECT_EQ(reported(currency), recounted(currency)) << currency;
  EXPECT_GT(reported("USD").orders, 0);
  EXPECT_GT(reported("USD").refunds, 0);
}

TEST_P(Reports, equal_a_recount_after_changes_at_the_same_time) {
  std::vector<OrderId> orders;
  for (int i = 0; i < 12; ++i) {
    if (const auto id = create(1 + i * 4, first_day)) orders.push_back(*id);
  }
  std::atomic<bool> done = false;
  std::thread folder([&] {
    while (!done) fold_everything();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const int seed = i * 8 + t;
        const Instant at = first_day + std::chrono::minutes(i * 7);
        // Many threads change the same order, and pay, refund and cancel it, at the same time.
        change(orders[static_cast<std::size_t>(i / 5)], seed % 10, seed, at);
        if (seed % 6 == 0) create(seed, at);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences(), "");
  done = true;
  folder.join();
  fold_everything();
  EXPECT_EQ(differences(), "");
  for (const char* currency : {"USD", "EUR"}) EXPECT_EQ(reported(currency), recounted(currency)) << currency;
}

TEST_P(Reports, are_corrected_by_a_rebuild_while_orders_are_paid) {
  for (int i = 0; i < 20; ++i) create(4 + i * 4, first_day + std::chrono::hours(i));
  fold_everything();
  static const Sql damage_sql("UPDATE report_totals SET orders = orders + 3, new_customers = 9 WHERE tenant_id = $1");
  static const Sql forget_sql("DELETE FROM report_customer_orders WHERE tenant_id = $1 AND customer_id = 'c1'");
  storage->write_now([&](Tx& tx) {
    tx.run({&damage_sql, {shop.text()}});
    tx.run({&forget_sql, {shop.text()}});
  });
  EXPECT_NE(differences(), "");
  std::atomic<bool> done = false;
  std::thread buyers([&] {
    for (int i = 0; !done; ++i) {
      create(4 + i * 4, first_day + std::chrono::minutes(i));
      if (i % 3 == 0) fold_everything();
    }
  });
  std::int64_t orders = 0, rows = 0, rows_expected = 0;
  const auto corrected = rebuild_reports(*storage, shop,
                                         {.orders_read = [&](std::int64_t number) { orders += number; },
                                          .rows_written =
                                              [&](std::int64_t number, std::int64_t total) {
                                                rows += number;
                                                rows_expected = total;
                                              }});
  done = true;
  buyers.join();
  ASSERT_TRUE(corrected);
  EXPECT_GT(corrected->differences(), 0);
  EXPECT_GE(orders, corrected->orders) << "a reading that was repeated counts again";
  EXPECT_EQ(rows, corrected->differences());
  EXPECT_EQ(rows_expected, corrected->differences());
  EXPECT_EQ(differences(), "");
  fold_everything();
  EXPECT_EQ(differences(), "");
  EXPECT_EQ(reported("USD"), recounted("USD"));
}

TEST_P(Reports, are_rebuilt_by_one_process_at_a_time) {
  storage->write_now([](Tx& tx) { ASSERT_TRUE(claim_rebuild(tx, shop, now(), now() + std::chrono::minutes(1))); });
  EXPECT_FALSE(rebuild_reports(*storage, shop));
}

TEST_P(Reports, of_orders_that_are_older_than_the_reports_are_built_in_the_background) {
  Events none;
  std::swap(events, none);
  for (int i = 0; i < 10; ++i) create(4 + i * 4, first_day + std::chrono::hours(i));
  std::swap(events, none);
  storage->write_now([](Tx& tx) { request_rebuild(tx, shop); });
  build_missing_reports(*storage);
  EXPECT_EQ(differences(), "");
  EXPECT_EQ(reported("USD"), recounted("USD"));
  EXPECT_GT(reported("USD").orders, 0);
}

}  // namespace
}  // namespace guildhall
