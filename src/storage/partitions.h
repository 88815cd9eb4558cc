#pragma once

#include <span>
#include <string>
#include <string_view>

namespace guildhall {

// Makes each of the tables again, empty, in this many parts by the hash of the tenant: orders_part0, orders_part1 and
// so on. Its columns, checks and indexes stay the same.
std::string partition_script(std::span<const std::string_view> tables, int count);

// Gives the index of each part the name of the table's index, and the number of the part: orders_pkey_part0. To be run
// after every migration, since PostgreSQL chooses other names. See name_without_part().
extern const std::string_view name_partitions_script;

// The name of a table or constraint without the number of its part: orders_pkey for orders_pkey_part0.
std::string name_without_part(std::string_view name);

}  // namespace guildhall
