#include <fstream>
#include <ostream>

#include "app/ops/rebuild_progress.h"
#include "app/ops/transfer/import_checks.h"
#include "app/ops/transfer/import_rules.h"
#include "app/ops/transfer/manifest.h"
#include "base/job_failures.h"
#include "features/catalog/product_store.h"
#include "features/customers/customer_store.h"
#include "features/identity/user_store.h"
#include "features/orders/order_store.h"
#include "features/reports/report_rebuild.h"
#include "features/reports/report_store.h"
#include "features/tenancy/guild_binding.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

constexpr std::size_t line_bytes_max = 4 << 20;
constexpr std::int64_t rows_at_once = 500;             // queued before they are sent
constexpr std::size_t bytes_at_once = line_bytes_max;  // likewise

const Sql delete_tenant_sql("DELETE FROM tenants WHERE tenant_id = $1");

// A new installation has already created its default tenant: that row is replaced. Any other row of the tenant is an
// error.
void require_no_records_of(Tx& tx, const Tables& tables, const TenantId& tenant) {
  for (const auto& table : tables) {
    if (table->name == "tenants" || table->name == "report_states" || !table->has("tenant_id")) continue;
    if (!table->rows_after(tx, &tenant.text(), nullptr, 1).empty()) {
      throw std::runtime_error(fmt::format("tenant {} has {} here already", tenant.text(), table->name));
    }
  }
  tx.run({&delete_tenant_sql, {tenant.text()}});
}

// Problems of columns that have the same meaning in all tables. Ids are made by servers, so they have a narrow form;
// only those of receivers of messages contain what people choose.
Problems key_problems(const Table& table, const Table::Values& row, const TenantId& tenant) {
  Problems problems;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& column = table.columns[i].name;
    const auto* text = std::get_if<std::string>(&row[i]);
    if (column == "tenant_id" && (text == nullptr || *text != tenant.text())) {
      problems.push_back({column, "must be the tenant of the export"});
    }
    if (column == "id" && table.name != "message_receivers" && (text == nullptr || !is_tenant_id(*text))) {
      problems.push_back({column, "must be 1 to 64 characters of A-Z a-z 0-9 _ -"});
    }
  }
  return problems;
}

// Reads the rows of one table, checks them and inserts those that are not refused.
class TableImport {
 public:
  TableImport(Tx& tx, const Table& table, const ImportRule& rule, const Importing& importing, Refusals& refusals)
      : tx_(tx),
        table_(table),
        rule_(rule),
        check_(rule.is_derived ? RowCheck() : rule.check(table)),
        importing_(importing),
        refusals_(refusals) {}

  // Returns the checksum of all rows as they were exported.
  RowSum run(const std::filesystem::path& path, Progress& progress) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    std::vector<char> buffer(line_bytes_max);
    while (file.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()))) {
      take(std::string(buffer.data(), static_cast<std::size_t>(file.gcount()) - (file.eof() ? 0 : 1)));
      progress.add(1);
    }
    if (!file.eof()) refusals_.add(fmt::format("{}: a line is longer than {} bytes", table_.name, line_bytes_max));
    if (sum_.rows > rule_.rows_max) {
      refusals_.add(fmt::format("{}: a tenant can have at most {}", table_.name, rule_.rows_max));
    }
    return sum_;
  }

 private:
  void take(const std::string& line) {
    Table::Values row;
    Problems problems;
    collect_problems(fmt::format("line {}:", ++line_), problems, [&] { row = row_of_ndjson(table_, line); });
    if (problems.empty()) {
      sum_.add(row);
      if (rule_.is_derived) return;
      problems = key_problems(table_, row, importing_.tenant);
    }
    const Table::Values exported = row;
    if (problems.empty()) check_(row, importing_, problems);
    if (problems.empty()) check_chat_server(row, problems);
    if (problems.empty()) return insert(std::move(row), line.size());
    refusals_.add(table_, exported, problems);
  }

  // A chat server belongs to the tenant that has bound it first. An import must not bind it to another one.
  void check_chat_server(const Table::Values& row, Problems& problems) {
    if (table_.name != "guild_bindings") return;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* guild = std::get_if<std::string>(&row[i]);
      if (table_.columns[i].name != "guild_id" || guild == nullptr || !tx_.one(binding_of_guild(*guild))) continue;
      problems.push_back({"guild_id", "is bound here already; its present tenant has to release it first"});
    }
  }

  void insert(Table::Values row, std::size_t bytes) {
    // Events become events that were recorded by hand, and one of the same key may have been.
    if (table_.name == "webhook_events") {
      table_.insert_unless_present(tx_, std::move(row));
    } else {
      table_.insert(tx_, std::move(row));
    }
    bytes_queued_ += bytes;
    if (++rows_queued_ < rows_at_once && bytes_queued_ < bytes_at_once) return;
    table_.rows_after(tx_, &importing_.tenant.text(), nullptr, 1);  // sends the queued rows
    rows_queued_ = 0;
    bytes_queued_ = 0;
  }

  Tx& tx_;
  const Table& table_;
  const ImportRule& rule_;
  const RowCheck check_;
  const Importing& importing_;
  Refusals& refusals_;
  RowSum sum_;
  std::int64_t line_ = 0;
  std::int64_t rows_queued_ = 0;
  std::size_t bytes_queued_ = 0;
};

