#include "features/reports/report_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

// "$8, $9, … " for so many parameters, beginning with the given one.
std::string placeholders_from(std::size_t first, std::size_t count) {
  std::string list;
  for (std::size_t i = first; i < first + count; ++i) list += fmt::format("{}${}", list.empty() ? "" : ", ", i);
  return list;
}

void append_keys(std::vector<Value>& params, const std::vector<std::string>& keys) {
  for (std::size_t i = 0; i < keys_a_query; ++i) params.emplace_back(i < keys.size() ? keys[i] : std::string());
}

std::string sums() {
  std::string list;
  for (const Field& field : fields_of<Measures>()) {
    list += fmt::format("{}CAST(SUM({}) AS bigint)", list.empty() ? "" : ", ", field.column);
  }
  return list;
}

// Reads Measures from the second column on.
Measures measures_in(const Row& row) {
  Measures measures;
  int column = 1;
  boost::mp11::mp_for_each<boost::describe::describe_members<Measures, boost::describe::mod_public>>(
      [&](auto member) { measures.*member.pointer = row.integer(column++); });
  return measures;
}

ReportEntry entry_in(const Row& row) {
  return {std::string(row.text(0)), Column<ReportFacts>::read(row, 1)};
}

std::vector<Value> filter_params(const TotalsFilter& filter) {
  return params(filter.tenant, filter.dimension, filter.currency);
}

}  // namespace

static const Sql append_sql("INSERT INTO report_entries (tenant_id, id, facts) VALUES ($1, $2, $3)");

void append_facts(Tx& tx, const TenantId& tenant, const ReportFacts& facts, Instant now) {
  tx.later({&append_sql, params(tenant, make_uuid(now), facts)});
}

static const Sql oldest_sql("SELECT id, facts FROM report_entries WHERE tenant_id = $1 ORDER BY id LIMIT $2");

Select<ReportEntry> oldest_entries(const TenantId& tenant, std::int64_t limit) {
  return {{&oldest_sql, params(tenant, limit)}, entry_in};
}

static const Sql entries_sql(
    "SELECT id, facts FROM report_entries WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3");

Select<ReportEntry> entries_after_id(const TenantId& tenant, const std::string& id, std::int64_t limit) {
  return {{&entries_sql, params(tenant, id, limit)}, entry_in};
}

static const Sql delete_sql("DELETE FROM report_entries WHERE tenant_id = $1 AND id = $2");

void delete_entry(Tx& tx, const TenantId& tenant, const std::string& id) {
  tx.later({&delete_sql, params(tenant, id)});
}

static const Sql next_tenant_sql(
    "SELECT tenant_id FROM report_entries WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1");

Select<TenantId> next_tenant_with_entries(const TenantId& after) {
  return {{&next_tenant_sql, params(after)}, [](const Row& row) { return TenantId(row.text(0)); }};
}

static const Sql record_provider_sql(
    "INSERT INTO report_paid_with (tenant_id, order_id, provider) VALUES ($1, $2, $3)"
    " ON CONFLICT (tenant_id, order_id) DO NOTHING");

void record_provider(Tx& tx, const TenantId& tenant, const OrderId& order, PaymentProvider provider) {
  tx.later({&record_provider_sql, params(tenant, order, provider)});
}

static const Sql recorded_provider_sql("SELECT provider FROM report_paid_with WHERE tenant_id = $1 AND order_id = $2");

Select<PaymentProvider> recorded_provider(const TenantId& tenant, const OrderId& order) {
  return {{&recorded_provider_sql, params(tenant, order)},
          [](const Row& row) { return Column<PaymentProvider>::read(row, 0); }};
}

static const Sql state_sql("SELECT " + columns<ReportState>() + " FROM report_states WHERE tenant_id = $1");

Select<ReportState> report_state_of(const TenantId& tenant) {
  return {{&state_sql, params(tenant)}, read_row<ReportState>};
}

static const Sql ensure_state_sql(
    "INSERT INTO report_states (tenant_id, fund_sequence, is_built, rebuild, rebuilding_until)"
    " VALUES ($1, 0, true, 0, 0) ON CONFLICT (tenant_id) DO NOTHING");
static const Sql lock_state_sql(
    "UPDATE report_states SET fund_sequence = fund_sequence WHERE tenant_id = $1 RETURNING " + columns<ReportState>());

ReportState lock_state(Tx& tx, const TenantId& tenant) {
  tx.later({&ensure_state_sql, params(tenant)});
  return tx.one(Select<ReportState>{{&lock_state_sql, params(tenant)}, read_row<ReportState>}).value();
}

static const Sql set_fund_sequence_sql("UPDATE report_states SET fund_sequence = $2 WHERE tenant_id = $1");

