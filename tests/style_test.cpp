// Checks rules that the compiler does not check.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

#include "app/config.h"
#include "app/slices.h"
#include "features/catalog/product_events.h"
#include "features/customers/customer_events.h"
#include "features/entitlements/entitlement.h"
#include "features/memberships/membership.h"
#include "features/orders/order_events.h"
#include "features/payments/refunds/refund_events.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Keys with which a tenant is found by an external id. If the database is distributed by tenant, such a table is not
// distributed.
const std::set<std::string> keys_across_tenants{"CREATE UNIQUE INDEX guild_bindings_guild_key ON guild_bindings"};

// Returns a migration without the tables that have no tenant's data and keep no row longer than a transaction.
std::string tenants_schema(const Migration& migration) {
  static const std::regex probes(R"(CREATE TABLE write_probes \([^;]*\);)");
  return std::regex_replace(std::string(migration.sql), probes, "");
}

// The tables can be distributed by tenant only if every unique key begins with the tenant.
TEST(Schema, every_key_begins_with_tenant_id) {
  const std::regex keys(
      R"((PRIMARY KEY|UNIQUE|FOREIGN KEY|REFERENCES \w+|CREATE UNIQUE INDEX \w+ ON \w+)\s*\(\s*(\w+))");
  int found = 0;
  for (const Migration& migration : migrations()) {
    const std::string sql = tenants_schema(migration);
    for (std::sregex_iterator match(sql.begin(), sql.end(), keys), end; match != end; ++match, ++found) {
      if (keys_across_tenants.contains((*match)[1])) continue;
      EXPECT_EQ((*match)[2], "tenant_id") << migration.name << ": " << match->str();
    }
  }
  EXPECT_GT(found, 5);
}

TEST(Schema, every_table_has_a_key) {
  const std::regex tables(R"(CREATE TABLE (\w+) \(([^;]*)\);)");
  for (const Migration& migration : migrations()) {
    const std::string sql = tenants_schema(migration);
    for (std::sregex_iterator match(sql.begin(), sql.end(), tables), end; match != end; ++match) {
      EXPECT_NE((*match)[2].str().find("PRIMARY KEY (tenant_id"), std::string::npos) << (*match)[1];
    }
  }
}

// The first migration that must leave the database usable for the previous release.
constexpr int first_expanding_migration = 27;

// Whether the previous release cannot use a table after this statement as before, or waits for long.
bool restricts(const std::string& statement, const std::string& whole_migration) {
  const auto has = [&](const char* pattern) {
    return std::regex_search(statement, std::regex(pattern, std::regex::icase));
  };
  if (has(R"(\bDROP\b|\bRENAME\b|\bALTER COLUMN\b|\bADD CONSTRAINT\b|^\s*(UPDATE|DELETE)\b)")) return true;
  if (has(R"(\bADD COLUMN\b)") && has(R"(\bNOT NULL\b)") && !has(R"(\bDEFAULT\b)")) return true;
  std::smatch index;
  return std::regex_search(statement, index, std::regex(R"(CREATE UNIQUE INDEX \w+ ON (\w+))")) &&
         whole_migration.find("CREATE TABLE " + index[1].str() + " ") == std::string::npos;
}

// The statements of a migration that restrict the schema and are not explained by a comment before them.
std::vector<std::string> unexplained_restrictions(const Migration& migration) {
  const std::string sql(migration.sql);
  if (is_contract(migration.name)) {
    return sql.find("-- contract: ") == std::string::npos ? std::vector<std::string>{"no reason"}
                                                          : std::vector<std::string>{};
  }
  static const std::regex explained("-- beside the previous release: [^\n]{10}"), comments("--[^\n]*"), semicolon(";");
  std::string without_semicolons;  // of comments
  bool comment = false;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql.compare(i, 2, "--") == 0) comment = true;
    if (sql[i] == '\n') comment = false;
    without_semicolons += comment && sql[i] == ';' ? ',' : sql[i];
  }
  std::vector<std::string> found;
  for (std::sregex_token_iterator each(without_semicolons.begin(), without_semicolons.end(), semicolon, -1), end;
       each != end; ++each) {
    const std::string statement = std::regex_replace(each->str(), comments, "");
    if (restricts(statement, sql) && !std::regex_search(each->str(), explained)) found.push_back(statement);
  }
  return found;
}

