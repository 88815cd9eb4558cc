#include "features/reports/reports.h"

namespace guildhall {

ReportPeriod period_of(std::optional<Date> from, std::optional<Date> to, const TimeZone& zone, Instant now,
                       std::vector<Problem>& problems) {
  using std::chrono::days;
  const auto is_wrong = [&](std::string_view field) {
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& one) { return one.field == field; });
  };
  ReportPeriod period{.from = {}, .to = {}, .zone = zone, .begin = {}, .end = {}};
  period.to = to ? *to : from ? std::max(*from, zone.date_of(now)) : zone.date_of(now);
  period.from = from ? *from : Date{period.to.days - days(29)};
  if (!is_wrong("from") && !is_wrong("to")) {
    if (period.from > period.to) {
      problems.push_back({"to", "must not be before from"});
    } else if (period.to.days - period.from.days >= days(report_days_max)) {
      problems.push_back({"to", fmt::format("must be less than {} days after from", report_days_max)});
    }
  }
  period.begin = zone.start_of(period.from);
  period.end = zone.start_of({period.to.days + days(1)});
  return period;
}

std::int64_t exact(__int128 number) {
  // A sum that has reached the limit may have been larger.
  if (number >= measure_max || number <= -measure_max) {
    throw bad_request("AMOUNT_OUT_OF_RANGE", "A figure of this report is too large. Ask for a shorter period.");
  }
  return static_cast<std::int64_t>(number);
}

SalesRow sales_row(Date start, const Measures& sums) {
  return {.start = start,
          .orders = exact(sums.orders),
          .units = exact(sums.units),
          .gross_cents = exact(sums.gross_cents),
          .override_cents = exact(sums.override_cents),
          .discount_cents = exact(sums.discount_cents),
          .tax_cents = exact(sums.tax_cents),
          .adjustment_cents =
              exact(static_cast<__int128>(sums.total_cents) - sums.gross_cents + sums.discount_cents - sums.tax_cents),
          .total_cents = exact(sums.total_cents),
          .refunds = exact(sums.refunds),
          .refund_cents = exact(sums.refund_cents),
          .net_cents = exact(static_cast<__int128>(sums.total_cents) - sums.refund_cents)};
}

TaxRow tax_row(Date start, const Measures& sums) {
  return {.start = start,
          .orders = exact(sums.orders),
          .before_tax_cents = exact(static_cast<__int128>(sums.total_cents) - sums.tax_cents),
          .tax_cents = exact(sums.tax_cents),
          .total_cents = exact(sums.total_cents)};
}

CustomersRow customers_row(Date start, const Measures& sums) {
  return {.start = start,
          .new_customers = exact(sums.new_customers),
          .orders = exact(sums.orders),
          .returning_orders = exact(sums.customer_orders - sums.new_customers),
          .guest_orders = exact(sums.orders - sums.customer_orders)};
}

FundRow fund_row(Date start, const Measures& contributed, const Measures& returned, const Measures& disbursed) {
  return {.start = start,
          .contributions = exact(contributed.orders),
          .contributed_cents = exact(contributed.total_cents),
          .returns = exact(returned.orders),
          .returned_cents = exact(returned.total_cents),
          .disbursements = exact(disbursed.orders),
          .disbursed_cents = exact(disbursed.total_cents),
          .change_cents =
              exact(static_cast<__int128>(contributed.total_cents) - returned.total_cents - disbursed.total_cents)};
}

}  // namespace guildhall