void set_fund_sequence(Tx& tx, const TenantId& tenant, std::int64_t sequence) {
  tx.later({&set_fund_sequence_sql, params(tenant, sequence)});
}

static const Sql request_rebuild_sql(
    "INSERT INTO report_states (tenant_id, fund_sequence, is_built, rebuild, rebuilding_until)"
    " VALUES ($1, 0, false, 0, 0) ON CONFLICT (tenant_id) DO UPDATE SET is_built = false");

void request_rebuild(Tx& tx, const TenantId& tenant) {
  tx.run({&request_rebuild_sql, params(tenant)});
}

static const Sql next_unbuilt_sql(
    "SELECT tenant_id FROM report_states WHERE is_built = false AND tenant_id > $1 ORDER BY tenant_id LIMIT 1");

Select<TenantId> next_unbuilt_tenant(const TenantId& after) {
  return {{&next_unbuilt_sql, params(after)}, [](const Row& row) { return TenantId(row.text(0)); }};
}

static const Sql claim_rebuild_sql(
    "UPDATE report_states SET rebuild = rebuild + 1, rebuilding_until = $3 WHERE tenant_id = $1"
    " AND rebuilding_until <= $2 RETURNING rebuild");

std::optional<std::int64_t> claim_rebuild(Tx& tx, const TenantId& tenant, Instant now, Instant until) {
  tx.later({&ensure_state_sql, params(tenant)});
  return tx.one(Select<std::int64_t>{{&claim_rebuild_sql, params(tenant, now, until)},
                                     [](const Row& row) { return row.integer(0); }});
}

static const Sql continue_rebuild_sql(
    "UPDATE report_states SET rebuilding_until = $3 WHERE tenant_id = $1 AND rebuild = $2");

bool continue_rebuild(Tx& tx, const TenantId& tenant, std::int64_t rebuild, Instant until) {
  return tx.run({&continue_rebuild_sql, params(tenant, rebuild, until)}) == 1;
}

static const Sql finish_rebuild_sql(
    "UPDATE report_states SET rebuilding_until = 0, is_built = true WHERE tenant_id = $1 AND rebuild = $2");

void finish_rebuild(Tx& tx, const TenantId& tenant, std::int64_t rebuild) {
  tx.run({&finish_rebuild_sql, params(tenant, rebuild)});
}

static const Sql paid_orders_count_sql("SELECT COUNT(*) FROM orders WHERE tenant_id = $1 AND paid_at IS NOT NULL");

Select<std::int64_t> number_of_paid_orders(const TenantId& tenant) {
  return {{&paid_orders_count_sql, params(tenant)}, [](const Row& row) { return row.integer(0); }};
}

static const Sql providers_sql(
    "SELECT order_id, provider FROM report_paid_with WHERE tenant_id = $1 AND order_id > $2 AND order_id <= $3");

Select<PaidWith> providers_between(const TenantId& tenant, const OrderId& after, const OrderId& last) {
  return {{&providers_sql, params(tenant, after, last)}, read_row<PaidWith>};
}

static const Sql totals_sql("SELECT dimension, " + columns<Measures>() +
                            ", level, currency, key, bucket FROM report_totals WHERE tenant_id = $1"
                            " AND (dimension, level, currency, key, bucket) > ($2, $3, $4, $5, $6)"
                            " ORDER BY dimension, level, currency, key, bucket LIMIT $7");

Select<StoredTotals> totals_after(const TenantId& tenant, const TotalsKey& key, std::int64_t limit) {
  return {{&totals_sql, params(tenant, key.dimension, key.level, key.currency, key.key, key.bucket, limit)},
          [](const Row& row) {
            const int next = 1 + static_cast<int>(fields_of<Measures>().size());
            return StoredTotals{
                {Column<Dimension>::read(row, 0), Column<Level>::read(row, next), std::string(row.text(next + 1)),
                 std::string(row.text(next + 2)), Column<Instant>::read(row, next + 3)},
                measures_in(row)};
          }};
}

static const Sql customer_orders_sql(
    "SELECT currency, customer_id, paid_at, order_id, entries FROM report_customer_orders WHERE tenant_id = $1"
    " AND (currency, customer_id, paid_at, order_id) > ($2, $3, $4, $5)"
    " ORDER BY currency, customer_id, paid_at, order_id LIMIT $6");

Select<StoredCustomerOrder> customer_orders_after(const TenantId& tenant, const CustomerOrder& order,
                                                  std::int64_t limit) {
  return {
      {&customer_orders_sql, params(tenant, order.currency, order.customer_id, order.paid_at, order.order_id, limit)},
      [](const Row& row) {
        return StoredCustomerOrder{{std::string(row.text(0)), std::string(row.text(1)), Column<Instant>::read(row, 2),
                                    std::string(row.text(3))},
                                   row.integer(4)};
      }};
}

