#include <map>
#include <set>

#include "app/commands.h"
#include "app/installation.h"
#include "app/progress.h"
#include "audit/audit_chain.h"
#include "features/customers/customer_store.h"
#include "features/orders/order.h"
#include "storage/columns.h"
#include "storage/tables.h"

namespace guildhall {
namespace {

constexpr std::int64_t erased_rows_a_batch = 50;
constexpr std::size_t value_bytes_min = 5;  // shorter names would be found in unrelated texts
constexpr std::string_view erased_name = "(erased)";

struct CustomerCertificate {
  std::string certificate;  // its id, which the audit trail names
  TenantId tenant_id;
  CustomerId customer_id;
  Instant erased_at;
  std::string version;  // of the program
  std::vector<RowCount> erased;
  std::int64_t audit_entries = 0;   // whose contents were erased
  std::vector<RowCount> remaining;  // rows that still contain a name, address or number of the customer
};
BOOST_DESCRIBE_STRUCT(CustomerCertificate, (),
                      (certificate, tenant_id, customer_id, erased_at, version, erased, audit_entries, remaining))

// Finds texts that mention a customer.
class Mentions {
 public:
  void add_value(const std::string& value) {
    if (value.size() >= value_bytes_min) values_.insert(value);
  }
  void add_id(const std::string& id) { ids_.insert(id); }

  // A name, an address, a number of the customer.
  bool has_value(std::string_view text) const {
    return std::any_of(values_.begin(), values_.end(),
                       [&](const std::string& value) { return text.find(value) != std::string_view::npos; });
  }

  // That, or the id of the customer or of one of the orders.
  bool in(std::string_view text) const {
    if (has_value(text)) return true;
    constexpr std::string_view digits = "0123456789abcdef-";
    for (std::size_t at = text.find_first_of(digits); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_not_of(digits, at), text.size());
      if (ids_.contains(text.substr(at, end - at))) return true;
      at = text.find_first_of(digits, end);
    }
    return false;
  }

 private:
  std::set<std::string> values_;
  std::set<std::string, std::less<>> ids_;
};

Mentions mentions_of(const Customer& customer) {
  Mentions mentions;
  mentions.add_id(customer.id.text());
  for (const std::string& value : {customer.chat_id, customer.chat_username, customer.chat_display_name,
                                   customer.email.value_or(""), customer.phone.value_or("")}) {
    mentions.add_value(value);
  }
  for (const CustomerAddress& address : customer.addresses) {
    mentions.add_value(address.name.value);
    mentions.add_value(address.line1.value);
    if (address.phone) mentions.add_value(address.phone->value);
  }
  return mentions;
}

const std::string* text_in(const Table& table, const Table::Values& row, std::string_view column) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (table.columns[i].name == column) return std::get_if<std::string>(&row[i]);
  }
  return nullptr;
}

bool any_text(const Table::Values& row, FunctionRef<bool(std::string_view)> matches) {
  return std::any_of(row.begin(), row.end(), [&](const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && matches(*text);
  });
}

// Changes those rows of a tenant's table that match. `change` is "DELETE" or the assignments of an UPDATE.
class RowsToErase {
 public:
  RowsToErase(const Table& table, std::string_view change) : table_(table), sql_(text(table, change)) {}

  std::int64_t erase(Storage& storage, const TenantId& tenant, FunctionRef<bool(const Table::Values&)> matches,
                     Progress& progress) const {
    std::int64_t all = 0;
    std::optional<Table::Values> last;
    for (std::size_t read = erased_rows_a_batch; read == erased_rows_a_batch;) {
      std::vector<Table::Values> rows;
      std::int64_t erased = 0;
      storage.write_now([&](Tx& tx) {
        erased = 0;
        rows = table_.rows_after(tx, &tenant.text(), last ? &*last : nullptr, erased_rows_a_batch);
        for (const Table::Values& row : rows) {
          if (matches(row)) erased += tx.run({&sql_, key_of(row)});
        }
      });
      all += erased;
      read = rows.size();
      if (read > 0) last = rows.back();
      progress.add(std::ssize(rows));
    }
    return all;
  }

