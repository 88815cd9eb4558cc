#include "app/ops/transfer/row_text.h"

#include "base/decoder.h"
#include "features/identity/identity_import.h"
#include "features/identity/permissions.h"
#include "features/reports/report_csv.h"

namespace guildhall {
namespace {

void append_json(std::string& out, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    json::append(out, *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    json::append(out, *number);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    json::append(out, *flag);
  } else {
    json::append(out, nullptr);
  }
}

void append_csv(std::string& out, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    if (!std::holds_alternative<std::monostate>(value)) append_json(out, value);
    return;
  }
  out += csv::is_formula(*text) ? "\"'" : "\"";
  for (const char c : *text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

Value value_of_json(JsonValue json, const Table& table, const TableColumn& column) {
  if (json.is_null()) return {};
  std::string_view text;
  std::int64_t number = 0;
  bool flag = false;
  if (column.type == TableColumn::Type::text && json.get(text) == simdjson::SUCCESS) return std::string(text);
  if (column.type == TableColumn::Type::integer && json.get(number) == simdjson::SUCCESS) return number;
  if (column.type == TableColumn::Type::boolean && json.get(flag) == simdjson::SUCCESS) return flag;
  throw std::runtime_error(fmt::format("{}.{} has a value of another type", table.name, column.name));
}

// FNV-1a: what is compared are copies of the same rows, not the work of somebody who wants to deceive.
void mix(std::uint64_t& hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
}

}  // namespace

std::string ndjson_line(const Table& table, const Table::Values& row) {
  return json::write_object([&](json::ObjectWriter& line) {
           for (std::size_t i = 0; i < row.size(); ++i) append_json(line.key(table.columns[i].name), row[i]);
         }) +
         "\n";
}

Table::Values row_of_ndjson(const Table& table, const std::string& line) {
  Table::Values row;
  decode_stored(line, [&](JsonValue json, Decoder&) {
    for (const TableColumn& column : table.columns) {
      JsonValue member;
      if (json[column.name].get(member) != simdjson::SUCCESS) {
        throw std::runtime_error(fmt::format("a row of {} has no {}", table.name, column.name));
      }
      row.push_back(value_of_json(member, table, column));
    }
  });
  return row;
}

bool stays_with_installation(const Table& table, const Table::Values& row) {
  const auto value_of = [&](std::string_view column) -> const Value& {
    const auto found = std::ranges::find(table.columns, column, &TableColumn::name);
    return row[static_cast<std::size_t>(found - table.columns.begin())];
  };
  if (table.name == "identities") return value_of("provider") == Value(std::string(configuration_provider));
  return table.name == "grants" &&
         (value_of("key") == Value(std::string(platform_admin)) || value_of("user_tenant_id") != value_of("tenant_id"));
}

bool stays_with_installation(const Table& table) {
  for (const std::string_view name :
       {"outbox_messages", "idempotency_records", "idempotency_bytes", "key_checks", "chat_limits", "api_tokens",
        "invitations", "password_resets", "chat_binding_codes", "nodes", "report_entries", "report_totals",
        "report_customer_orders", "report_states", "vapid_keys", "push_subscriptions"}) {
    if (table.name == name) return true;
  }
  return !table.has("tenant_id");
}

std::string csv_header(const Table& table) {
  std::string line;
  for (const TableColumn& column : table.columns) line.append(line.empty() ? "" : ",").append(column.name);
  return line + "\r\n";
}

std::string csv_line(const Table::Values& row) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += ',';
    append_csv(line, row[i]);
  }
  return line + "\r\n";
}

void RowSum::add(const Table::Values& row) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::string text;
  for (const Value& value : row) {
    text.clear();
    append_json(text, value);
    mix(hash, text);
    mix(hash, ",");
  }
  ++rows;
  sum += hash;
}

}  // namespace guildhall
