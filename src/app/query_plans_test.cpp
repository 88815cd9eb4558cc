// Every statement of the program is explained on both engines: none may read a whole table, and a page of a list must
// begin where the page before has ended. On PostgreSQL every statement must also access its tables for one tenant, so
// that they can be distributed by tenant. The statements register themselves, so a new one cannot be forgotten.
#include <deque>
#include <regex>
#include <set>

#include "storage/postgres/writes.h"
#include "storage/tables.h"
#include "support/query_plan_exceptions.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using namespace test::query_plans;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool contains_any(const std::string& text, const Words& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return contains(text, part); });
}

// A page of a whole table: copies and backups read all tables this way.
bool is_page_of_table(const std::string& text) {
  static const std::regex page(R"([\s\S]* FROM \w+ (WHERE \([^)]*\) > \([^)]*\) )?ORDER BY [a-z_, ]+ LIMIT \$1)");
  return std::regex_match(text, page);
}

// All rows, page by page: the first page of a copy.
bool is_first_page(const std::string& text) {
  return contains(text, " LIMIT ") && !contains(text, "WHERE");
}

bool is_explainable(const std::string& text) {
  static const std::regex reading_or_changing(R"(^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b[\s\S]*)");
  return std::regex_match(text, reading_or_changing) && !contains(text, "information_schema");
}

std::size_t parameters_of(const std::string& text) {
  static const std::regex parameter(R"(\$([0-9]+))");
  std::size_t count = 0;
  for (std::sregex_iterator each(text.begin(), text.end(), parameter), end; each != end; ++each) {
    count = std::max(count, static_cast<std::size_t>(std::stoul((*each)[1])));
  }
  return count;
}

Words split(const std::string& text, const char* separator) {
  const std::regex between(separator);
  return {std::sregex_token_iterator(text.begin(), text.end(), between, -1), std::sregex_token_iterator()};
}

class QueryPlans : public test::OnEachPair {
 protected:
  // One line a step.
  Words plan_of(const std::string& text) {
    Words plan;
    server.write([&](Tx& tx) {
      plan.clear();
      GetParam() == test::Engine::sqlite ? explain_on_sqlite(tx, text, plan) : explain_on_postgresql(tx, text, plan);
    });
    return plan;
  }

  // SQLite's plans do not show conditions that no index checks, and its tables are never distributed.
  static bool is_about_one_tenant(const std::string& text) {
    return GetParam() == test::Engine::postgresql && !contains_any(text, across_tenants) && !is_page_of_table(text);
  }

  // Why the plan is not good enough; empty if it is.
  std::string problem_with(const std::string& text, const Words& plan) {
    if (contains_any(text, may_read_everything) || is_first_page(text)) return "";
    const bool is_sqlite = GetParam() == test::Engine::sqlite;
    if (!is_sqlite && contains_any(text, undecided_without_rows)) return "";
    const std::string problem = is_sqlite ? scan_of_sqlite(text, plan) : scan_of_postgresql(plan);
    return problem.empty() ? problem_with_row_values(text) : problem;
  }

  void explain_on_sqlite(Tx& tx, const std::string& text, Words& plan) {
    tx.run({&kept.emplace_back("EXPLAIN QUERY PLAN " + text), std::vector<Value>(parameters_of(text))},
           [&](const Row& row) { plan.emplace_back(row.text(3)); });
  }

  // As the readers plan it: for any values. Without sequential scans as long as there is another way, since the tables
  // are empty.
  void explain_on_postgresql(Tx& tx, const std::string& text, Words& plan) {
    const std::string name = fmt::format("explained_{}", kept.size());
    std::string values;
    for (std::size_t i = 0; i < parameters_of(text); ++i) values += values.empty() ? "NULL" : ", NULL";
    for (const char* setting :
         {"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off",
          "enable_sort = off", "enable_mergejoin = off", "enable_hashjoin = off"}) {
      tx.run({&kept.emplace_back(fmt::format("SET LOCAL {}", setting)), {}});
    }
    tx.run({&kept.emplace_back(fmt::format("PREPARE {} AS {}", name, text)), {}});
    const std::string execute = values.empty() ? name : fmt::format("{}({})", name, values);
    tx.run({&kept.emplace_back("EXPLAIN EXECUTE " + execute), {}},
           [&](const Row& row) { plan.emplace_back(row.text(0)); });
    tx.run({&kept.emplace_back("DEALLOCATE " + name), {}});
  }

