// Exports in which one value is hostile. Import refuses it, or the server can serve what it has imported: no request
// about the records is answered with 500. GUILDHALL_LONG tries every value on SQLite and a tenth of them on PostgreSQL;
// otherwise a sample is tried, which GUILDHALL_SEED chooses.
#include <fmt/format.h>
#include <iostream>
#include <random>
#include <sstream>

#include "app/ops/transfer/import_rules.h"
#include "app/ops/transfer/row_text.h"
#include "support/body_maker.h"
#include "support/crafted_export.h"
#include "support/full_shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using api::Route, test::HttpClient, test::HttpReply, test::TestServer;

const TenantId hostile_tenant{std::string("evil")};

// A change of one value of an export.
struct Hostile {
  const Table* table;
  std::size_t row, column;
  Value value;
};

std::string shown(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", text->substr(0, 60));
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  return "null";
}

std::string name_of(const Hostile& hostile) {
  return fmt::format("{}.{} = {} in row {}", hostile.table->name, hostile.table->columns[hostile.column].name,
                     shown(hostile.value), hostile.row);
}

// JSON text with `number` in the place of each number.
std::string with_numbers(const std::string& json, const std::string& number) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"' && (i == 0 || json[i - 1] != '\\')) in_string = !in_string;
    const bool digit = !in_string && std::isdigit(static_cast<unsigned char>(json[i])) != 0;
    if (!digit) {
      out += json[i];
      continue;
    }
    while (i + 1 < json.size() && std::isdigit(static_cast<unsigned char>(json[i + 1])) != 0) ++i;
    out += number;
  }
  return out;
}