// Ends the transaction of a dry run.
struct NothingIsWritten : std::exception {};

class Import {
 public:
  Import(const Tables& tables, const std::filesystem::path& folder, const ImportOptions& options)
      : tables_(tables), folder_(folder), options_(options), manifest_(read_manifest(folder)) {}

  const TenantId& tenant() const { return manifest_.tenant; }

  // The body of the transaction. Throws std::runtime_error that names everything that is refused.
  void run(Tx& tx) {
    lines.clear();
    refusals_.clear();
    require_no_records_of(tx, tables_, tenant());
    import_tables(tx);
    check_imported(tx, tenant(), refusals_);
    if (!refusals_.empty()) throw std::runtime_error(refusals_.text());
    complete_imported(tx, tenant());
    for (const GuildBinding& each : tx.all(guilds_of_tenant(tenant()))) {
      lines += fmt::format("the chat server {} is bound to tenant {} now\n", each.guild_id, tenant().text());
    }
    paid_orders = tx.one(number_of_paid_orders(tenant())).value_or(0);
    request_rebuild(tx, tenant());
    if (options_.dry_run) throw NothingIsWritten();
  }

  void require_known_tables() const {
    for (const auto& [name, sum] : manifest_.tables) {
      if (std::ranges::none_of(tables_, [&](const auto& table) { return table->name == name; })) {
        throw std::runtime_error("the export has a table that this version does not know: " + name);
      }
    }
  }

  std::string lines;  // of the report
  std::int64_t paid_orders = 0;

 private:
  void import_tables(Tx& tx) {
    const Importing importing{tenant(), options_, now()};
    Progress progress("importing", manifest_.rows());
    for (const auto& table : tables_) {
      const auto expected = manifest_.tables.find(table->name);
      if (expected == manifest_.tables.end()) continue;
      const ImportRule* rule = import_rule(table->name);
      if (rule == nullptr) {
        if (expected->second.rows == 0 && !stays_with_installation(*table)) continue;
        throw std::runtime_error("no tenant's export has the table " + table->name);
      }
      const RowSum sum =
          TableImport(tx, *table, *rule, importing, refusals_).run(folder_ / (table->name + ".ndjson"), progress);
      if (sum != expected->second) refusals_.add(table->name + " is not as it was exported");
      lines += fmt::format("{}: {} rows\n", table->name, sum.rows);
    }
  }

  const Tables& tables_;
  const std::filesystem::path folder_;
  const ImportOptions& options_;
  const Manifest manifest_;
  Refusals refusals_;
};

// Fills what follows from the imported rows and need not be part of their transaction. A server that starts does the
// same.
void fill_lists(Storage& storage) {
  for (auto* fill : {fill_order_lists, fill_customer_search, fill_product_search, fill_user_search}) {
    for (std::int64_t rows = 1; rows > 0;) {
      storage.write_now([&](Tx& tx) { rows = fill(tx, JobFailures{}); });
    }
  }
  fill_username_keys(storage);
}

}  // namespace

void import_tenant(const std::string& database_url, const std::filesystem::path& folder, std::ostream& report,
                   const ImportOptions& options) {
  Tables tables;  // outlives the storage
  Import work(tables, folder, options);
  const auto storage = open_storage({.url = database_url});
  migrate(*storage);
  tables = read_tables(*storage);
  work.require_known_tables();
  try {
    storage->write_now([&](Tx& tx) { work.run(tx); });
  } catch (const NothingIsWritten&) {
    report << work.lines << "this is what would be imported; nothing was written\n";
    return;
  } catch (const ConstraintViolation& violation) {
    throw std::runtime_error("the export contradicts itself: it violates " + violation.constraint);
  }
  fill_lists(*storage);
  ShownRebuild shown(work.paid_orders);
  rebuild_reports(*storage, work.tenant(), shown.of_tenant());
  collect_statistics(*storage);
  report << work.lines;
}

}  // namespace guildhall
