#pragma once

#include "storage/deferred_update.h"

namespace guildhall {

struct TableRules {
  std::string_view condition{};    // of the rows that by_id() finds: " AND deleted_at IS NULL"
  std::string_view on_conflict{};  // of insert() and save(): "(tenant_id, chat_id) DO NOTHING"
  bool updates_later = false;      // update() is deferred to the commit (storage/deferred_update.h)
  // Throws what the caller is to see if insert() or update() has violated this constraint.
  void (*violated)(std::string_view constraint) = nullptr;
};

// The ordinary statements of a table whose rows are records of one type. Any other SQL is written beside it, as text
// that may begin with `select`. A store defines its tables as static constants.
template <Declared S>
class RecordTable {
  static constexpr int tenant_column = detail::column_of<S>("tenant_id"), key_column = 1 - tenant_column;
  static constexpr int version_column = detail::column_of<S>("version");
  static_assert(tenant_column == 0 || tenant_column == 1,
                "the first two members of a table's record are its key: tenant_id and another one, in any order");

  template <int I>
  using Member = boost::mp11::mp_at_c<detail::Members<S>, I>;

  template <int I>
  using MemberType = std::remove_cvref_t<decltype(std::declval<S>().*Member<I>::pointer)>;

 public:
  using Key = MemberType<key_column>;

  explicit RecordTable(std::string_view name, const TableRules& rules = {})
      : select(select_from<S>(name)),
        by_id_(fmt::format("{} WHERE {}{}", select, with_key(), rules.condition)),
        insert_(insert_into<S>(name) +
                (rules.on_conflict.empty() ? "" : fmt::format(" ON CONFLICT {}", rules.on_conflict))),
        erase_(
            fmt::format("DELETE FROM {} WHERE {}{}", name, with_key(), version_column < 0 ? "" : " AND version = $3")),
        updates_later_(rules.updates_later),
        violated_(rules.violated) {
    if constexpr (version_column >= 0) {
      update_.emplace(updates_later_ ? deferred_versioned_update<S>(name) : versioned_update<S>(name));
    }
  }

  const std::string select;  // all columns of all rows: a condition may follow

  Select<S> by_id(const TenantId& tenant, const Key& key) const {
    return {{&by_id_, params(tenant, key)}, read_row<S>};
  }

  // Returns false if a conflict has kept the row from being inserted.
  bool insert(Tx& tx, const S& record) const {
    return translated([&] { return tx.run(insertion(record)) == 1; });
  }

  // The statement of insert(), for Tx::later().
  Query insertion(const S& record) const { return {&insert_, values_of(record)}; }

  // Increments the record's version. Throws WriteRace, or lets the commit fail with it, if the record was changed since
  // it was read.
  void update(Tx& tx, S& record) const {
    require_version();
    if (updates_later_) return write_versioned_later(tx, *update_, record);
    translated([&] { write_versioned(tx, *update_, record); });
  }

  // Inserts a record whose version is 0 and updates any other, as update() does.
  void save(Tx& tx, S& record) const {
    require_version();
    record.version == 0 ? write_versioned(tx, insert_, record) : update(tx, record);
  }

  // Throws WriteRace if the record was changed since it was read. Without a version: returns whether there was one.
  bool erase(Tx& tx, const S& record) const {
    std::vector<Value> values = params(record.*Member<tenant_column>::pointer, record.*Member<key_column>::pointer);
    if constexpr (version_column >= 0) values.push_back(Column<MemberType<version_column>>::write(record.version));
    const bool erased = tx.run({&erase_, std::move(values)}) == 1;
    if (!erased && version_column >= 0) throw WriteRace();
    return erased;
  }

 private:
  static constexpr void require_version() {
    static_assert(version_column >= 0, "a record that is updated has a member `Hidden<std::int64_t> version`");
  }

  auto translated(auto write) const {
    try {
      return write();
    } catch (const ConstraintViolation& violation) {
      if (violated_ != nullptr) violated_(violation.constraint);
      throw;
    }
  }

  static std::string with_key() { return fmt::format("tenant_id = $1 AND {} = $2", fields_of<S>()[key_column].column); }

  const Sql by_id_, insert_, erase_;
  std::optional<const Sql> update_;
  const bool updates_later_;
  void (*const violated_)(std::string_view constraint);
};

}  // namespace guildhall
