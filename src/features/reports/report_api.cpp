#include "api/idempotency.h"
#include "features/action.h"
#include "features/fund/fund_store.h"
#include "features/memberships/membership_store.h"
#include "features/reports/membership_report.h"
#include "features/reports/report_csv.h"
#include "features/reports/report_fold.h"
#include "features/reports/report_reading.h"
#include "features/reports/report_sources.h"
#include "features/reports/routes.h"
#include "features/tenancy/shop_defaults.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr int folds_a_request_max = 100;
constexpr std::int64_t products_valued_max = 20'000;
constexpr std::int64_t members_counted_max = 200'000;

// Makes the totals current. The background job does so every few seconds, so there are few entries left.
Task<> fold(const Call& call, Database& db) {
  bool more = co_await db.read([&](Tx& tx) {
    const auto state = tx.one(report_state_of(call.tenant));
    if (state && !state->is_built) throw unavailable("The reports are being built. Try again in a moment.");
    return has_unfolded_entries(tx, call.tenant);
  });
  for (int i = 0; more && i < folds_a_request_max; ++i) {
    more = co_await db.write([&](Tx& tx) { return fold_entries(tx, call.tenant); });
  }
  if (more) throw unavailable("The reports are catching up with many orders. Try again in a moment.");
}

// Whether the Accept header names CSV and not JSON or anything else before it.
bool prefers_csv(std::string_view accept) {
  return accept.substr(0, accept.find_first_of(",;")) == "text/csv";
}

template <class Report, class Row>
Reply reply_with(const Call& call, std::optional<ReportFormat> format, std::string_view name, const Report& report,
                 const std::vector<Row>& rows) {
  const bool as_csv = format ? *format == ReportFormat::csv : prefers_csv(call.request.header("accept"));
  Reply reply = as_csv ? Reply{.content_type = "text/csv; charset=utf-8; header=present", .body = csv::table(rows)}
                       : api::json_reply(200, report);
  if (as_csv) reply.with("Content-Disposition", fmt::format("attachment; filename=\"{}.csv\"", name));
  return std::move(reply).with("Vary", "Accept").with("Cache-Control", "no-store");
}

template <class Query>
struct Asked {
  Query query;
  ReportPeriod period;
};

// Sets the time zone and the currency that the query leaves out.
template <class Query>
Task<> complete(const Call& call, Database& db, Query& query) {
  const auto defaults = co_await db.read([&](Tx& tx) { return read_shop_defaults(tx, call.tenant); });
  if constexpr (requires { query.time_zone; }) query.time_zone = query.time_zone.value_or(defaults.time_zone);
  if constexpr (requires { query.currency; }) query.currency = query.currency.value_or(defaults.currency);
}

// Throws Failure invalid that names every wrong parameter.
template <class Query>
Task<Asked<Query>> asked(const Call& call, Database& db) {
  auto [query, problems] = call.partial_query<Query>();
  co_await complete(call, db, query);
  ReportPeriod period = period_of(query.from, query.to, *query.time_zone, call.now, problems);
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  co_return Asked<Query>{std::move(query), std::move(period)};
}

template <class Report, class Query>
Report report_for(const Asked<Query>& request) {
  Report report;
  report.from = request.period.from;
  report.to = request.period.to;
  report.time_zone = request.period.zone;
  if constexpr (requires { report.interval; }) report.interval = request.query.interval;
  if constexpr (requires { request.query.currency; }) report.currency = *request.query.currency;
  return report;
}

std::string code_of(Currency currency) {
  return std::string(currency.code());
}

// A row for each interval, and one for all of them.
template <class Report, class RowOf>
void fill(Report& report, const IntervalSums& intervals, RowOf row_of) {
  for (std::size_t i = 0; i < intervals.starts.size(); ++i) {
    report.items.push_back(row_of(intervals.starts[i], intervals.sums[i]));
  }
  report.totals = row_of(report.from, intervals.total);
}

