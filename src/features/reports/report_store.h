#pragma once

#include "features/reports/report_facts.h"
#include "storage/database.h"

// All SQL of reports.
namespace guildhall {

// Appends facts, to be folded into the totals later. Deferred; locks nothing that another transaction waits for.
void append_facts(Tx& tx, const TenantId& tenant, const ReportFacts& facts, Instant now);

struct ReportEntry {
  std::string id;
  ReportFacts facts;
};
Select<ReportEntry> oldest_entries(const TenantId& tenant, std::int64_t limit);
Select<ReportEntry> entries_after_id(const TenantId& tenant, const std::string& id, std::int64_t limit);
void delete_entry(Tx& tx, const TenantId& tenant, const std::string& id);

// The first tenant after the given one that has entries.
Select<TenantId> next_tenant_with_entries(const TenantId& after);

// The provider whose payment pays the order.
void record_provider(Tx& tx, const TenantId& tenant, const OrderId& order, PaymentProvider provider);
Select<PaymentProvider> recorded_provider(const TenantId& tenant, const OrderId& order);

struct ReportState {
  std::int64_t fund_sequence = 0;
  bool is_built = true;
  std::int64_t rebuild = 0;
};
BOOST_DESCRIBE_STRUCT(ReportState, (), (fund_sequence, is_built, rebuild))
Select<ReportState> report_state_of(const TenantId& tenant);

// Locks the state of the tenant until the transaction ends and returns it. Folds of one tenant wait for each other
// here.
ReportState lock_state(Tx& tx, const TenantId& tenant);
void set_fund_sequence(Tx& tx, const TenantId& tenant, std::int64_t sequence);

// Rebuilds, of which the newest one of a tenant alone may write. `until` is when another one may begin.
void request_rebuild(Tx& tx, const TenantId& tenant);
Select<TenantId> next_unbuilt_tenant(const TenantId& after);
std::optional<std::int64_t> claim_rebuild(Tx& tx, const TenantId& tenant, Instant now, Instant until);
bool continue_rebuild(Tx& tx, const TenantId& tenant, std::int64_t rebuild, Instant until);
void finish_rebuild(Tx& tx, const TenantId& tenant, std::int64_t rebuild);

// The stored rows, in steps, in the order of their keys (report_sources.h has those of other slices).
Select<std::int64_t> number_of_paid_orders(const TenantId& tenant);  // reads them all
struct PaidWith {
  OrderId order_id;
  PaymentProvider provider = manual_provider;
};
BOOST_DESCRIBE_STRUCT(PaidWith, (), (order_id, provider))
Select<PaidWith> providers_between(const TenantId& tenant, const OrderId& after, const OrderId& last);
struct StoredTotals {
  TotalsKey key;
  Measures measures;
};
Select<StoredTotals> totals_after(const TenantId& tenant, const TotalsKey& key, std::int64_t limit);
struct StoredCustomerOrder {
  CustomerOrder order;
  std::int64_t entries = 0;
};
Select<StoredCustomerOrder> customer_orders_after(const TenantId& tenant, const CustomerOrder& order,
                                                  std::int64_t limit);

// Adds the figures to the stored totals.
void add_totals(Tx& tx, const TenantId& tenant, const Totals& totals);

// Adds to the orders of customers, and to `totals` the change of the number of new customers that this causes.
void add_customer_orders(Tx& tx, const TenantId& tenant, const CustomerOrders& orders, Totals& totals);

// The sums of each date in a part of a time zone. `offset_ms` is its difference to UTC.
struct DateSums {
  Date date;
  Measures measures;
};
struct TotalsFilter {
  const TenantId& tenant;
  Dimension dimension;
  const std::string& currency;
};
std::vector<DateSums> sums_by_date(Tx& tx, const TotalsFilter& filter, const std::string& key, Instant begin,
                                   Instant end, std::int64_t offset_ms);

struct RankedKey {
  std::string key;
  std::int64_t total_cents = 0;
};
// The keys with the largest totals in one bucket.
Select<RankedKey> largest_in_bucket(const TotalsFilter& filter, Level level, Instant bucket, std::int64_t limit);

struct KeySums {
  std::string key;
  Measures measures;
};
constexpr std::size_t keys_a_query = 50;
// The sums of up to keys_a_query keys over consecutive buckets.
Select<KeySums> sums_of_keys(const TotalsFilter& filter, const std::vector<std::string>& keys, const BucketRun& run);

// The first currency after the given one in which there were sales or refunds.
Select<std::string> next_currency(const TenantId& tenant, const std::string& after);

// Names to show beside ids, for up to keys_a_query ids.
struct NamedKey {
  std::string key;
  std::string name;
  std::optional<std::string> detail;  // the SKU of a product
};
Select<NamedKey> product_names(const TenantId& tenant, const std::vector<std::string>& ids);
Select<NamedKey> customer_names(const TenantId& tenant, const std::vector<std::string>& ids);
Select<NamedKey> discount_codes(const TenantId& tenant, const std::vector<std::string>& ids);

}  // namespace guildhall
