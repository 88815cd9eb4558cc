#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "features/fund/fund_ledger.h"
#include "features/orders/order.h"
#include "features/payments/refunds/refund.h"
#include "features/reports/calendar.h"

// The figures that reports are made of. Pure: no clock, no database.
namespace guildhall {

// The figures of one row of report_totals, in the order of its columns. docs/reports.md defines each.
struct Measures {
  std::int64_t orders = 0;
  std::int64_t units = 0;
  std::int64_t gross_cents = 0;
  std::int64_t discount_cents = 0;
  std::int64_t tax_cents = 0;
  std::int64_t total_cents = 0;
  std::int64_t refunds = 0;
  std::int64_t refund_cents = 0;
  std::int64_t override_cents = 0;
  std::int64_t customer_orders = 0;
  std::int64_t new_customers = 0;

  bool operator==(const Measures&) const = default;
};
BOOST_DESCRIBE_STRUCT(Measures, (),
                      (orders, units, gross_cents, discount_cents, tax_cents, total_cents, refunds, refund_cents,
                       override_cents, customer_orders, new_customers))

// No stored figure is larger, so that a sum of the 100 buckets of a day cannot overflow. A larger one stays at the
// limit; no report shows it, because it is no exact number in JSON.
constexpr std::int64_t measure_max = safe_integer_max;

// Adds `factor` times the figures. Stays within ± measure_max.
void add(Measures& sum, const Measures& more, std::int64_t factor = 1);

struct ProductFacts {
  ProductId product_id;
  std::int64_t units = 0;
  std::int64_t gross_cents = 0;
  std::int64_t discount_cents = 0;
  std::int64_t override_cents = 0;
};
BOOST_DESCRIBE_STRUCT(ProductFacts, (), (product_id, units, gross_cents, discount_cents, override_cents))

// The amounts that one event adds to the totals: a sale or a refund, or (factor -1) one that no longer counts.
struct ReportFacts {
  std::int64_t factor = 1;
  Instant at;
  std::string currency;
  std::string provider;
  Measures measures;
  std::string order_id;
  std::optional<std::string> customer_id;
  std::optional<std::string> discount_id;
  std::vector<ProductFacts> products;
};
BOOST_DESCRIBE_STRUCT(ReportFacts, (),
                      (factor, at, currency, provider, measures, order_id, customer_id, discount_id, products))

// The facts of an order that has been paid. They do not depend on its later status.
ReportFacts facts_of_sale(const Order& order, PaymentProvider provider);

// The facts of a refund that is DONE.
ReportFacts facts_of_refund(const Refund& refund, PaymentProvider provider);

// Whether a change of a paid order changes its facts.
bool changes_facts(const Order& before, const Order& after);

enum class Dimension { SALES, PRODUCT, CUSTOMER, DISCOUNT, METHOD, FUND };
BOOST_DESCRIBE_ENUM(Dimension, SALES, PRODUCT, CUSTOMER, DISCOUNT, METHOD, FUND)

// The levels of SALES and FUND, whose totals are read by date, and of the other dimensions, which are read as a whole.
constexpr Level levels_by_date[] = {Level::QUARTER, Level::HALF, Level::HOUR, Level::DAY};
constexpr Level levels_by_key[] = {Level::QUARTER, Level::DAY, Level::MONTH};

struct TotalsKey {
  Dimension dimension;
  Level level;
  std::string currency;
  std::string key;
  Instant bucket;

  auto operator<=>(const TotalsKey&) const = default;
};
using Totals = std::map<TotalsKey, Measures>;

// Adds to the totals of SALES or FUND.
void add_by_date(Totals& totals, Dimension dimension, const std::string& currency, const std::string& key, Instant at,
                 const Measures& measures, std::int64_t factor = 1);

// A paid order of a customer.
struct CustomerOrder {
  std::string currency;
  std::string customer_id;
  Instant paid_at;
  std::string order_id;

  auto operator<=>(const CustomerOrder&) const = default;
};
using CustomerOrders = std::map<CustomerOrder, std::int64_t>;

// Rows to add to the stored ones. New customers are not part of `totals`: they follow from all orders of a customer.
struct ReportChanges {
  Totals totals;
  CustomerOrders customer_orders;

  std::int64_t rows() const { return std::ssize(totals) + std::ssize(customer_orders); }

  void add(const ReportFacts& facts, std::int64_t factor = 1);

  // The keys of the fund are CONTRIBUTION, RETURN (of a contribution) and DISBURSEMENT.
  void add(const LedgerEntry& entry, const std::string& currency);
};

}  // namespace guildhall
