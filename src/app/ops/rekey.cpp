#include <map>
#include <ostream>

#include "app/key_check.h"
#include "app/ops/commands.h"
#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "app/slices.h"
#include "base/json_writer.h"
#include "features/email/email.h"
#include "storage/tables.h"

namespace guildhall {
namespace {

constexpr std::int64_t rekeyed_rows_a_batch = 100;
constexpr int rekey_passes_max = 5;
constexpr std::int64_t named_max = 20;  // unreadable secrets that are listed

struct Counts {
  std::int64_t resealed = 0, current = 0, unreadable = 0;
  std::vector<std::string> unreadable_names = {};

  void add(Resealing result, const std::string& name) {
    if (result == Resealing::resealed) ++resealed;
    if (result == Resealing::current) ++current;
    if (result == Resealing::unreadable && ++unreadable <= named_max) unreadable_names.push_back(name);
  }
  void add(const Counts& other) {
    resealed += other.resealed;
    current += other.current;
    unreadable += other.unreadable;
    unreadable_names.insert(unreadable_names.end(), other.unreadable_names.begin(), other.unreadable_names.end());
  }
};

// A column of a table, with the statement that replaces a value. A value that a server has changed since it was read is
// left to the next pass. The record's version is incremented, so that a server that has read the record before cannot
// write the former value back.
class SealedColumnOf {
 public:
  // The context of a value begins with `context`.
  SealedColumnOf(std::string_view column, std::string_view context, const Table& table)
      : column_(column), context_(context), table_(table), update_(text()) {}

  Counts reseal(Storage& storage, const SecretBox& secrets, Progress& progress) const {
    Counts counts;
    std::optional<Table::Values> last;
    for (std::size_t read = rekeyed_rows_a_batch; read == rekeyed_rows_a_batch;) {
      Counts batch;
      std::vector<Table::Values> rows;
      storage.write_now([&](Tx& tx) {
        batch = {};
        rows = table_.rows_after(tx, nullptr, last ? &*last : nullptr, rekeyed_rows_a_batch);
        for (const Table::Values& row : rows) reseal(tx, secrets, row, batch);
      });
      counts.add(batch);
      read = rows.size();
      if (read > 0) last = rows.back();
      progress.add(std::ssize(rows));
    }
    return counts;
  }

  std::int64_t rows(Tx& tx) const { return table_.count(tx, nullptr); }

 private:
  std::string text() const {
    std::string conditions, changes = fmt::format("{} = $1", column_);
    for (const TableColumn& each : table_.columns) {
      if (each.key_place > 0) conditions += fmt::format(" AND {} = ${}", each.name, each.key_place + 2);
    }
    if (table_.has("version")) changes += ", version = version + 1";
    return fmt::format("UPDATE {} SET {} WHERE {} = $2{}", table_.name, changes, column_, conditions);
  }

  void reseal(Tx& tx, const SecretBox& secrets, const Table::Values& row, Counts& counts) const {
    std::string sealed;
    std::map<int, std::string> key;  // by the place in the primary key
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* value = std::get_if<std::string>(&row[i]);
      if (value == nullptr) continue;
      if (table_.columns[i].name == column_) sealed = *value;
      if (table_.columns[i].key_place > 0) key[table_.columns[i].key_place] = *value;
    }
    if (sealed.empty()) return;
    const std::string before = sealed;
    std::string context(context_);
    for (const auto& [place, value] : key) context += "/" + value;
    const Resealing result = secrets.reseal(sealed, context);
    if (result == Resealing::resealed) {
      std::vector<Value> values{sealed, before};
      for (const auto& [place, value] : key) values.emplace_back(value);
      tx.run({&update_, std::move(values)});
    }
    counts.add(result, fmt::format("{}.{} of {}", table_.name, column_, context));
  }

  std::string_view column_, context_;
  const Table& table_;
  const Sql update_;
};

Counts reseal_emails(Storage& storage, const SecretBox& secrets, Progress& progress) {
  Counts counts;
  QueuedEmail last;
  for (std::size_t read = rekeyed_rows_a_batch; read == rekeyed_rows_a_batch;) {
    Counts batch;
    std::vector<QueuedEmail> emails;
    storage.write_now([&](Tx& tx) {
      batch = {};
      emails = queued_emails_after(tx, last, rekeyed_rows_a_batch);
      for (const QueuedEmail& email : emails) {
        batch.add(reseal_email(tx, secrets, email), fmt::format("a queued e-mail of {}", email.tenant.text()));
      }
    });
    counts.add(batch);
    read = emails.size();
    if (read > 0) last = emails.back();
    progress.add(std::ssize(emails));
  }
  return counts;
}

KeyCheck key_state(const std::string& url, const SecretBox& secrets) {
  KeyCheck state = KeyCheck::absent;
  open_installation(url)->read([&](Tx& tx) { state = check_master_key(tx, secrets); });
  return state;
}

}  // namespace

bool rekey_secrets(const Config& config, std::ostream& out, bool as_json) {
  const std::vector<std::string> keys = master_keys_of(config);
  if (keys.empty()) throw std::runtime_error("SERVICE_MASTER_KEY is not set.");
  const SecretBox secrets(keys);
  const KeyCheck state = key_state(config.database_url, secrets);
  if (state == KeyCheck::wrong) {
    throw std::runtime_error(
        "No key of SERVICE_MASTER_KEY is the one that this database was used with. Write the former key behind the new "
        "one, separated by a comma.");
  }
  Tables tables;  // outlives the storage, like the statements
  std::vector<std::unique_ptr<SealedColumnOf>> columns;
  const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
  tables = read_tables(*storage);
  for (const SliceTable& declared : all_slice_tables()) {
    for (const std::string_view column : words_of(declared.sealed)) {
      columns.push_back(
          std::make_unique<SealedColumnOf>(column, declared.sealed_for, table_named(tables, declared.name)));
    }
  }
  std::int64_t rows = 0;
  storage->read_now([&](Tx& tx) {
    for (const auto& column : columns) rows += column->rows(tx);
  });
  std::int64_t resealed = 0;
  Counts pass;
  // A server may write a value between a pass and the next, so the last pass must find nothing to do.
  for (int i = 0; i < rekey_passes_max && (i == 0 || pass.resealed > 0); ++i) {
    pass = {};
    Progress progress(i == 0 ? "sealing again" : "checking", rows);
    for (const auto& column : columns) pass.add(column->reseal(*storage, secrets, progress));
    pass.add(reseal_emails(*storage, secrets, progress));
    resealed += pass.resealed;
  }
  if (pass.resealed > 0) {
    throw std::runtime_error(
        "A running server still seals with a former key: give every server the new key first, and run this again.");
  }
  if (state == KeyCheck::former) storage->write_now([&](Tx& tx) { renew_key_check(tx, secrets); });
  if (as_json) {
    out << json::object(
               {{"resealed", resealed}, {"secrets", pass.current + pass.unreadable}, {"unreadable", pass.unreadable}})
               .text
        << "\n";
    return pass.unreadable == 0;
  }
  for (const std::string& name : pass.unreadable_names) out << "PROBLEM  no key opens " << name << "\n";
  out << fmt::format("{} secrets sealed again with the first key, {} in all, {} cannot be opened\n", resealed,
                     pass.current + pass.unreadable, pass.unreadable);
  return pass.unreadable == 0;
}

}  // namespace guildhall
