#include <algorithm>
#include <map>

#include "app/ops/commands.h"
#include "app/ops/erase/erased_person.h"
#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "app/slices.h"
#include "audit/audit_chain.h"
#include "features/customers/customer_store.h"
#include "features/orders/order.h"
#include "storage/columns.h"
#include "storage/tables.h"

namespace guildhall {
namespace {

constexpr std::int64_t erased_rows_a_batch = 50;
constexpr std::string_view erased_name = "(erased)";

struct CustomerCertificate {
  std::string certificate;  // its id, which the audit trail names
  TenantId tenant_id;
  CustomerId customer_id;
  Instant erased_at;
  std::string version;  // of the program
  std::vector<RowCount> erased;
  std::int64_t audit_entries = 0;   // whose contents were erased
  std::vector<RowCount> remaining;  // rows that still show the chat id, email or phone of the customer
  std::vector<RowCount> similar;    // rows with the same name or address, which may be another person's
};
BOOST_DESCRIBE_STRUCT(CustomerCertificate, (),
                      (certificate, tenant_id, customer_id, erased_at, version, erased, audit_entries, remaining,
                       similar))

const std::string* text_in(const Table& table, const Table::Values& row, std::string_view column) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (table.columns[i].name == column) return std::get_if<std::string>(&row[i]);
  }
  return nullptr;
}

using IgnoredColumns = decltype(SliceTable::not_about);

// Whether a text column of the row matches.
bool any_column(const Table& table, const Table::Values& row, const IgnoredColumns& ignored,
                FunctionRef<bool(std::string_view column, std::string_view text)> matches) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& column = table.columns[i].name;
    const auto* text = std::get_if<std::string>(&row[i]);
    if (text != nullptr && std::ranges::count(ignored, column) == 0 && matches(column, *text)) return true;
  }
  return false;
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

// The order keeps its items and amounts, which the shop must keep.
std::string erased_order() {
  const OrderCustomer nobody{.name = {std::string(erased_name)}, .email = {}, .chat_id = {}};
  return fmt::format(
      "customer = '{}', shipping_address = NULL, tracking_number = NULL, notes = NULL, customer_role_ids = '[]',"
      " gift_to = NULL, metadata = '{{}}',"
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
    customer->metadata = {};
    customer->addresses.clear();
    customer->default_address_id.reset();
    customer->is_active = false;
    customer->updated_at = now();
    customer->search_text.value = search_text_of(*customer);
    update_customer(tx, *customer);
  });
}

std::int64_t erase_trail(Storage& storage, const TenantId& tenant, const ErasureCertificate& certificate,
                         const ErasedPerson& person) {
  Progress progress("erasing in the audit trail", certificate.entries);
  std::int64_t all = 0;
  for (std::int64_t sequence = 0; sequence < certificate.entries;) {
    std::int64_t reached = sequence, erased = 0;
    storage.write_now([&](Tx& tx) {
      reached = sequence;
      erased = erase_entries_if(tx, tenant, certificate, reached, [&](const StoredEntry& entry) {
        return person.has_id(entry.subject_id) || person.is_named_in("actor_id", entry.actor_id) ||
               person.is_named_in("changes", entry.changes);
      });
    });
    progress.add(reached - sequence);
    sequence = reached;
    all += erased;
  }
  return all;
}

// The tables that have rows with a text that matches.
std::vector<RowCount> rows_with(const std::string& url, const TenantId& tenant,
                                FunctionRef<bool(std::string_view column, std::string_view text)> matches) {
  Tables tables;
  std::vector<RowCount> found;
  const auto database = open_installation(url);
  database->read([&](Tx& tx) {
    tables = read_tables(tx, database->name());
    for (const auto& table : tables) {
      if (!table->has("tenant_id")) continue;
      std::int64_t rows = 0;
      for_each_row(tx, *table, &tenant.text(), [&](const std::vector<Table::Values>& some) {
        for (const Table::Values& row : some) rows += any_column(*table, row, {}, matches) ? 1 : 0;
      });
      if (rows > 0) found.push_back({table->name, rows});
    }
  });
  return found;
}