  const Table& table() const { return table_; }

 private:
  static std::string text(const Table& table, std::string_view change) {
    std::string conditions;
    for (const TableColumn& column : table.columns) {
      if (column.key_place == 0) continue;
      conditions += fmt::format("{} {} = ${}", conditions.empty() ? "" : " AND", column.name, column.key_place);
    }
    if (change == "DELETE") return fmt::format("DELETE FROM {} WHERE{}", table.name, conditions);
    return fmt::format("UPDATE {} SET {} WHERE{}", table.name, change, conditions);
  }

  std::vector<Value> key_of(const Table::Values& row) const {
    std::map<int, Value> key;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table_.columns[i].key_place > 0) key[table_.columns[i].key_place] = row[i];
    }
    std::vector<Value> values;
    for (auto& [place, value] : key) values.push_back(std::move(value));
    return values;
  }

  const Table& table_;
  const Sql sql_;
};

struct ErasureRule {
  std::string_view table, change;
};

// Records that belong to the customer or to one of the orders, and copies of records in messages and logs. Messages
// that wait to be sent are left; the search for remaining rows finds them.
constexpr ErasureRule erasure_rules[]{
    {"orders", "gift_to = NULL, version = version + 1"},
    {"shipments", "ship_to = NULL, tracking_number = NULL, tracker_id = NULL, label_url = NULL, version = version + 1"},
    {"entitlements", "chat_user_id = NULL, metadata = '{}', failure_reason = NULL, version = version + 1"},
    {"memberships", "chat_user_id = NULL, member_key = 'erased/' || id, version = version + 1"},
    {"membership_periods",
     "gifted_by = CASE WHEN gifted_by IS NULL THEN NULL ELSE 'erased' END, source_key = 'erased/' || id"},
    {"message_log", "chat_user_id = NULL, reason = NULL"},
    {"message_receivers", "DELETE"},
    {"chat_carts", "DELETE"},
    {"webhook_events", "payload = NULL, error = NULL, version = version + 1"},
    {"webhook_deliveries", "payload = '{}', error = NULL"},
    {"outbox_messages", "payload = CASE WHEN status = 'PENDING' THEN payload ELSE '{}' END"},
    {"idempotency_records", "DELETE"},
};

const Table& table_named(const Tables& tables, std::string_view name) {
  for (const auto& table : tables) {
    if (table->name == name) return *table;
  }
  throw std::runtime_error(fmt::format("There is no table {}.", name));
}

// The order keeps its items and amounts, which the shop must keep.
std::string erased_order() {
  const OrderCustomer nobody{.name = {std::string(erased_name)}, .email = {}, .chat_id = {}};
  return fmt::format(
      "customer = '{}', shipping_address = NULL, tracking_number = NULL, notes = NULL, customer_role_ids = '[]',"
      " search_text = search, version = version + 1",
      to_json(nobody));
}

void erase_record(Storage& storage, const TenantId& tenant, const CustomerId& id) {
  storage.write_now([&](Tx& tx) {
    auto customer = tx.one(customer_by_id(tenant, id));
    if (!customer) return;
    customer->chat_id = fmt::format("erased-{}", id.text());
    customer->chat_username = customer->chat_display_name = erased_name;
    customer->email.reset();
    customer->phone.reset();
    customer->user_id.reset();
    customer->notes.reset();
    customer->addresses.clear();
    customer->default_address_id.reset();
    customer->is_active = false;
    customer->updated_at = now();
    customer->search_text.value = search_text_of(*customer);
    update_customer(tx, *customer);
  });
}

