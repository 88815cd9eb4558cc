// How the open-order page, its search and its summary, and the list of orders with its filters, grow with the orders of
// a tenant and with the tenants, and how long reports of a year take.
//
//   open_orders_bench <url of an empty database> [orders of the largest shop, default 1000000]
//
// Prints a JSON object a line: engine, orders, tenants, what, microseconds (the lower quartile of many runs, since what
// else the machine does only ever adds).
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <iostream>

#include "base/log.h"
#include "features/orders/open_orders.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_list.h"
#include "features/reports/report_fold.h"
#include "features/reports/report_reading.h"
#include "storage/columns.h"
#include "storage/migrations.h"
#include "storage/postgres/settings.h"

namespace guildhall {
namespace {

constexpr std::chrono::milliseconds measured_for{500};  // long enough for the scheduler to change its mind
constexpr std::size_t runs_min = 21;
constexpr std::int64_t tenants_max = 10'000, orders_a_tenant = 100;
constexpr std::int64_t copied_at_once_max = 20'000;  // a statement may take ten seconds
const TenantId big{std::string("big")};

// Copies orders of tenant $4 to tenant $2, at most $3. Ids and numbers become those after $1, which has twelve digits:
// a copy is no longer than what it was made from, so that every size is measured with replies of the same length.
const Sql copy_sql(R"(
  INSERT INTO orders SELECT substr(id, 1, 24) || CAST($1 + row AS text), CAST($2 AS text),
    CAST($1 + row AS text) || substr(order_number, 13), status, shipping_status,
    items, currency, customer, customer_id, customer_role_ids, discount_id, discount_code, subtotal_cents,
    discount_amount_cents, tax_amount_cents, total_cents, shipping_address, shipment_id, tracking_number, notes,
    anonymous_contribution, paid_at, created_at + 1, updated_at, version, pricing, stock_taken, use_counted,
    CAST($1 + row AS text) || substr(search, 13), is_open, deleted_at, shipped_at,
    CAST($1 + row AS text) || substr(search_text, 13), gift_to, kept_until, metadata
  FROM (SELECT o.*, ROW_NUMBER() OVER () AS row FROM orders o WHERE tenant_id = $4 AND customer_id IS NULL LIMIT $3)
    copied)");
constexpr std::int64_t first_number = 100'000'000'000;

// The products and payments of the copies, whose numbers are above $1 and not above $3: all have the same product, and
// one in five has a payment.
const Sql copy_products_sql(R"(
  INSERT INTO order_products SELECT tenant_id, 'p', id FROM orders
  WHERE tenant_id = $1 AND deleted_at IS NULL AND order_number > $2 AND order_number <= $3)");
const Sql copy_payments_sql(R"(
  INSERT INTO payments (id, tenant_id, order_id, provider, status, amount_cents, currency, expected_cents,
    expected_currency, refunded_cents, created_at, updated_at, version)
  SELECT id, tenant_id, id, 'WALLET', 'PAID', total_cents, currency, total_cents, currency, 0, created_at, created_at, 1
  FROM orders
  WHERE tenant_id = $1 AND deleted_at IS NULL AND order_number > $2 AND order_number <= $3
    AND substr(id, 36) IN ('0', '1'))");
const Sql rare_discount_sql("UPDATE orders SET discount_id = 'rare' WHERE tenant_id = $1 AND id = $2");
const Sql rare_payment_sql(R"(
  INSERT INTO payments (id, tenant_id, order_id, provider, status, amount_cents, currency, expected_cents,
    expected_currency, refunded_cents, created_at, updated_at, version)
  VALUES ($1, $2, $1, 'APPPAY', 'FAILED', 1, 'USD', 1, 'USD', 0, 1, 1, 1))");

// Copies orders of the big shop. The numbers become those after `first`.
void copy_orders(Tx& tx, std::int64_t first, const std::string& tenant, std::int64_t count) {
  tx.run({&copy_sql, params(first, tenant, count, big)});
  const auto numbers = params(tenant, std::to_string(first) + "~", std::to_string(first + count) + "~");
  tx.run({&copy_products_sql, numbers});
  tx.run({&copy_payments_sql, numbers});
}

// Each is compared with the page without parameters. The rare orders are the oldest of the shop, so that walking the
// list to find them would take longest.
constexpr const char* lists[] = {"",
                                 "sort=createdAt",
                                 "sort=totalCents",
                                 "sort=-totalCents",
                                 "sort=orderNumber",
                                 "sort=-orderNumber",
                                 "status=COMPLETE",
                                 "status=CANCELLED",
                                 "status=CANCELLED,REFUNDED",
                                 "shippingStatus=PENDING",
                                 "shippingStatus=FAILED",
                                 "customerId=rare",
                                 "discountId=rare",
                                 "productId=p",
                                 "productId=rare",
                                 "paymentMethod=WALLET",
                                 "paymentMethod=APPPAY",
                                 "paymentStatus=PAID",
                                 "paymentStatus=FAILED",
                                 "createdTo=2020-01-01T00:00:00Z",
                                 "totalMin=2000",
                                 "totalMin=100000",
                                 "search=order-9",
                                 "search=zelda",
                                 "search=nobody"};

const Sql recount_sql(R"(
  INSERT INTO order_counters SELECT tenant_id, status, 0, COUNT(*) FROM orders WHERE true GROUP BY tenant_id, status
  ON CONFLICT (tenant_id, status, slot) DO UPDATE SET orders = excluded.orders)");

const Sql analyze_sql("ANALYZE");

// Does what autovacuum does to such a table within minutes: a page that is known to be visible to all is not looked up
// in the heap. It cannot run within a transaction.
void vacuum_postgres(const std::string& url) {
  const PgHandle connection = connect_and_wait(url);
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), "VACUUM ANALYZE"), PQclear);
  if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) throw std::runtime_error(error_message(connection.get()));
}

