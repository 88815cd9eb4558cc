#pragma once

#include <string>
#include <string_view>

#include "base/metadata.h"
#include "storage/filters.h"
#include "storage/list_shape.h"

// Filters by metadata. The table metadata_entries has a row for each entry of each record.
namespace guildhall {

// A hash of a key and its value.
std::string metadata_entry(std::string_view key, std::string_view value);

// Brings the rows of a record in line with its metadata.
void index_metadata(Tx& tx, const TenantId& tenant, std::string_view table, const std::string& id,
                    const Metadata& before, const Metadata& after);

// The same for a record that is new (`before` is null), changed, or deleted (`after` is null).
template <class Record>
void index_metadata(Tx& tx, std::string_view table, const Record* before, const Record* after) {
  const Record& any = after != nullptr ? *after : *before;
  const Metadata none;
  index_metadata(tx, any.tenant_id, table, any.id.text(), before != nullptr ? before->metadata : none,
                 after != nullptr ? after->metadata : none);
}

// The index, for the list of a table whose query has a member `metadata`.
ListPath metadata_path(std::string_view table);

// The record has this value under this key: `metadata[key]=value`. `Table` is that of the list.
template <Literal Table>
struct HasMetadata {
  std::optional<std::string> entry;  // metadata_entry()

  bool is_set() const { return entry.has_value(); }
  void bind(const std::string& name, Bindings& values) const {
    if (entry) values[name] = *entry;
  }
  static FilterSql sql(std::string_view member) {
    return {std::string(member), "",
            detail::unless_null<std::string>(
                member, fmt::format("EXISTS (SELECT 1 FROM metadata_entries m WHERE m.tenant_id = :tenant"
                                    " AND m.record_table = '{}' AND m.entry = :{} AND m.record_id = e.id)",
                                    Table.view(), member))};
  }
};

}  // namespace guildhall