// "orders = CASE WHEN report_totals.orders + excluded.orders > … END, …"
static std::string limited_additions() {
  std::string list;
  for (const Field& field : fields_of<Measures>()) {
    list += fmt::format(
        "{0}{1} = CASE WHEN report_totals.{1} + excluded.{1} > {2} THEN {2}"
        " WHEN report_totals.{1} + excluded.{1} < -{2} THEN -{2} ELSE report_totals.{1} + excluded.{1} END",
        list.empty() ? "" : ", ", field.column, measure_max);
  }
  return list;
}

static const Sql add_totals_sql("INSERT INTO report_totals (tenant_id, dimension, level, currency, key, bucket, " +
                                columns<Measures>() + ") VALUES ($1, $2, $3, $4, $5, $6, " +
                                placeholders_from(7, fields_of<Measures>().size()) +
                                ") ON CONFLICT (tenant_id, dimension, level, currency, key, bucket) DO UPDATE SET " +
                                limited_additions());

void add_totals(Tx& tx, const TenantId& tenant, const Totals& totals) {
  for (const auto& [key, measures] : totals) {
    if (measures == Measures()) continue;
    std::vector<Value> values = params(tenant, key.dimension, key.level, key.currency, key.key, key.bucket);
    for (Value& value : values_of(measures)) values.push_back(std::move(value));
    tx.later({&add_totals_sql, std::move(values)});
  }
}

static const Sql first_order_sql(
    "SELECT paid_at FROM report_customer_orders WHERE tenant_id = $1 AND currency = $2 AND customer_id = $3"
    " AND entries > 0 ORDER BY paid_at, order_id LIMIT 1");

static std::optional<Instant> first_order(Tx& tx, const TenantId& tenant, const CustomerOrder& of) {
  return tx.one(Select<Instant>{{&first_order_sql, params(tenant, of.currency, of.customer_id)},
                                [](const Row& row) { return Instant{row.integer(0)}; }});
}

static const Sql add_order_sql(
    "INSERT INTO report_customer_orders (tenant_id, currency, customer_id, paid_at, order_id, entries)"
    " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id, currency, customer_id, paid_at, order_id)"
    " DO UPDATE SET entries = report_customer_orders.entries + excluded.entries");
static const Sql drop_order_sql(
    "DELETE FROM report_customer_orders WHERE tenant_id = $1 AND currency = $2 AND customer_id = $3 AND paid_at = $4"
    " AND order_id = $5 AND entries = 0");

static void add_customer_order(Tx& tx, const TenantId& tenant, const CustomerOrder& order, std::int64_t entries) {
  tx.later({&add_order_sql, params(tenant, order.currency, order.customer_id, order.paid_at, order.order_id, entries)});
  if (entries < 0) {
    tx.later({&drop_order_sql, params(tenant, order.currency, order.customer_id, order.paid_at, order.order_id)});
  }
}

void add_customer_orders(Tx& tx, const TenantId& tenant, const CustomerOrders& orders, Totals& totals) {
  const auto count = [&](const CustomerOrder& of, const std::optional<Instant>& first, std::int64_t difference) {
    if (first) add_by_date(totals, Dimension::SALES, of.currency, "", *first, {.new_customers = difference});
  };
  for (auto next = orders.begin(); next != orders.end();) {
    const CustomerOrder& customer = next->first;
    const auto before = first_order(tx, tenant, customer);
    for (; next != orders.end() && next->first.currency == customer.currency &&
           next->first.customer_id == customer.customer_id;
         ++next) {
      if (next->second != 0) add_customer_order(tx, tenant, next->first, next->second);
    }
    const auto after = first_order(tx, tenant, customer);
    if (before == after) continue;
    count(customer, before, -1);
    count(customer, after, 1);
  }
}

static const std::string of_dimension = " FROM report_totals WHERE tenant_id = $1 AND dimension = $2 AND currency = $3";

static const std::string by_date = "SELECT (bucket + $7) / 86400000, " + sums() + of_dimension +
                                   " AND level = $8 AND key = $4 AND bucket >= $5 AND bucket < $6";
static const Sql by_date_sql(by_date + " GROUP BY 1");
static const Sql whole_hours_sql(by_date + " AND (bucket + $7) % 86400000 <= 82800000 GROUP BY 1");
static const Sql split_hours_sql(by_date + " AND (bucket - bucket % 3600000 + $7) % 86400000 > 82800000 GROUP BY 1");

static constexpr std::int64_t hour_ms = 4 * quarter_ms;