// The hostile values for a column that has `present`.
std::vector<Value> hostile_values(TableColumn::Type type, const Value& present) {
  if (type == TableColumn::Type::boolean) return {Value(), present == Value(true) ? Value(false) : Value(true)};
  if (type == TableColumn::Type::integer) {
    std::vector<Value> values{Value()};
    for (const std::int64_t number :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, safe_integer_max, safe_integer_max + 1,
          std::int64_t{253'402'300'799'999}, std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min()}) {
      values.emplace_back(number);
    }
    return values;
  }
  std::vector<Value> values{Value()};
  for (const char* text : {"", " ", "UNKNOWN", "default", "-1", "{", "{}", "[]", "null", "[null]", "{\"a\":{}}",
                           "01993c4e-8f6a-7b21-9c0d-2f4b6a8c0e12"}) {
    values.emplace_back(std::string(text));
  }
  values.emplace_back(std::string(20'000, 'x'));
  const auto* text = std::get_if<std::string>(&present);
  if (text == nullptr || (!text->starts_with('{') && !text->starts_with('['))) return values;
  for (const char* number : {"0", "-1", "9007199254740991", "9007199254740992", "1e300", "null", "\"\""}) {
    if (std::string changed = with_numbers(*text, number); changed != *text) values.emplace_back(std::move(changed));
  }
  return values;
}

// Requests that reach further than those made from the types. "{order}" and so on stand for ids.
struct Write {
  const char *method, *path, *body;
};
const Write writes[]{
    {"POST", "/api/data/order/quote", R"({"items":[{"productId":"{product}","quantity":2}],"discountCode":"TEN"})"},
    {"POST", "/api/data/order",
     R"({"orderNumber":"N-1","status":"PAID","customerId":"{customer}","customer":{"name":"Eve","chatId":"c1"},)"
     R"("discountCode":"TEN","items":[{"productId":"{product}","quantity":1}]})"},
    {"POST", "/api/data/order",
     R"({"orderNumber":"N-2","status":"PAID","customer":{"name":"Eve","chatId":"c1"},)"
     R"("items":[{"productId":"{plan}","quantity":1}]})"},
    {"PATCH", "/api/data/order/{order}", R"({"notes":"x"})"},
    {"PATCH", "/api/data/order/{order}", R"({"items":[{"productId":"{product}","quantity":3}]})"},
    {"PATCH", "/api/data/order/{order}", R"({"status":"FULFILLING"})"},
    {"POST", "/api/data/order/{order}/refund", R"({"amountCents":1})"},
    {"PATCH", "/api/data/shipment/{shipment}", R"({"status":"SHIPPED"})"},
    {"PATCH", "/api/data/shipment/{shipment}", R"({"status":"DELIVERED"})"},
    {"PATCH", "/api/data/entitlement/{entitlement}", R"({"status":"REVOKED"})"},
    {"PATCH", "/api/data/product/{product}", R"({"stockQuantity":3,"priceCents":7})"},
    {"PATCH", "/api/data/discount/{discount}", R"({"description":"x"})"},
    {"PATCH", "/api/data/customer/{customer}", R"({"notes":"x"})"},
    {"POST", "/api/admin/memberships/{membership}/pause", "{}"},
    {"POST", "/api/admin/memberships/{membership}/resume", "{}"},
    {"POST", "/api/admin/memberships/{membership}/plan", R"({"productId":"{other}"})"},
    {"POST", "/api/admin/memberships/{membership}/cancel", "{}"},
    {"POST", "/api/data/order/{membershipOrder}/refund", "{}"},
    {"POST", "/api/admin/codes", R"({"productId":"{plan}","count":2})"},
    {"POST", "/api/admin/community-fund/contributions", R"({"customerId":"{customer}","amountCents":500})"},
    {"POST", "/api/admin/community-fund/disbursements",
     R"({"recipientCustomerId":"{customer}","amountCents":1,"reason":"x"})"},
    {"POST", "/api/admin/chat/simulation", R"({"type":2,"data":{"name":"shop"}})"},
    {"POST", "/api/admin/chat/simulation", R"({"type":2,"data":{"name":"orders"}})"},
    {"POST", "/api/admin/chat/simulation", R"({"type":2,"data":{"name":"membership"}})"},
    {"PATCH", "/api/data/order/{order}", R"({"status":"CANCELLED"})"},
};

std::string with_ids(std::string text, const std::map<std::string, std::string>& ids) {
  for (const auto& [name, id] : ids) {
    const std::string place = fmt::format("{{{}}}", name);
    for (std::size_t at; (at = text.find(place)) != std::string::npos;) text.replace(at, place.size(), id);
  }
  return text;
}

// Routes that would leave this machine, never end, or are about the installation.
bool is_left_out(const Route& route) {
  return !route.tenant_scoped() || route.access == api::Access::platform_admin || route.path == "/api/admin/changes" ||
         route.path.ends_with("/test") || route.path.ends_with("/replay") ||
         route.path.starts_with("/api/admin/platform") || route.path.starts_with("/api/admin/backup") ||
         route.path.starts_with("/api/data/tenant");
}

// "order" for /api/data/order/:id/refund; empty for other paths.
std::string kind_of(std::string_view path) {
  constexpr std::string_view start = "/api/data/";
  const std::size_t end = path.find("/:id");
  return path.starts_with(start) && end != std::string_view::npos
             ? std::string(path.substr(start.size(), end - start.size()))
             : "";
}

// The part of a run: one of several in the long run, so that none of them takes too long.
struct Part {
  test::Engine engine;
  std::size_t number, count;
};

class HostileImports : public ::testing::TestWithParam<Part> {
 protected:
  HostileImports() {
    TestServer source(GetParam().engine);
    source.add_tenant("evil");
    shop.emplace(source);
    tables = read_tables(source.storage());
    source.stop();
    export_tenant(source.config.database_url, hostile_tenant, ExportFormat::ndjson, out, report);
  }

  // Every hostile value in the first and the last row of each table.
  std::vector<Hostile> all_values() {
    std::vector<Hostile> all;
    for (const auto& table : tables) {
      const ImportRule* rule = import_rule(table->name);
      if (rule == nullptr || rule->is_derived || stays_with_installation(*table)) continue;
      const std::vector<std::string> lines = lines_of(*table);
      if (!lines.empty()) ++filled_tables;
      for (const std::size_t row : {std::size_t{0}, lines.size() - 1}) {
        if (row >= lines.size()) continue;
        const Table::Values values = row_of_ndjson(*table, lines[row]);
        for (std::size_t column = 0; column < values.size(); ++column) {
          if (table->columns[column].name == "enabled") continue;  // nothing may be sent to another machine
          for (Value& value : hostile_values(table->columns[column].type, values[column])) {
            if (value != values[column]) all.push_back({table.get(), row, column, std::move(value)});
          }
        }
        if (lines.size() == 1) break;
      }
    }
    return all;
  }

  std::vector<std::string> lines_of(const Table& table) const {
    std::vector<std::string> lines;
    std::istringstream rows(files.rows_of(table.name));
    for (std::string line; std::getline(rows, line);) lines.push_back(line);
    return lines;
  }

  void write(const Hostile& hostile) {
    std::vector<std::string> lines = lines_of(*hostile.table);
    Table::Values values = row_of_ndjson(*hostile.table, lines[hostile.row]);
    values[hostile.column] = hostile.value;
    lines[hostile.row] = ndjson_line(*hostile.table, values);
    lines[hostile.row].pop_back();
    std::string rows;
    for (const std::string& line : lines) rows += line + "\n";
    files.set_rows(hostile.table->name, rows);
  }

  // Whether import takes the export as it is now.
  bool is_accepted() {
    if (!target) {
      target = std::make_unique<TestServer>(GetParam().engine);
      target->stop();
    }
    const ImportOptions options{.chat_servers = shop->records.at("/api/admin/guilds/:guildId")};
    return test::refusal_of([&] { import_tenant(target->config.database_url, out, report, options); }).empty();
  }

  void expect_answer(HttpClient& client, const std::string& method, const std::string& path, const std::string& body,
                     const std::string& content_type = "application/json") {
    try {
      const HttpReply reply = client.send(method, path, body, {{"Content-Type", content_type}});
      EXPECT_NE(reply.status, 500) << method << " " << path << " " << body;
      if (path.ends_with("/invoice-link") && reply.status == 200) {
        const HttpReply page = client.get("/orders/invoice/" + reply.text("/token"));
        EXPECT_NE(page.status, 500) << "the invoice page of " << path;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << method << " " << path << ": " << error.what();
      client.disconnect();
    }
    ++requests;
  }

  void expect_answers(HttpClient& client, std::string_view method) {
    for (const Route& route : target->routes()) {
      if (is_left_out(route) || to_string(route.method) != method) continue;
      const std::string key = test::sample_key(route.path);
      const auto params = key.empty() ? std::vector<std::string>{} : shop->records.at(key);
      test::BodyMaker body(route);
      expect_answer(client, std::string(method), test::filled(route.path, params), body.make("any"),
                    body.content_type());
      const auto id = shop->ids.find(kind_of(route.path));
      if (id == shop->ids.end()) continue;
      expect_answer(client, std::string(method), test::filled(route.path, {id->second, "any"}), body.make("any"),
                    body.content_type());
    }
  }

  // Sends the requests to a server with what was imported.
  void serve() {
    target->restart();
    HttpClient admin = target->client();
    const HttpReply signed_in =
        admin.post("/auth/local/login",
                   fmt::format(R"({{"username":"admin","password":"{}","tenantId":"evil"}})", test::admin_password));
    EXPECT_NE(signed_in.status, 500);
    expect_answers(admin, "GET");
    expect_answer(admin, "GET", "/api/admin/memberships/" + shop->ids.at("membership"), "");
    expect_answer(admin, "GET", "/api/community-fund/evil", "");
    for (const Write& each : writes) {
      expect_answer(admin, each.method, with_ids(each.path, shop->ids), with_ids(each.body, shop->ids));
    }
    for (const std::string_view method : {"POST", "PUT", "PATCH", "GET", "DELETE"}) expect_answers(admin, method);
    target.reset();
  }

  void expect_harmless(const Hostile& hostile) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, name_of(hostile));
    std::cout << name_of(hostile) << std::endl;  // known even if it ends the process
    const std::string rows = files.rows_of(hostile.table->name);
    try {
      write(hostile);
      if (is_accepted()) {
        ++accepted;
        serve();
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
      target.reset();
    }
    files.set_rows(hostile.table->name, rows);
  }

  test::TemporaryFolder folder;
  const std::filesystem::path out = folder.path / "export";
  std::ostringstream report;
  std::optional<test::FullShop> shop;
  Tables tables;
  test::CraftedExport files{out, tables};
  std::unique_ptr<TestServer> target;
  std::size_t filled_tables = 0, accepted = 0, requests = 0;
};

bool is_long() {
  return std::getenv("GUILDHALL_LONG") != nullptr;
}

std::vector<Part> parts() {
  std::vector<Part> all;
  const std::size_t count = is_long() ? 24 : 1;
  for (const test::Engine engine : {test::Engine::sqlite, test::Engine::postgresql}) {
    for (std::size_t number = 0; number < count; ++number) all.push_back({engine, number, count});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Parts, HostileImports, ::testing::ValuesIn(parts()), [](const auto& info) {
  return fmt::format("{}_{}", info.param.engine == test::Engine::sqlite ? "sqlite" : "postgresql", info.param.number);
});

TEST_P(HostileImports, are_refused_or_can_be_served) {
  const char* seed = std::getenv("GUILDHALL_SEED");
  std::vector<Hostile> all = all_values();
  EXPECT_GT(filled_tables, 25u) << "the shop has too few kinds of records";
  ASSERT_TRUE(is_accepted()) << "without a hostile value it is imported";
  serve();
  std::mt19937 random(seed == nullptr ? 1u : static_cast<unsigned>(std::stoul(seed)));
  std::shuffle(all.begin(), all.end(), random);
  const bool is_sqlite = GetParam().engine == test::Engine::sqlite;
  const std::size_t tried = is_long() ? all.size() / (is_sqlite ? 1 : 10) : is_sqlite ? 15 : 5;
  for (std::size_t i = GetParam().number; i < tried; i += GetParam().count) expect_harmless(all[i]);
  std::cout << fmt::format("{} of {} values, {} accepted, {} requests\n", tried, all.size(), accepted, requests);
}

}  // namespace
}  // namespace guildhall