Task<Reply> sales(Call& call, Database& db) {
  const auto request = co_await asked<IntervalQuery>(call, db);
  co_await fold(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<SalesReport>(request);
    const std::string currency = code_of(made.currency);
    fill(made, read_intervals(tx, {call.tenant, Dimension::SALES, currency}, "", request.period, made.interval),
         sales_row);
    made.currencies = currencies_of(tx, call.tenant);
    return made;
  });
  co_return reply_with(call, request.query.format, "sales", report, report.items);
}

Task<Reply> tax(Call& call, Database& db) {
  const auto request = co_await asked<IntervalQuery>(call, db);
  co_await fold(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<TaxReport>(request);
    const std::string currency = code_of(made.currency);
    fill(made, read_intervals(tx, {call.tenant, Dimension::SALES, currency}, "", request.period, made.interval),
         tax_row);
    return made;
  });
  co_return reply_with(call, request.query.format, "tax", report, report.items);
}

std::optional<std::string> name_in(const std::map<std::string, NamedKey>& names, const std::string& key) {
  const auto found = names.find(key);
  return found == names.end() ? std::nullopt : std::optional(found->second.name);
}

std::vector<BestCustomer> best_customers(Tx& tx, const TotalsFilter& filter, const ReportPeriod& period,
                                         std::int64_t limit) {
  const Ranking ranking = read_ranking(tx, filter, period, limit);
  const auto names = read_names(tx, filter.tenant, ranking.keys, customer_names);
  std::vector<BestCustomer> best;
  for (const auto& [key, sums] : ranking.keys) {
    best.push_back({key, name_in(names, key), exact(sums.orders), exact(sums.total_cents)});
  }
  return best;
}

Task<Reply> customers(Call& call, Database& db) {
  const auto request = co_await asked<CustomersQuery>(call, db);
  co_await fold(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<CustomersReport>(request);
    const std::string currency = code_of(made.currency);
    fill(made, read_intervals(tx, {call.tenant, Dimension::SALES, currency}, "", request.period, made.interval),
         customers_row);
    made.best =
        best_customers(tx, {call.tenant, Dimension::CUSTOMER, currency}, request.period, request.query.limit.value);
    return made;
  });
  co_return reply_with(call, request.query.format, "customers", report, report.items);
}

Task<Reply> best(Call& call, Database& db) {
  const auto request = co_await asked<RankingQuery>(call, db);
  co_await fold(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<BestCustomersReport>(request);
    const std::string currency = code_of(made.currency);
    made.items =
        best_customers(tx, {call.tenant, Dimension::CUSTOMER, currency}, request.period, request.query.limit.value);
    return made;
  });
  co_return reply_with(call, request.query.format, "best-customers", report, report.items);
}

// A report with a row for each key of a dimension. `row_of(key sums, names)` makes a row.
template <class Report, class RowOf>
Task<Reply> ranked(Call& call, Database& db, Dimension dimension, NamesOf names_of, std::string_view name,
                   RowOf row_of) {
  const auto request = co_await asked<RankingQuery>(call, db);
  co_await fold(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<Report>(request);
    const std::string currency = code_of(made.currency);
    const Ranking ranking =
        read_ranking(tx, {call.tenant, dimension, currency}, request.period, request.query.limit.value);
    std::map<std::string, NamedKey> names;
    if (names_of != nullptr) names = read_names(tx, call.tenant, ranking.keys, names_of);
    for (const KeySums& each : ranking.keys) made.items.push_back(row_of(each, names));
    made.is_complete = ranking.is_complete;
    return made;
  });
  co_return reply_with(call, request.query.format, name, report, report.items);
}

using Names = std::map<std::string, NamedKey>;