const Sql count_sql("SELECT COUNT(*) FROM orders WHERE tenant_id = $1");

class Bench {
 public:
  explicit Bench(const std::string& url) : url_(url), storage_(open_storage({.url = url})), db_(storage_->open(loop_)) {
    migrate(*storage_);
    place_first_orders();
  }

  void run(std::int64_t orders_max) {
    for (const std::int64_t orders : {std::int64_t{1'000}, std::int64_t{100'000}, std::int64_t{1'000'000}}) {
      if (orders > orders_max) break;
      grow(orders);
      if (orders == 1'000) place_rare_orders();
      measure_all(orders, 1);
    }
    add_tenants();
    measure_all(orders_in_big_, tenants_max);
    add_sales(orders_in_big_);
    measure_reports(orders_in_big_);
  }

 private:
  // One open order in ten, which is the busiest a shop gets.
  void place_first_orders() {
    const Events events;
    storage_->write_now([&](Tx& tx) {
      for (int i = 0; i < orders_a_tenant; ++i) {
        const auto input = from_json<NewOrder>(
            fmt::format(R"({{"orderNumber":"000000000000-order-{}","customer":{{"name":"Ada"}},"status":"{}","items":[)"
                        R"({{"productId":"p","name":"Mug","sku":"MUG","quantity":2,"unitPriceCents":1250}}]}})",
                        i, i % 10 == 0 ? name_of(static_cast<OrderStatus>(i / 10 % 4)) : "COMPLETE"));
        Order order = place_order({tx, events, big, {}, now()}, input);
      }
    });
    orders_in_big_ = orders_a_tenant;
  }

  // Sixty orders that are older than all others.
  void place_rare_orders() {
    const Events events;
    storage_->write_now([&](Tx& tx) {
      for (int i = 0; i < 60; ++i) {
        const auto input = from_json<NewOrder>(fmt::format(
            R"({{"orderNumber":"rare-{}","customer":{{"name":"Zelda"}},"customerId":"rare","status":"CANCELLED",)"
            R"("shippingStatus":"FAILED","items":[{{"productId":"rare","name":"Mug","sku":"MUG","quantity":2,)"
            R"("unitPriceCents":100000}}]}})",
            i));
        const Order order = place_order({tx, events, big, {}, Instant{1'000'000 + i}}, input);
        tx.run({&rare_discount_sql, params(big, order.id)});
        tx.run({&rare_payment_sql, params(order.id, big)});
      }
    });
  }

  void grow(std::int64_t orders) {
    while (orders_in_big_ < orders) {
      const std::int64_t more = std::min({orders_in_big_, orders - orders_in_big_, copied_at_once_max});
      storage_->write_now([&](Tx& tx) { copy_orders(tx, next_number(more), big.text(), more); });
      orders_in_big_ += more;
    }
    settle();
  }

  void add_tenants() {
    for (std::int64_t first = 0; first < tenants_max; first += 100) {
      storage_->write_now([&](Tx& tx) {
        for (std::int64_t i = first; i < first + 100; ++i) {
          copy_orders(tx, next_number(orders_a_tenant), fmt::format("shop-{}", i), orders_a_tenant);
        }
      });
    }
    settle();
  }

  // The totals of so many sales within a year, of 1,000 products and 20,000 customers. Reports read nothing else.
  void add_sales(std::int64_t sales) {
    constexpr std::int64_t year_ms = 365 * day_ms, sales_at_once = 10'000;
    const Instant year = parse_instant("2026-01-01T00:00:00Z").value();
    for (std::int64_t first = 0; first < sales; first += sales_at_once) {
      ReportChanges changes;
      for (std::int64_t i = first; i < std::min(sales, first + sales_at_once); ++i) {
        const std::int64_t mixed = i * 7'919 % 1'000'003;  // neither products nor customers come in turns
        changes.add(ReportFacts{.at = {year.ms + i * (year_ms / sales)},
                                .currency = "USD",
                                .provider = "MANUAL",
                                .measures = {.orders = 1, .gross_cents = 2500, .total_cents = 2500},
                                .order_id = std::to_string(i),
                                .customer_id = fmt::format("customer-{:027}", mixed % 20'000),
                                .discount_id = std::nullopt,
                                .products = {{ProductId(fmt::format("product-{:028}", mixed % 1'000)), 2, 2500, 0}}});
      }
      changes.customer_orders.clear();  // only a fold reads them
      storage_->write_now([&](Tx& tx) { write_changes(tx, big, changes); });
    }
    settle();
  }

  void measure_reports(std::int64_t orders) {
    const std::string usd = "USD";
    std::vector<Problem> none;
    const auto period = [&](const char* from, const char* to, const char* zone) {
      return period_of(parse_date(from), parse_date(to), TimeZone::find(zone).value(), now(), none);
    };
    const ReportPeriod year = period("2026-01-01", "2026-12-31", "Europe/Berlin");
    const ReportPeriod quarters = period("2026-01-01", "2026-12-31", "Asia/Kathmandu");
    const ReportPeriod odd = period("2026-01-16", "2026-12-15", "Europe/Berlin");  // begins and ends within a month
    const auto sales_of = [&](const ReportPeriod& asked) {
      return db_->read([&](Tx& tx) {
        return read_intervals(tx, {big, Dimension::SALES, usd}, "", asked, ReportInterval::day);
      });
    };
    const auto largest_of = [&](Dimension dimension, const ReportPeriod& asked) {
      return db_->read([&, dimension](Tx& tx) { return read_ranking(tx, {big, dimension, usd}, asked, 50); });
    };
    measure("report: sales", orders, tenants_max, [&] { return sales_of(year); });
    measure("report: sales by quarters", orders, tenants_max, [&] { return sales_of(quarters); });
    measure("report: products", orders, tenants_max, [&] { return largest_of(Dimension::PRODUCT, year); });
    measure("report: products, odd dates", orders, tenants_max, [&] { return largest_of(Dimension::PRODUCT, odd); });
    measure("report: customers", orders, tenants_max, [&] { return largest_of(Dimension::CUSTOMER, year); });
  }

  // Takes so many numbers; a transaction that is tried again takes others.
  std::int64_t next_number(std::int64_t count) { return std::exchange(next_number_, next_number_ + count); }

  void settle() {
    storage_->write_now([](Tx& tx) { tx.run({&recount_sql, {}}); });
    if (storage_->name() == "postgresql") {
      vacuum_postgres(url_);
    } else {
      storage_->write_now([](Tx& tx) { tx.run({&analyze_sql, {}}); });
    }
  }

  void measure_all(std::int64_t orders, std::int64_t tenants) {
    OpenOrdersQuery plain, by_status, search;
    by_status.status = OpenOrderStatus::SHIPPED;
    by_status.page_size.value.value = 20;  // as many as there are among 1,000 orders
    search.search = "order-99";
    measure("page", orders, tenants, [&] { return db_->all(open_orders(big, plain)); });
    measure("page of a status", orders, tenants, [&] { return db_->all(open_orders(big, by_status)); });
    measure("search", orders, tenants, [&] { return db_->all(open_orders(big, search)); });
    measure("summary", orders, tenants, [&] { return db_->all(order_counts(big)); });
    for (const char* parameters : lists) {
      OrderQuery query;
      decode_query(parameters,
                   [&](JsonValue json, Decoder& decoder) { Codec<OrderQuery>::decode(json, query, decoder); });
      const ListRequest request = api::list_request(big, query);
      measure(fmt::format("list?{}", parameters), orders, tenants, [&] {
        return db_->read([&](Tx& tx) {
          return api::list_text(tx, order_listing(), request, api::page_limit_default, "", std::nullopt,
                                append_row_json<Order>);
        });
      });
    }
  }

  template <class Make>
  void measure(std::string_view what, std::int64_t orders, std::int64_t tenants, Make make) {
    std::vector<double> took;
    const auto work = [&]() -> Task<> {
      const auto until = std::chrono::steady_clock::now() + measured_for;
      while (took.size() < runs_min || std::chrono::steady_clock::now() < until) {
        const auto start = std::chrono::steady_clock::now();
        co_await make();
        took.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
      }
    };
    std::exception_ptr failed;
    boost::asio::co_spawn(loop_, work(), [&](std::exception_ptr thrown) {
      failed = thrown;
      loop_.stop();
    });
    loop_.restart();
    loop_.run();
    if (failed) std::rethrow_exception(failed);
    const auto quartile = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 4);
    std::nth_element(took.begin(), quartile, took.end());
    std::cout << fmt::format(R"({{"engine":"{}","orders":{},"tenants":{},"what":"{}","microseconds":{:.1f}}})",
                             storage_->name(), orders, tenants, what, *quartile)
              << std::endl;
  }

  const std::string url_;
  boost::asio::io_context loop_{1};
  std::unique_ptr<Storage> storage_;
  std::unique_ptr<Database> db_;
  std::int64_t orders_in_big_ = 0;
  std::int64_t next_number_ = first_number;
};

}  // namespace
}  // namespace guildhall

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: open_orders_bench <url of an empty database> [orders]\n";
    return 2;
  }
  try {
    guildhall::log::configure(guildhall::log::Level::warn, false);
    guildhall::Bench(argv[1]).run(argc > 2 ? std::stoll(argv[2]) : 1'000'000);
  } catch (const std::exception& error) {
    std::cerr << "open_orders_bench: " << error.what() << "\n";
    return 1;
  }
}