  // The sorts of a list's statement that apply to the few records of a page or of a set. The index that it walks must
  // have the records in the order of the list (storage/listing_sql.h).
  static std::ptrdiff_t bounded_sorts(const std::string& text) {
    static const std::regex of_found_records(R"((fits|AS u) ORDER BY | ORDER BY f\.| UNION ALL |, id\) [<>]= \()");
    return std::distance(std::sregex_iterator(text.begin(), text.end(), of_found_records), std::sregex_iterator());
  }

  std::string scan_of_sqlite(const std::string& text, const Words& plan) const {
    static const std::regex scan(R"(^SCAN (\w+).*)"),
        of_tenant(R"(^SEARCH (\w+) USING .* \(tenant_id=\?\)( LEFT-JOIN)?$)");
    std::ptrdiff_t sorts_left = bounded_sorts(text);
    for (const std::string& step : plan) {
      std::smatch found;
      const bool sorts = contains(step, "USE TEMP B-TREE FOR ORDER BY") && contains(text, " LIMIT ");
      if (sorts && --sorts_left < 0 && !contains_any(text, may_sort)) return step;
      if (contains(step, "USE TEMP B-TREE FOR GROUP BY") && contains(text, " AS fits")) return step;
      if (std::regex_match(step, found, of_tenant) && tables_that_grow.contains(found[1]) &&
          !contains(text, " LIMIT ")) {
        return step;
      }
      if (!std::regex_match(step, found, scan) || contains(step, "CONSTANT ROW")) continue;
      const std::regex common_table(fmt::format(R"(\b{}\s*(\([^)]*\))?\s+AS\s*\()", found[1].str()));
      const std::regex subquery(fmt::format(R"(\)\s+AS\s+{}\b)", found[1].str()));
      if (found[1] == "json_each" || std::regex_search(text, common_table) || std::regex_search(text, subquery))
        continue;
      return step;
    }
    return "";
  }