ProductRow product_row(const KeySums& product, const Names& names) {
  const auto found = names.find(product.key);
  return {.product_id = product.key,
          .name = name_in(names, product.key),
          .sku = found == names.end() ? std::nullopt : found->second.detail,
          .orders = exact(product.measures.orders),
          .units = exact(product.measures.units),
          .gross_cents = exact(product.measures.gross_cents),
          .override_cents = exact(product.measures.override_cents),
          .discount_cents = exact(product.measures.discount_cents),
          .total_cents = exact(product.measures.total_cents)};
}

DiscountRow discount_row(const KeySums& discount, const Names& names) {
  return {.discount_id = discount.key,
          .code = name_in(names, discount.key),
          .orders = exact(discount.measures.orders),
          .gross_cents = exact(discount.measures.gross_cents),
          .discount_cents = exact(discount.measures.discount_cents),
          .total_cents = exact(discount.measures.total_cents)};
}

PaymentMethodRow payment_method_row(const KeySums& method, const Names&) {
  return {.provider = method.key,
          .orders = exact(method.measures.orders),
          .total_cents = exact(method.measures.total_cents),
          .refunds = exact(method.measures.refunds),
          .refund_cents = exact(method.measures.refund_cents),
          .net_cents = exact(static_cast<__int128>(method.measures.total_cents) - method.measures.refund_cents)};
}

Task<Reply> products(Call& call, Database& db) {
  return ranked<ProductsReport>(call, db, Dimension::PRODUCT, product_names, "products", product_row);
}

Task<Reply> discounts(Call& call, Database& db) {
  return ranked<DiscountsReport>(call, db, Dimension::DISCOUNT, discount_codes, "discounts", discount_row);
}

Task<Reply> payment_methods(Call& call, Database& db) {
  return ranked<PaymentMethodsReport>(call, db, Dimension::METHOD, nullptr, "payment-methods", payment_method_row);
}

Task<Reply> fund(Call& call, Database& db) {
  const auto request = co_await asked<FundReportQuery>(call, db);
  co_await fold(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<FundReport>(request);
    const auto totals = tx.one(fund_totals_of(call.tenant));
    made.currency = totals ? totals->currency : code_of({});
    made.balance_cents = totals ? totals->balance_cents : 0;
    const auto read = [&](const std::string& kind) {
      return read_intervals(tx, {call.tenant, Dimension::FUND, made.currency}, kind, request.period, made.interval);
    };
    const IntervalSums in = read("CONTRIBUTION"), back = read("RETURN"), out = read("DISBURSEMENT");
    for (std::size_t i = 0; i < in.starts.size(); ++i) {
      made.items.push_back(fund_row(in.starts[i], in.sums[i], back.sums[i], out.sums[i]));
    }
    made.totals = fund_row(made.from, in.total, back.total, out.total);
    return made;
  });
  co_return reply_with(call, request.query.format, "fund", report, report.items);
}

Task<Reply> memberships(Call& call, Database& db) {
  const auto request = co_await asked<IntervalQuery>(call, db);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    auto made = report_for<MembershipsReport>(request);
    const auto totals = tx.one(member_totals(call.tenant, made.currency, members_counted_max)).value();
    const auto facts = tx.all(membership_facts(call.tenant, made.currency, request.period.begin,
                                               call.now + std::chrono::milliseconds(1), members_counted_max));
    made.members = totals.members;
    made.monthly_recurring_cents = totals.monthly_cents;
    made.is_complete = totals.members < members_counted_max && std::ssize(facts) < members_counted_max;
    add_memberships(made, request.period, facts);
    return made;
  });
  co_return reply_with(call, request.query.format, "memberships", report, report.items);
}

void add_stock(Tx& tx, const TenantId& tenant, StockReport& report, ShortStock level, std::int64_t limit) {
  const bool out = level == ShortStock::OUT;
  const auto found =
      tx.all(products_with_stock(tenant, code_of(report.currency), out ? 0 : 1, out ? 0 : report.threshold, limit + 1));
  if (std::ssize(found) > limit) report.is_complete = false;
  for (std::size_t i = 0; i < std::min(found.size(), static_cast<std::size_t>(limit)); ++i) {
    const StockedProduct& product = found[i];
    report.items.push_back({level, product.product_id.text(), product.name, product.sku, product.stock_quantity,
                            product.price_cents.value()});
  }
}

