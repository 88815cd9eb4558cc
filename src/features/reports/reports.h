#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_types.h"
#include "base/time_zone.h"
#include "features/reports/report_facts.h"

// The reports as the API shows them. docs/reports.md defines every figure. Pure: no clock, no database.
namespace guildhall {

enum class ReportFormat { json, csv };
BOOST_DESCRIBE_ENUM(ReportFormat, json, csv)

constexpr int report_days_max = 1096;  // three years

// The time zone and the currency that a query leaves out are the shop's.
struct IntervalQuery {
  std::optional<Date> from;
  std::optional<Date> to;
  Default<ReportInterval> interval{ReportInterval::day};
  std::optional<TimeZone> time_zone;
  std::optional<Currency> currency;
  std::optional<ReportFormat> format;
};
BOOST_DESCRIBE_STRUCT(IntervalQuery, (), (from, to, interval, time_zone, currency, format))

struct CustomersQuery {
  std::optional<Date> from;
  std::optional<Date> to;
  Default<ReportInterval> interval{ReportInterval::day};
  std::optional<TimeZone> time_zone;
  std::optional<Currency> currency;
  Default<Bounded<1, 200>> limit{{50}};
  std::optional<ReportFormat> format;
};
BOOST_DESCRIBE_STRUCT(CustomersQuery, (), (from, to, interval, time_zone, currency, limit, format))

struct RankingQuery {
  std::optional<Date> from;
  std::optional<Date> to;
  std::optional<TimeZone> time_zone;
  std::optional<Currency> currency;
  Default<Bounded<1, 200>> limit{{50}};
  std::optional<ReportFormat> format;
};
BOOST_DESCRIBE_STRUCT(RankingQuery, (), (from, to, time_zone, currency, limit, format))

struct FundReportQuery {
  std::optional<Date> from;
  std::optional<Date> to;
  Default<ReportInterval> interval{ReportInterval::day};
  std::optional<TimeZone> time_zone;
  std::optional<ReportFormat> format;
};
BOOST_DESCRIBE_STRUCT(FundReportQuery, (), (from, to, interval, time_zone, format))

struct StockQuery {
  Default<Bounded<1, 1'000'000>> threshold{{5}};
  std::optional<Currency> currency;
  Default<Bounded<1, 200>> limit{{50}};
  std::optional<ReportFormat> format;
};
BOOST_DESCRIBE_STRUCT(StockQuery, (), (threshold, currency, limit, format))

// The dates of a report, both included, and the instants at which they begin and end.
struct ReportPeriod {
  Date from, to;
  TimeZone zone;
  Instant begin, end;
};

// The last 30 days where the query names none. Adds a problem if the dates are in the wrong order or too far apart.
ReportPeriod period_of(std::optional<Date> from, std::optional<Date> to, const TimeZone& zone, Instant now,
                       std::vector<Problem>& problems);

struct SalesRow {
  Date start;
  std::int64_t orders = 0;
  std::int64_t units = 0;
  std::int64_t gross_cents = 0;
  std::int64_t override_cents = 0;
  std::int64_t discount_cents = 0;
  std::int64_t tax_cents = 0;
  std::int64_t adjustment_cents = 0;
  std::int64_t total_cents = 0;
  std::int64_t refunds = 0;
  std::int64_t refund_cents = 0;
  std::int64_t net_cents = 0;
};
BOOST_DESCRIBE_STRUCT(SalesRow, (),
                      (start, orders, units, gross_cents, override_cents, discount_cents, tax_cents, adjustment_cents,
                       total_cents, refunds, refund_cents, net_cents))
SalesRow sales_row(Date start, const Measures& sums);

struct SalesReport {
  Date from;
  Date to;
  ReportInterval interval = ReportInterval::day;
  TimeZone time_zone;
  Currency currency;
  std::vector<std::string> currencies;  // in which the shop has sold anything at any time
  std::vector<SalesRow> items;
  SalesRow totals;
};
BOOST_DESCRIBE_STRUCT(SalesReport, (), (from, to, interval, time_zone, currency, currencies, items, totals))

struct TaxRow {
  Date start;
  std::int64_t orders = 0;
  std::int64_t before_tax_cents = 0;
  std::int64_t tax_cents = 0;
  std::int64_t total_cents = 0;
};
BOOST_DESCRIBE_STRUCT(TaxRow, (), (start, orders, before_tax_cents, tax_cents, total_cents))
TaxRow tax_row(Date start, const Measures& sums);

struct TaxReport {
  Date from;
  Date to;
  ReportInterval interval = ReportInterval::day;
  TimeZone time_zone;
  Currency currency;
  std::vector<TaxRow> items;
  TaxRow totals;
};
BOOST_DESCRIBE_STRUCT(TaxReport, (), (from, to, interval, time_zone, currency, items, totals))

struct CustomersRow {
  Date start;
  std::int64_t new_customers = 0;
  std::int64_t orders = 0;
  std::int64_t returning_orders = 0;
  std::int64_t guest_orders = 0;
};
BOOST_DESCRIBE_STRUCT(CustomersRow, (), (start, new_customers, orders, returning_orders, guest_orders))
CustomersRow customers_row(Date start, const Measures& sums);

struct BestCustomer {
  std::string customer_id;
  std::optional<std::string> name;  // null: there is no such customer (any more)
  std::int64_t orders = 0;
  std::int64_t total_cents = 0;
};
BOOST_DESCRIBE_STRUCT(BestCustomer, (), (customer_id, name, orders, total_cents))

struct CustomersReport {
  Date from;
  Date to;
  ReportInterval interval = ReportInterval::day;
  TimeZone time_zone;
  Currency currency;
  std::vector<CustomersRow> items;
  CustomersRow totals;
  std::vector<BestCustomer> best;
};
BOOST_DESCRIBE_STRUCT(CustomersReport, (), (from, to, interval, time_zone, currency, items, totals, best))

struct BestCustomersReport {
  Date from;
  Date to;
  TimeZone time_zone;
  Currency currency;
  std::vector<BestCustomer> items;
};
BOOST_DESCRIBE_STRUCT(BestCustomersReport, (), (from, to, time_zone, currency, items))

struct ProductRow {
  std::string product_id;
  std::optional<std::string> name;  // null: there is no such product (any more)
  std::optional<std::string> sku;
  std::int64_t orders = 0;
  std::int64_t units = 0;
  std::int64_t gross_cents = 0;
  std::int64_t override_cents = 0;
  std::int64_t discount_cents = 0;
  std::int64_t total_cents = 0;
};
BOOST_DESCRIBE_STRUCT(ProductRow, (),
                      (product_id, name, sku, orders, units, gross_cents, override_cents, discount_cents, total_cents))

struct DiscountRow {
  std::string discount_id;
  std::optional<std::string> code;
  std::int64_t orders = 0;
  std::int64_t gross_cents = 0;
  std::int64_t discount_cents = 0;
  std::int64_t total_cents = 0;
};
BOOST_DESCRIBE_STRUCT(DiscountRow, (), (discount_id, code, orders, gross_cents, discount_cents, total_cents))

struct PaymentMethodRow {
  std::string provider;
  std::int64_t orders = 0;
  std::int64_t total_cents = 0;
  std::int64_t refunds = 0;
  std::int64_t refund_cents = 0;
  std::int64_t net_cents = 0;
};
BOOST_DESCRIBE_STRUCT(PaymentMethodRow, (), (provider, orders, total_cents, refunds, refund_cents, net_cents))

struct ProductsReport {
  Date from;
  Date to;
  TimeZone time_zone;
  Currency currency;
  std::vector<ProductRow> items;
  bool is_complete = true;  // false: there are more than `limit`
};
BOOST_DESCRIBE_STRUCT(ProductsReport, (), (from, to, time_zone, currency, items, is_complete))

struct DiscountsReport {
  Date from;
  Date to;
  TimeZone time_zone;
  Currency currency;
  std::vector<DiscountRow> items;
  bool is_complete = true;
};
BOOST_DESCRIBE_STRUCT(DiscountsReport, (), (from, to, time_zone, currency, items, is_complete))

struct PaymentMethodsReport {
  Date from;
  Date to;
  TimeZone time_zone;
  Currency currency;
  std::vector<PaymentMethodRow> items;
  bool is_complete = true;
};
BOOST_DESCRIBE_STRUCT(PaymentMethodsReport, (), (from, to, time_zone, currency, items, is_complete))

struct FundRow {
  Date start;
  std::int64_t contributions = 0;
  std::int64_t contributed_cents = 0;
  std::int64_t returns = 0;
  std::int64_t returned_cents = 0;
  std::int64_t disbursements = 0;
  std::int64_t disbursed_cents = 0;
  std::int64_t change_cents = 0;
};
BOOST_DESCRIBE_STRUCT(FundRow, (),
                      (start, contributions, contributed_cents, returns, returned_cents, disbursements, disbursed_cents,
                       change_cents))
FundRow fund_row(Date start, const Measures& contributed, const Measures& returned, const Measures& disbursed);

struct FundReport {
  Date from;
  Date to;
  ReportInterval interval = ReportInterval::day;
  TimeZone time_zone;
  std::string currency;
  std::vector<FundRow> items;
  FundRow totals;
  std::int64_t balance_cents = 0;  // now
};
BOOST_DESCRIBE_STRUCT(FundReport, (), (from, to, interval, time_zone, currency, items, totals, balance_cents))

struct MembershipsRow {
  Date start;
  std::int64_t started = 0;
  std::int64_t renewed = 0;
  std::int64_t ended = 0;
  std::int64_t revenue_cents = 0;
};
BOOST_DESCRIBE_STRUCT(MembershipsRow, (), (start, started, renewed, ended, revenue_cents))

struct MembershipsReport {
  Date from;
  Date to;
  ReportInterval interval = ReportInterval::day;
  TimeZone time_zone;
  Currency currency;
  std::vector<MembershipsRow> items;
  MembershipsRow totals;
  std::int64_t members = 0;                        // now
  std::int64_t members_at_start = 0;               // at the beginning of `from`
  std::int64_t monthly_recurring_cents = 0;        // now
  std::optional<std::int64_t> churn_basis_points;  // null: there were no members at the beginning
  bool is_complete = true;                         // false: there are too many memberships to count them all
};
BOOST_DESCRIBE_STRUCT(MembershipsReport, (),
                      (from, to, interval, time_zone, currency, items, totals, members, members_at_start,
                       monthly_recurring_cents, churn_basis_points, is_complete))

enum class ShortStock { OUT, LOW };
BOOST_DESCRIBE_ENUM(ShortStock, OUT, LOW)

struct StockRow {
  ShortStock level = ShortStock::OUT;
  std::string product_id;
  std::string name;
  std::string sku;
  std::int64_t stock_quantity = 0;
  std::int64_t price_cents = 0;
};
BOOST_DESCRIBE_STRUCT(StockRow, (), (level, product_id, name, sku, stock_quantity, price_cents))

struct StockReport {
  Currency currency;
  std::int64_t threshold = 0;
  std::vector<StockRow> items;  // those that are out, then those that are low
  bool is_complete = true;      // false: there are more than `limit` of either
  std::int64_t units = 0;
  std::int64_t value_cents = 0;
  bool value_is_complete = true;  // false: only the products with the largest stock are part of units and value
};
BOOST_DESCRIBE_STRUCT(StockReport, (), (currency, threshold, items, is_complete, units, value_cents, value_is_complete))

// Throws AMOUNT_OUT_OF_RANGE for a number that is no exact integer in JSON.
std::int64_t exact(__int128 number);

}  // namespace guildhall
