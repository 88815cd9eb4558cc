#pragma once

#include "outbox/events.h"
#include "storage/metadata_index.h"
#include "storage/record.h"

namespace guildhall {

// How actions read, change and delete the records of one kind. Every change has its audit entry, and the index of the
// record's metadata follows it. Actions that do more between these steps take them one by one.
template <Declared S>
struct Records {
  using Id = decltype(S::id);

  std::string_view name;     // "Product", as not_found() says it
  std::string_view subject;  // "product", in the audit trail
  Select<S> (*by_id)(const TenantId&, const Id&);
  void (*update)(Tx&, S&);
  void (*remove)(Tx&, const S&) = nullptr;
  std::string_view table{};  // of records that have metadata

  // Throws not_found.
  S require(const AuditContext& context, const Id& id) const {
    auto record = context.tx.one(by_id(context.tenant, id));
    if (!record) throw not_found(name);
    return std::move(*record);
  }

  // Adds the audit entry of a record that was created (`before` is null), changed, or deleted (`after` is null).
  void note(const AuditContext& context, const S* before, const S* after) const {
    if constexpr (requires { requires std::is_same_v<decltype(before->metadata), Metadata>; })
      index_metadata(context.tx, table, before, after);
    context.audit_change({subject, (after != nullptr ? after : before)->id.text()}, before, after);
  }

  // Calls `edit` to change the record. If it is another one then, writes it and calls `written` with the record before
  // and after. Both may throw. Throws not_found.
  S change(
      const AuditContext& context, const Id& id, FunctionRef<void(S&)> edit,
      FunctionRef<void(const S& before, const S& after)> written = [](const S&, const S&) {}) const {
    S record = require(context, id);
    const S before = record;
    edit(record);
    if (!needs_write(before, record)) return before;
    record.updated_at = context.now;
    update(context.tx, record);
    note(context, &before, &record);
    written(before, record);
    return record;
  }

  // Deletes the record if `precondition` does not throw, and returns it. Throws not_found.
  S erase(const AuditContext& context, const Id& id, FunctionRef<void(const S&)> precondition) const {
    S record = require(context, id);
    precondition(record);
    remove(context.tx, record);
    note(context, &record, nullptr);
    return record;
  }
};

}  // namespace guildhall