ErasedPerson read_person(const Config& config, const TenantId& tenant, const CustomerId& id) {
  std::optional<Customer> customer;
  open_installation(config.database_url)->read([&](Tx& tx) {
    require_tenant(tx, tenant);
    customer = tx.one(customer_by_id(tenant, id));
  });
  if (customer) return ErasedPerson(*customer);
  throw std::runtime_error(fmt::format("--customer: tenant {} has no customer {}.", tenant.text(), id.text()));
}

// Erases the rows of a person, table by table. Each table adds the ids by which the next ones are recognised. It must
// outlive the storage, which identifies statements by their address.
class PersonEraser {
 public:
  PersonEraser(const TenantId& tenant, ErasedPerson& person) : tenant_(tenant), person_(person) {}

  std::vector<RowCount> erase_all(Storage& storage) {
    tables_ = read_tables(storage);
    std::vector<RowCount> erased;
    const auto add = [&](std::string_view table, std::int64_t rows) {
      if (rows > 0) erased.push_back({std::string(table), rows});
    };
    add("orders", erase_orders(storage));
    for (const SliceTable& table : all_slice_tables()) {
      if (!table.erased.empty() && table.erased != erased_by_code) add(table.name, erase_named(storage, table));
    }
    return erased;
  }

 private:
  std::int64_t erase_orders(Storage& storage) {
    const Table& orders = table_named(tables_, "orders");
    const std::int64_t own = erase(storage, orders, erased_order(), [&](const Table::Values& row) {
      const bool is_own = person_.has_ordered(text_in(orders, row, "customer_id"), *text_in(orders, row, "customer"));
      if (is_own) person_.add_id(*text_in(orders, row, "id"));
      return is_own;
    });
    return own + erase(storage, orders, "gift_to = NULL, version = version + 1", [&](const Table::Values& row) {
             const std::string* receiver = text_in(orders, row, "gift_to");
             return receiver != nullptr && person_.has_chat_id(*receiver);
           });
  }

  std::int64_t erase_named(Storage& storage, const SliceTable& rule) {
    const Table& table = table_named(tables_, rule.name);
    return erase(storage, table, rule.erased, [&](const Table::Values& row) {
      const bool is_named = any_column(table, row, rule.not_about, [&](std::string_view column, std::string_view text) {
        return person_.is_named_in(column, text);
      });
      if (is_named && rule.identifies) person_.add_id(*text_in(table, row, "id"));
      return is_named;
    });
  }

  std::int64_t erase(Storage& storage, const Table& table, std::string_view change,
                     FunctionRef<bool(const Table::Values&)> matches) {
    statements_.push_back(std::make_unique<RowsToErase>(table, change));
    Progress progress(fmt::format("erasing in {}", table.name), 0);
    return statements_.back()->erase(storage, tenant_, matches, progress);
  }

  const TenantId& tenant_;
  ErasedPerson& person_;
  Tables tables_;
  std::vector<std::unique_ptr<RowsToErase>> statements_;
};

}  // namespace

Erasure erase_customer(const Config& config, const TenantId& tenant, const CustomerId& id) {
  ErasedPerson person = read_person(config, tenant, id);
  CustomerCertificate certificate{.certificate = {},
                                  .tenant_id = tenant,
                                  .customer_id = id,
                                  .erased_at = now(),
                                  .version = GUILDHALL_VERSION,
                                  .erased = {},
                                  .audit_entries = 0,
                                  .remaining = {},
                                  .similar = {}};
  PersonEraser eraser(tenant, person);
  {
    const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
    certificate.erased = eraser.erase_all(*storage);
    const ErasureCertificate trail = certify_erasure(*storage, tenant, command_line_actor, now());
    certificate.certificate = trail.id;
    certificate.audit_entries = erase_trail(*storage, tenant, trail, person);
    erase_record(*storage, tenant, id);  // last: running the command again must find the values
    certificate.erased.push_back({"customers", 1});
  }
  certificate.remaining = rows_with(config.database_url, tenant, [&](std::string_view column, std::string_view text) {
    return person.can_be_reached_by(column, text);
  });
  certificate.similar = rows_with(config.database_url, tenant, [&](std::string_view column, std::string_view text) {
    return person.resembles(column, text);
  });
  return {to_json(certificate), certificate.remaining.empty()};
}

}  // namespace guildhall
