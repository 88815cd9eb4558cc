// How the open-order page, its search and its summary grow with the orders of a tenant and with the tenants.
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
#include "storage/columns.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

constexpr int runs = 201;
constexpr std::int64_t tenants_max = 10'000, orders_a_tenant = 100;
constexpr std::int64_t copied_at_once_max = 20'000;  // a statement may take ten seconds
const TenantId big{std::string("big")};

// Copies the orders of one tenant: $1 makes ids and numbers new, $2 is the tenant that gets them, $3 how many at most.
const Sql copy_sql(R"(
  INSERT INTO orders SELECT $1 || id, CAST($2 AS text), $1 || order_number, status, shipping_status,
    items, currency, customer, customer_id, customer_role_ids, discount_id, discount_code, subtotal_cents,
    discount_amount_cents, tax_amount_cents, total_cents, shipping_address, shipment_id, tracking_number, notes,
    anonymous_contribution, paid_at, created_at + 1, updated_at, version, pricing, stock_taken, use_counted,
    $1 || search, is_open, deleted_at
  FROM orders WHERE tenant_id = $4 LIMIT $3)");

const Sql recount_sql(R"(
  INSERT INTO order_counters SELECT tenant_id, status, 0, COUNT(*) FROM orders WHERE true GROUP BY tenant_id, status
  ON CONFLICT (tenant_id, status, slot) DO UPDATE SET orders = excluded.orders)");

const Sql analyze_sql("ANALYZE");
const Sql count_sql("SELECT COUNT(*) FROM orders WHERE tenant_id = $1");

std::string prefix(std::int64_t n) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  return {digits[static_cast<std::size_t>(n / 36 % 36)], digits[static_cast<std::size_t>(n % 36)]};
}

class Bench {
 public:
  explicit Bench(const std::string& url) : storage_(open_storage({.url = url})), db_(storage_->open(loop_)) {
    migrate(*storage_);
    place_first_orders();
  }

  void run(std::int64_t orders_max) {
    for (const std::int64_t orders : {std::int64_t{1'000}, std::int64_t{100'000}, std::int64_t{1'000'000}}) {
      if (orders > orders_max) break;
      grow(orders);
      measure_all(orders, 1);
    }
    add_tenants();
    measure_all(orders_in_big_, tenants_max);
  }

 private:
  // One open order in ten, which is the busiest a shop gets.
  void place_first_orders() {
    const Events events;
    storage_->write_now([&](Tx& tx) {
      for (int i = 0; i < orders_a_tenant; ++i) {
        const auto input = from_json<NewOrder>(
            fmt::format(R"({{"orderNumber":"00-order-{}","customer":{{"name":"Ada"}},"status":"{}","items":[)"
                        R"({{"productId":"p","name":"Mug","sku":"MUG","quantity":2,"unitPriceCents":1250}}]}})",
                        i, i % 10 == 0 ? name_of(static_cast<OrderStatus>(i / 10 % 4)) : "COMPLETE"));
        Order order = place_order(tx, events, big, {}, input, now());
      }
    });
    orders_in_big_ = orders_a_tenant;
  }

  void grow(std::int64_t orders) {
    while (orders_in_big_ < orders) {
      const std::int64_t more = std::min({orders_in_big_, orders - orders_in_big_, copied_at_once_max});
      storage_->write_now([&](Tx& tx) { tx.run({&copy_sql, params(prefix(++copies_), big, more, big)}); });
      orders_in_big_ += more;
    }
    settle();
  }

  void add_tenants() {
    for (std::int64_t first = 0; first < tenants_max; first += 100) {
      storage_->write_now([&](Tx& tx) {
        for (std::int64_t i = first; i < first + 100; ++i) {
          tx.run({&copy_sql, params(prefix(0), fmt::format("shop-{}", i), orders_a_tenant, big)});
        }
      });
    }
    settle();
  }

  void settle() {
    storage_->write_now([](Tx& tx) { tx.run({&recount_sql, {}}); });
    storage_->write_now([](Tx& tx) { tx.run({&analyze_sql, {}}); });
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
  }

  template <class Make>
  void measure(std::string_view what, std::int64_t orders, std::int64_t tenants, Make make) {
    std::vector<double> took;
    const auto work = [&]() -> Task<> {
      for (int i = 0; i < runs; ++i) {
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
    std::nth_element(took.begin(), took.begin() + runs / 4, took.end());
    std::cout << fmt::format(R"({{"engine":"{}","orders":{},"tenants":{},"what":"{}","microseconds":{:.1f}}})",
                             storage_->name(), orders, tenants, what, took[runs / 4])
              << std::endl;
  }

  boost::asio::io_context loop_{1};
  std::unique_ptr<Storage> storage_;
  std::unique_ptr<Database> db_;
  std::int64_t orders_in_big_ = 0;
  std::int64_t copies_ = 0;
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