std::int64_t erase_trail(Storage& storage, const TenantId& tenant, const ErasureCertificate& certificate,
                         const Mentions& mentions) {
  Progress progress("erasing in the audit trail", certificate.entries);
  std::int64_t all = 0;
  for (std::int64_t sequence = 0; sequence < certificate.entries;) {
    std::int64_t reached = sequence, erased = 0;
    storage.write_now([&](Tx& tx) {
      reached = sequence;
      erased = erase_entries_if(tx, tenant, certificate, reached, [&](const AuditEntry& entry) {
        return mentions.in(entry.changes) || mentions.in(entry.subject_id) || mentions.in(entry.actor_id);
      });
    });
    progress.add(reached - sequence);
    sequence = reached;
    all += erased;
  }
  return all;
}

std::vector<RowCount> remaining_rows(const std::string& url, const TenantId& tenant, const Mentions& mentions) {
  Tables tables;
  std::vector<RowCount> found;
  const auto database = open_installation(url);
  database->read([&](Tx& tx) {
    tables = read_tables(tx, database->name());
    for (const auto& table : tables) {
      if (!table->has("tenant_id")) continue;
      std::int64_t rows = 0;
      for_each_row(tx, *table, &tenant.text(), [&](const std::vector<Table::Values>& some) {
        for (const Table::Values& row : some) {
          if (any_text(row, [&](std::string_view text) { return mentions.has_value(text); })) ++rows;
        }
      });
      if (rows > 0) found.push_back({table->name, rows});
    }
  });
  return found;
}

}  // namespace

Erasure erase_customer(const Config& config, const TenantId& tenant, const CustomerId& id) {
  Mentions mentions;
  open_installation(config.database_url)->read([&](Tx& tx) {
    require_tenant(tx, tenant);
    const auto customer = tx.one(customer_by_id(tenant, id));
    if (!customer) {
      throw std::runtime_error(fmt::format("--customer: tenant {} has no customer {}.", tenant.text(), id.text()));
    }
    mentions = mentions_of(*customer);
  });
  CustomerCertificate certificate{.certificate = {},
                                  .tenant_id = tenant,
                                  .customer_id = id,
                                  .erased_at = now(),
                                  .version = GUILDHALL_VERSION,
                                  .erased = {},
                                  .audit_entries = 0,
                                  .remaining = {}};
  {
    Tables tables;  // these outlive the storage
    std::vector<std::unique_ptr<RowsToErase>> all;
    const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
    tables = read_tables(*storage);
    const auto erase = [&](std::string_view name, std::string_view change,
                           FunctionRef<bool(const Table::Values&)> matches) {
      all.push_back(std::make_unique<RowsToErase>(table_named(tables, name), change));
      Progress progress(fmt::format("erasing in {}", name), 0);
      return all.back()->erase(*storage, tenant, matches, progress);
    };
    const Table& orders = table_named(tables, "orders");
    erase("orders", erased_order(), [&](const Table::Values& row) {
      const std::string* owner = text_in(orders, row, "customer_id");
      const std::string* customer = text_in(orders, row, "customer");
      if ((owner == nullptr || *owner != id.text()) && !mentions.has_value(*customer)) return false;
      mentions.add_id(*text_in(orders, row, "id"));
      return true;
    });
    for (const ErasureRule& rule : erasure_rules) {  // that of orders counts those above, too
      const std::int64_t rows = erase(rule.table, rule.change, [&](const Table::Values& row) {
        return any_text(row, [&](std::string_view text) { return mentions.in(text); });
      });
      if (rows > 0) certificate.erased.push_back({std::string(rule.table), rows});
    }
    const ErasureCertificate trail = certify_erasure(*storage, tenant, command_line_actor, now());
    certificate.certificate = trail.id;
    certificate.audit_entries = erase_trail(*storage, tenant, trail, mentions);
    erase_record(*storage, tenant, id);  // last: running the command again must find the values
    certificate.erased.push_back({"customers", 1});
  }
  certificate.remaining = remaining_rows(config.database_url, tenant, mentions);
  return {to_json(certificate), certificate.remaining.empty()};
}

}  // namespace guildhall
