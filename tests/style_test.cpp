// Checks rules that the compiler does not check.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

#include "app/config.h"
#include "app/event_list.h"
#include "features/entitlements/entitlement.h"
#include "features/memberships/membership.h"
#include "features/orders/order_events.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

std::string text_of(const std::filesystem::path& path) {
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

TEST(Readme, has_the_table_of_every_setting) {
  EXPECT_NE(text_of(SOURCE_DIR "/README.md").find(config_markdown(config_variables())), std::string::npos)
      << "the README's table should be what `guildhall config --markdown` prints";
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
    const std::string text = text_of(page);
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
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), declaration), end; match != end; ++match) {
      declared.insert((*match)[1]);
    }
  }
  EXPECT_EQ(declared, set_of(event_names()));
}

TEST(EventsPage, names_every_event_and_just_the_fields_that_it_has) {
  const std::string page = text_of(SOURCE_DIR "/docs/events.md");
  EXPECT_EQ(fields_in_table(page, "## Domain events"), set_of(published_event_names()));
  EXPECT_EQ(fields_in_table(page, "### Internal events"), internal_event_names());
  EXPECT_EQ(fields_in_table(page, "### Order events"), fields<OrderPayload>());
  EXPECT_EQ(fields_in_table(page, "### Items of an order"), fields<OrderItemPayload>());
  EXPECT_EQ(fields_in_table(page, "### Shipment events"), fields<ShipmentPayload>());
  EXPECT_EQ(fields_in_table(page, "### Entitlement events"), fields<EntitlementPayload>());
  EXPECT_EQ(fields_in_table(page, "### Membership events"), fields<MembershipPayload>());
}

}  // namespace
}  // namespace guildhall
