#include "app/list_fill.h"

#include "base/log.h"
#include "features/catalog/product_store.h"
#include "features/customers/customer_store.h"
#include "features/identity/user_store.h"
#include "features/orders/order_store.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds between_reports{10};

constexpr std::int64_t logged_rows_min = 500;  // fewer are those that an older node writes beside this one

using Clock = std::chrono::steady_clock;

// Each reads a partial index of these rows.
const Sql unfilled_orders("SELECT COUNT(*) FROM orders WHERE search_text IS NULL");
const Sql unfilled_customers("SELECT COUNT(*) FROM customers WHERE search_text IS NULL");
const Sql unfilled_products("SELECT COUNT(*) FROM products WHERE search_text IS NULL");
const Sql unfilled_users("SELECT COUNT(*) FROM users WHERE search_text IS NULL");

}  // namespace

struct ListFill::Table {
  Table(std::string name, const Sql& count_sql, std::int64_t (*fill_some)(Tx&, const JobFailures&))
      : name(std::move(name)), count_sql(count_sql), fill_some(fill_some) {}

  const std::string name;
  const Sql& count_sql;
  std::int64_t (*const fill_some)(Tx&, const JobFailures&);
  std::atomic<std::int64_t> remaining{0};  // as counted at the start of the run, less the rows filled since
};

ListFill::ListFill(Metrics& metrics)
    : tables_{std::make_shared<Table>("orders", unfilled_orders, fill_order_lists),
              std::make_shared<Table>("customers", unfilled_customers, fill_customer_search),
              std::make_shared<Table>("products", unfilled_products, fill_product_search),
              std::make_shared<Table>("users", unfilled_users, fill_user_search)} {
  for (const auto& table : tables_) {
    metrics.gauge("background_fill_remaining_rows",
                  "Rows from before an update that lists and searches do not find yet.",
                  [table] { return static_cast<double>(table->remaining.load()); }, {{"table", table->name}});
  }
}

void ListFill::run(Storage& storage, const std::atomic<bool>& stopping, const JobFailures& failures) {
  for (const auto& table : tables_) {
    failures.attempt({.record = table->name}, [&] { fill(storage, *table, stopping, failures); });
  }
}

void ListFill::fill(Storage& storage, Table& table, const std::atomic<bool>& stopping,
                    const JobFailures& failures) const {
  std::int64_t total = 0;
  storage.read_now([&](Tx& tx) { tx.run({&table.count_sql, {}}, [&](const Row& row) { total = row.integer(0); }); });
  table.remaining = total;
  if (total == 0) return;
  const bool logged = total > logged_rows_min;
  const auto began = Clock::now();
  auto reported = began;
  if (logged) log::info("filling search texts of rows from before an update", {{"table", table.name}, {"rows", total}});
  std::int64_t done = 0;
  for (std::int64_t rows = 1; rows > 0 && !stopping;) {
    storage.write_now([&](Tx& tx) { rows = table.fill_some(tx, failures); });
    done += rows;
    table.remaining = std::max<std::int64_t>(0, total - done);
    if (done == 0 || Clock::now() - reported < between_reports) continue;
    reported = Clock::now();
    const double seconds = std::chrono::duration<double>(reported - began).count();
    const double rate = static_cast<double>(done) / seconds;
    log::info("filling search texts", {{"table", table.name},
                                       {"rows", done},
                                       {"percent", 100 * done / std::max(done, total)},
                                       {"rowsPerSecond", std::llround(rate)},
                                       {"secondsLeft", std::llround(static_cast<double>(table.remaining) / rate)}});
  }
  if (logged && !stopping) log::info("search texts are filled", {{"table", table.name}, {"rows", done}});
}

std::vector<std::string> ListFill::warnings() const {
  std::vector<std::string> found;
  for (const auto& table : tables_) {
    if (const std::int64_t rows = table->remaining; rows > 0) {
      found.push_back(
          fmt::format("An update is being completed: a search does not find {} of the {} yet.", rows, table->name));
    }
  }
  return found;
}

}  // namespace guildhall