// Nodes of two adjacent releases run on one database (CONTRIBUTING.md, "A migration").
TEST(Migrations, leave_the_database_usable_for_the_previous_release) {
  for (const Migration& migration : migrations()) {
    if (migration.number < first_expanding_migration) continue;
    for (const std::string& statement : unexplained_restrictions(migration)) {
      ADD_FAILURE() << migration.name << " restricts the schema: " << statement;
    }
  }
}

TEST(Migrations, that_restrict_the_schema_are_found) {
  for (const char* restricting :
       {"DROP TABLE orders;", "ALTER TABLE orders DROP COLUMN notes;", "ALTER TABLE orders RENAME COLUMN a TO b;",
        "ALTER TABLE orders ADD COLUMN a text NOT NULL;", "ALTER TABLE orders ALTER COLUMN a SET NOT NULL;",
        "ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 0);", "CREATE UNIQUE INDEX i ON orders (tenant_id, a);",
        "UPDATE orders SET a = 1;", "-- beside the previous release: ok\nDROP TABLE orders;",
        "-- a comment; with a semicolon\nDROP INDEX i;",
        "-- beside the previous release: it never read this index\nDROP INDEX i; DROP INDEX j;"}) {
    EXPECT_EQ(unexplained_restrictions({99, "0099_x", restricting}).size(), 1U) << restricting;
  }
  for (const char* adding :
       {"CREATE TABLE things (tenant_id text NOT NULL); CREATE UNIQUE INDEX i ON things (tenant_id);",
        "ALTER TABLE orders ADD COLUMN a text; ALTER TABLE orders ADD COLUMN b bigint NOT NULL DEFAULT 0;",
        "-- Drops nothing; a comment.\nCREATE INDEX i ON orders (tenant_id, a);",
        "-- beside the previous release: it never read this index\nDROP INDEX i;"}) {
    EXPECT_TRUE(unexplained_restrictions({99, "0099_x", adding}).empty()) << adding;
  }
  EXPECT_EQ(unexplained_restrictions({99, "0099_contract_x", "DROP TABLE a;"}).size(), 1U) << "it gives no reason";
  EXPECT_TRUE(
      unexplained_restrictions({99, "0099_contract_x", "-- contract: since 2.0.0 nobody reads it\nDROP TABLE a;"})
          .empty());
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  return found;
}

TEST(Alerts, have_an_entry_in_the_runbook_each) {
  const auto alerts = matches(text_of_file(SOURCE_DIR "/deploy/prometheus/rules.yml"), R"(- alert: (\w+))");
  EXPECT_GT(alerts.size(), 10U);
  EXPECT_EQ(matches(text_of_file(SOURCE_DIR "/docs/runbook.md"), R"(\n## (\w+)\n)"), alerts);
  // Each is expected to fire in a test of promtool.
  EXPECT_EQ(
      matches(text_of_file(SOURCE_DIR "/deploy/prometheus/rules_test.yml"), R"re(labels: '\{alertname="(\w+)"\}')re"),
      alerts);
}

TEST(Alerts, and_the_dashboard_use_metrics_that_exist) {
  std::string sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SOURCE_DIR "/src")) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") sources += text_of_file(entry.path());
  }
  for (const char* file : {"/deploy/prometheus/rules.yml", "/deploy/grafana/guildhall.json"}) {
    const auto names = matches(text_of_file(SOURCE_DIR + std::string(file)), R"(\b([a-z][a-z_]+)\{)");
    EXPECT_GT(names.size(), 15U);
    for (const std::string& name : names) {
      if (name == "up") continue;  // Prometheus' own
      const std::string family = std::regex_replace(name, std::regex("_(bucket|sum|count)$"), "");
      EXPECT_NE(sources.find('"' + family + '"'), std::string::npos) << file << " uses " << name;
    }
  }
}