  static std::string scan_of_postgresql(const Words& plan) {
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (contains(plan[i], "Seq Scan on")) return plan[i];
      if (!contains(plan[i], "Index Scan using") && !contains(plan[i], "Index Only Scan using")) continue;
      bool condition = false;
      for (std::size_t next = i + 1; next < plan.size() && !contains(plan[next], "->"); ++next) {
        condition = condition || contains(plan[next], "Index Cond:");
      }
      if (!condition) return plan[i];
    }
    return row_value_outside_of_index(plan);
  }

  // A page that is found by reading and throwing away all pages before it.
  static std::string row_value_outside_of_index(const Words& plan) {
    for (const std::string& step : plan) {
      if (contains(step, "ROW(") && !contains(step, "Index Cond:")) return step;
    }
    return "";
  }

  // The plan does not show it, but both engines begin to read where the columns are equal: with a first column whose
  // value is fixed, that is the first row of all, and with columns that many rows share, the first of these.
  std::string problem_with_row_values(const std::string& text) const {
    static const std::regex row_value(R"(\(([a-z_.]+(?:, [a-z_.]+)+)\) *[<>]=? *\()");
    for (std::sregex_iterator each(text.begin(), text.end(), row_value), end; each != end; ++each) {
      const Words columns = split((*each)[1], ", ");
      const auto is_fixed = [&](const std::string& column) {
        return std::regex_search(text, std::regex("\\b" + column + R"( = (\$|'))"));
      };
      if (is_fixed(columns.front())) return "the row value begins with a column whose value is fixed";
      if (!tells_rows_apart(text, columns, is_fixed)) return "rows can share the row value";
    }
    return "";
  }

  // The step of PostgreSQL's plan that accesses a table without a condition on the tenant, or the statement itself if
  // it inserts a row without a tenant; empty if every table is accessed for one tenant.
  std::string access_without_tenant(const std::string& text, const Words& plan) const {
    static const std::regex insert(R"(^\s*INSERT INTO (\w+) \((?![^)]*\btenant_id\b))"), scan(R"(.* on (\w+)\b.*)");
    std::smatch found;
    if (std::regex_search(text, found, insert) && has_tenant(found[1])) return text;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (!contains(plan[i], " Scan ") || !std::regex_match(plan[i], found, scan) || !has_tenant(found[1])) continue;
      if (!has_tenant_condition(plan, i)) return plan[i];
    }
    return "";
  }

  bool has_tenant(const std::string& name) const {
    return std::any_of(tables.begin(), tables.end(), [&](const auto& table) {
      return table->name == name && std::any_of(table->columns.begin(), table->columns.end(),
                                                [](const auto& column) { return column.name == "tenant_id"; });
    });
  }

  static bool has_tenant_condition(const Words& plan, std::size_t step) {
    static const std::regex condition(R"(.*\btenant_id = .*)");
    for (std::size_t next = step + 1; next < plan.size() && !contains(plan[next], "->"); ++next) {
      if (std::regex_match(plan[next], condition)) return true;
    }
    return false;
  }

  template <class IsFixed>
  bool tells_rows_apart(const std::string& text, const Words& columns, const IsFixed& is_fixed) const {
    static const std::regex from(R"(\bFROM (\w+))"), of_list(R"( AS f JOIN (\w+) r )");
    std::smatch found;
    if (!std::regex_search(text, found, of_list) && !std::regex_search(text, found, from)) return false;
    for (const auto& table : tables) {
      if (table->name != found[1]) continue;
      return std::all_of(table->columns.begin(), table->columns.end(), [&](const TableColumn& column) {
        return column.key_place == 0 || is_fixed(column.name) ||
               std::find(columns.begin(), columns.end(), column.name) != columns.end();
      });
    }
    return false;
  }

  std::deque<Sql> kept;  // statements are known by their address for as long as the server runs
  const Tables tables = read_tables(server.storage());
};
INSTANTIATE_TEST_SUITE_P(Pairs, QueryPlans, test::engines, test::engine_name);

TEST_P(QueryPlans, of_every_statement_use_an_index) {
  const std::vector<std::string> all = statement_texts();
  const Words& foreign = GetParam() == test::Engine::sqlite ? only_postgresql : only_sqlite;
  int explained = 0;
  for (const std::string& text : std::set<std::string>(all.begin(), all.end())) {
    if (!is_explainable(text) || contains_any(text, foreign)) continue;
    SCOPED_TRACE(text);
    try {
      const Words plan = plan_of(text);
      EXPECT_EQ(problem_with(text, plan), "") << fmt::format("{}", fmt::join(plan, "\n"));
      if (is_about_one_tenant(text)) {
        EXPECT_EQ(access_without_tenant(text, plan), "") << fmt::format("{}", fmt::join(plan, "\n"));
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    ++explained;
  }
  EXPECT_GT(explained, 200) << "the statements of all slices should be here";
  for (const std::string& part : across_tenants) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& text) { return contains(text, part); }))
        << "no statement contains " << part;
  }
}

// Transactions that are committed together insert their rows by one statement.
TEST_P(QueryPlans, exist_for_the_rows_of_two_transactions) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "SQLite inserts the rows of each transaction by itself";
  int joined = 0;
  for (const std::string& text : statement_texts()) {
    const Sql& sql = kept.emplace_back(text);
    if (!lists_rows(sql) || contains_any(text, only_sqlite)) continue;
    const std::size_t params = parameters_of(text);
    const std::string twice = text_with_rows(sql, params, 2);
    EXPECT_NO_THROW(plan_of(twice)) << twice;
    EXPECT_EQ(parameters_of(twice), 2 * params) << twice;
    EXPECT_LT(params * times_max, 65'536u) << text;
    ++joined;
  }
  EXPECT_GT(joined, 20);
}