void add_value(Tx& tx, const TenantId& tenant, StockReport& report) {
  const auto stocks = tx.all(stock_and_prices(tenant, code_of(report.currency), products_valued_max + 1));
  report.value_is_complete = std::ssize(stocks) <= products_valued_max;
  __int128 units = 0, value = 0;
  for (const StockAndPrice& each : stocks) {
    units += each.stock_quantity;
    value += static_cast<__int128>(each.stock_quantity) * each.price_cents;
  }
  report.units = exact(units);
  report.value_cents = exact(value);
}

Task<Reply> stock(Call& call, Database& db) {
  auto query = call.query<StockQuery>();
  co_await complete(call, db, query);
  const auto report = co_await db.read_to_show([&](Tx& tx) {
    StockReport made{.currency = *query.currency, .threshold = query.threshold.value, .items = {}};
    add_stock(tx, call.tenant, made, ShortStock::OUT, query.limit.value);
    add_stock(tx, call.tenant, made, ShortStock::LOW, query.limit.value);
    add_value(tx, call.tenant, made);
    return made;
  });
  co_return reply_with(call, query.format, "stock", report, report.items);
}

// The background job then recomputes the tenant's totals; until it has, its reports answer 503.
Task<Reply> rebuild(Call& call, Database& db) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    request_rebuild(tx, call.tenant);
    action_of(call, tx).audit({"reports", call.tenant.text()}, "rebuild");
    return Reply{.status = 202, .content_type = ""};
  });
}

}  // namespace

std::vector<api::Route> report_routes(Database& db) {
  constexpr std::string_view meaning = "The report; with `Accept: text/csv` or `format=csv` its items as CSV.";
  const std::string base = "/api/admin/reports";
  return {
      route(Method::get, base + "/sales", Access::admin, "Sales and refunds by day, week or month", sales, db)
          .takes_query<IntervalQuery>()
          .gives<SalesReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/products", Access::admin, "Products that were sold, best first", products, db)
          .takes_query<RankingQuery>()
          .gives<ProductsReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/customers", Access::admin, "New and returning customers, and the best", customers, db)
          .takes_query<CustomersQuery>()
          .gives<CustomersReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/customers/best", Access::admin, "The customers who paid most", best, db)
          .takes_query<RankingQuery>()
          .gives<BestCustomersReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/discounts", Access::admin, "Discounts that paid orders used", discounts, db)
          .takes_query<RankingQuery>()
          .gives<DiscountsReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/payment-methods", Access::admin, "Sales and refunds by payment provider",
            payment_methods, db)
          .takes_query<RankingQuery>()
          .gives<PaymentMethodsReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/fund", Access::admin, "Contributions to the community fund and disbursements", fund,
            db)
          .takes_query<FundReportQuery>()
          .gives<FundReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/memberships", Access::admin, "Members, renewals and ends by day, week or month",
            memberships, db)
          .takes_query<IntervalQuery>()
          .gives<MembershipsReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/stock", Access::admin, "Products that are low or out of stock, and the stock's value",
            stock, db)
          .takes_query<StockQuery>()
          .gives<StockReport>(200, meaning)
          .or_csv(),
      route(Method::get, base + "/tax", Access::admin, "Tax by day, week or month", tax, db)
          .takes_query<IntervalQuery>()
          .gives<TaxReport>(200, meaning)
          .or_csv(),
      route(Method::post, base + "/rebuild", Access::platform_admin, "Recompute the reports of the session's tenant",
            rebuild, db)
          .gives(202, "The reports are recomputed in the background."),
  };
}

}  // namespace guildhall