TEST(Docs, list_every_setting) {
  EXPECT_EQ(text_of_file(SOURCE_DIR "/docs/configuration.md"), config_markdown(config_variables()))
      << "docs/configuration.md should be what `guildhall config --markdown` prints";
}

// Checks that the relative links of the README and of every page lead to files that exist.
TEST(Docs, link_only_to_files_that_exist) {
  namespace fs = std::filesystem;
  std::vector<fs::path> pages{SOURCE_DIR "/README.md"};
  for (const auto& entry : fs::directory_iterator(SOURCE_DIR "/docs")) pages.push_back(entry.path());
  const std::regex links(R"(\]\(([^)#: ]+)(#[^)]*)?\))");
  int found = 0;
  for (const fs::path& page : pages) {
    if (page.extension() != ".md") continue;
    const std::string text = text_of_file(page);
    for (std::sregex_iterator link(text.begin(), text.end(), links), end; link != end; ++link, ++found) {
      EXPECT_TRUE(fs::exists(page.parent_path() / (*link)[1].str())) << page << " links to " << (*link)[1];
    }
  }
  EXPECT_GT(found, 50);
}

// Returns the words in code marks in the first column of the table below a heading.
std::set<std::string> fields_in_table(const std::string& page, const std::string& heading) {
  const std::size_t start = page.find("\n" + heading + "\n") + 1;
  const std::string section = page.substr(start, page.find("\n#", start) - start);
  std::set<std::string> found;
  const std::regex rows(R"(\n\|([^|]*)\|)"), words("`([^`]*)`");
  for (std::sregex_iterator row(section.begin(), section.end(), rows), end; row != end; ++row) {
    const std::string cell = (*row)[1];
    for (std::sregex_iterator word(cell.begin(), cell.end(), words); word != end; ++word) found.insert((*word)[1]);
  }
  return found;
}

template <class Payload>
std::set<std::string> fields() {
  std::set<std::string> names;
  for (const Field& field : fields_of<Payload>()) names.emplace(field.key);
  return names;
}

std::set<std::string> set_of(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

std::set<std::string> internal_event_names() {
  std::set<std::string> names = set_of(event_names());
  for (const std::string_view published : published_event_names()) names.erase(std::string(published));
  return names;
}

TEST(Events, are_all_in_the_list) {
  const std::regex declaration(R"re(static constexpr std::string_view name = "([^"]+)";)re");
  std::set<std::string> declared;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SOURCE_DIR "/src")) {
    if (entry.path().extension() != ".h") continue;
    const std::string text = text_of_file(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), declaration), end; match != end; ++match) {
      declared.insert((*match)[1]);
    }
  }
  EXPECT_EQ(declared, set_of(event_names()));
}

TEST(EventsPage, names_every_event_and_just_the_fields_that_it_has) {
  const std::string page = text_of_file(SOURCE_DIR "/docs/events.md");
  EXPECT_EQ(fields_in_table(page, "## Domain events"), set_of(published_event_names()));
  EXPECT_EQ(fields_in_table(page, "### Internal events"), internal_event_names());
  EXPECT_EQ(fields_in_table(page, "### Order events"), fields<OrderPayload>());
  EXPECT_EQ(fields_in_table(page, "### Items of an order"), fields<OrderItemPayload>());
  EXPECT_EQ(fields_in_table(page, "### Refund events"), fields<RefundPayload>());
  EXPECT_EQ(fields_in_table(page, "### Product events"), fields<ProductPayload>());
  EXPECT_EQ(fields_in_table(page, "### Stock events"), fields<StockPayload>());
  EXPECT_EQ(fields_in_table(page, "### Customer events"), fields<CustomerPayload>());
  EXPECT_EQ(fields_in_table(page, "### Shipment events"), fields<ShipmentPayload>());
  EXPECT_EQ(fields_in_table(page, "### Entitlement events"), fields<EntitlementPayload>());
  EXPECT_EQ(fields_in_table(page, "### Membership events"), fields<MembershipPayload>());
}

}  // namespace
}  // namespace guildhall