// A database into which many rows were just loaded. PostgreSQL knows the sizes of its tables and nothing else.
class PlansWithoutStatistics : public QueryPlans {
 protected:
  static constexpr int rows = 3'000;

  void fill(const Table& table) {
    std::string values;
    for (const TableColumn& column : table.columns) {
      const std::string value = column.type == TableColumn::Type::text      ? fmt::format("'{}' || n", column.name)
                                : column.type == TableColumn::Type::boolean ? "n % 2 = 0"
                                                                            : "n";
      values += (values.empty() ? "" : ", ") + value;
    }
    server.write([&](Tx& tx) {
      tx.run({&kept.emplace_back("SET LOCAL session_replication_role = replica"), {}});  // without foreign keys
      tx.run({&kept.emplace_back(
                  fmt::format("INSERT INTO {} SELECT {} FROM generate_series(1, {}) AS n", table.name, values, rows)),
              {}});
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, PlansWithoutStatistics, ::testing::Values(test::Engine::postgresql), test::engine_name);

TEST_P(PlansWithoutStatistics, find_a_record_by_its_primary_key) {
  static const std::regex by_key(
      R"((?:FROM|UPDATE) (\w+) (?:SET [^()]*)?WHERE tenant_id = \$\d+ AND id = \$\d+(?! OR))");
  std::map<std::string, std::vector<std::string>> by_table;
  for (const std::string& text : statement_texts()) {
    std::smatch found;
    if (is_explainable(text) && std::regex_search(text, found, by_key)) by_table[found[1]].push_back(text);
  }
  EXPECT_GT(by_table.size(), 10U);
  for (const auto& table : tables) {
    const auto found = by_table.find(table->name);
    if (found == by_table.end()) continue;
    fill(*table);
    for (const std::string& text : found->second) {
      const Words plan = plan_of(text);
      const std::string whole = fmt::format("{}", fmt::join(plan, "\n"));
      // The last two are empty once the records of older versions have their search text and key.
      EXPECT_TRUE(
          contains_any(whole, {table->name + "_pkey", table->name + "_unfilled_idx", table->name + "_unkeyed_idx"}))
          << text << "\n"
          << whole;
    }
  }
}

TEST_P(QueryPlans, that_are_bad_are_detected) {
  for (const char* text :
       {"SELECT id FROM orders WHERE notes = $1",
        "SELECT id FROM customers WHERE tenant_id = $1 AND (tenant_id, id) > ($2, $3) ORDER BY tenant_id, id LIMIT $4",
        "SELECT lane FROM outbox_messages WHERE status = 'PENDING' AND (tenant_id, lane) > ($1, $2)"
        " ORDER BY tenant_id, lane LIMIT 1"}) {
    EXPECT_NE(problem_with(text, plan_of(text)), "") << text;
  }
  if (GetParam() == test::Engine::postgresql) {
    for (const char* text :
         {"SELECT name FROM products WHERE id = $1", "INSERT INTO products (id) VALUES ($1)",
          "UPDATE grants SET key = $3 WHERE user_id = $1 AND user_tenant_id = $2",
          "SELECT o.id FROM orders o JOIN products p ON p.sku = o.notes WHERE o.tenant_id = $1 AND o.id = $2"}) {
      EXPECT_NE(access_without_tenant(text, plan_of(text)), "") << text;
    }
  }
  // PostgreSQL knows how many rows there are, so the plans for empty tables say nothing about this.
  if (GetParam() == test::Engine::sqlite) {
    const char* text = "SELECT COUNT(*) FROM entitlements WHERE tenant_id = $1 AND user_id = $2";
    EXPECT_NE(problem_with(text, plan_of(text)), "");
  }
}

}  // namespace
}  // namespace guildhall