// Whether the local date changes within the hour, or the time begins an hour.
static bool begins_or_splits_hour(Instant time, std::int64_t offset_ms) {
  const std::int64_t into_hour = time.ms % hour_ms;
  return into_hour == 0 || (time.ms - into_hour + offset_ms) % day_ms > day_ms - hour_ms;
}

std::vector<DateSums> sums_by_date(Tx& tx, const TotalsFilter& filter, const std::string& key, Instant begin,
                                   Instant end, std::int64_t offset_ms) {
  const auto read = [&](const Sql& sql, Level level) {
    std::vector<Value> values = filter_params(filter);
    for (Value& value : params(key, begin, end, offset_ms, level)) values.push_back(std::move(value));
    return tx.all(Select<DateSums>{
        {&sql, std::move(values)}, [](const Row& row) {
          return DateSums{{std::chrono::sys_days(std::chrono::days(row.integer(0)))}, measures_in(row)};
        }});
  };
  const Level level = level_for(begin, end, offset_ms);
  const bool in_hours = begins_or_splits_hour(begin, offset_ms) && begins_or_splits_hour(end, offset_ms);
  if (level > Level::HALF || !in_hours) return read(by_date_sql, level);
  // There are four times as many quarters as hours, so they are read only where the date changes within an hour.
  std::vector<DateSums> dates = read(whole_hours_sql, Level::HOUR);
  std::ranges::move(read(split_hours_sql, level), std::back_inserter(dates));
  return dates;
}

static const Sql largest_sql("SELECT key, total_cents" + of_dimension +
                             " AND level = $4 AND bucket = $5 AND key <> '' ORDER BY total_cents DESC, key DESC"
                             " LIMIT $6");

Select<RankedKey> largest_in_bucket(const TotalsFilter& filter, Level level, Instant bucket, std::int64_t limit) {
  std::vector<Value> values = filter_params(filter);
  for (Value& value : params(level, bucket, limit)) values.push_back(std::move(value));
  return {{&largest_sql, std::move(values)}, [](const Row& row) {
            return RankedKey{std::string(row.text(0)), row.integer(1)};
          }};
}

static const Sql of_keys_sql("SELECT key, " + sums() + of_dimension +
                             " AND level = $4 AND bucket >= $5 AND bucket < $6 AND key IN (" +
                             placeholders_from(7, keys_a_query) + ") GROUP BY key");

Select<KeySums> sums_of_keys(const TotalsFilter& filter, const std::vector<std::string>& keys, const BucketRun& run) {
  std::vector<Value> values = filter_params(filter);
  for (Value& value : params(run.level, run.begin, run.end)) values.push_back(std::move(value));
  append_keys(values, keys);
  return {{&of_keys_sql, std::move(values)}, [](const Row& row) {
            return KeySums{std::string(row.text(0)), measures_in(row)};
          }};
}

static const Sql next_currency_sql(
    "SELECT currency FROM report_totals WHERE tenant_id = $1 AND dimension = 'SALES' AND level = 'DAY'"
    " AND currency > $2 ORDER BY currency LIMIT 1");

Select<std::string> next_currency(const TenantId& tenant, const std::string& after) {
  return {{&next_currency_sql, params(tenant, after)}, [](const Row& row) { return std::string(row.text(0)); }};
}

static Select<NamedKey> named_keys(const Sql& sql, const TenantId& tenant, const std::vector<std::string>& ids) {
  std::vector<Value> values = params(tenant);
  append_keys(values, ids);
  return {{&sql, std::move(values)}, [](const Row& row) {
            return NamedKey{std::string(row.text(0)), std::string(row.text(1)),
                            Column<std::optional<std::string>>::read(row, 2)};
          }};
}

static const std::string among_ids = " WHERE tenant_id = $1 AND id IN (" + placeholders_from(2, keys_a_query) + ")";

static const Sql product_names_sql("SELECT id, name, sku FROM products" + among_ids);

Select<NamedKey> product_names(const TenantId& tenant, const std::vector<std::string>& ids) {
  return named_keys(product_names_sql, tenant, ids);
}

static const Sql customer_names_sql("SELECT id, chat_display_name, NULL FROM customers" + among_ids);

Select<NamedKey> customer_names(const TenantId& tenant, const std::vector<std::string>& ids) {
  return named_keys(customer_names_sql, tenant, ids);
}

static const Sql discount_codes_sql("SELECT id, COALESCE(code, ''), NULL FROM discounts" + among_ids);

Select<NamedKey> discount_codes(const TenantId& tenant, const std::vector<std::string>& ids) {
  return named_keys(discount_codes_sql, tenant, ids);
}

}  // namespace guildhall
