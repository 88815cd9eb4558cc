#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// The tables that keep what a shop has ever done, so that they grow without end. Others are small, or retention deletes
// their rows; and jobs search some of these over all tenants, which takes longer with many parts.
inline constexpr std::string_view partitioned_tables[]{
    "audit_entries", "customers", "invoice_links",          "order_products",   "orders",
    "payments",      "refunds",   "report_customer_orders", "report_paid_with",
};

// Makes each of these tables again, empty, in this many parts by the hash of the tenant: orders_part0, orders_part1 and
// so on. Its columns, checks and indexes stay the same.
std::string partition_script(int count);

// Gives the index of each part the name of the table's index, and the number of the part: orders_pkey_part0. To be run
// after every migration, since PostgreSQL chooses other names. See name_without_part().
extern const std::string_view name_partitions_script;

// The name of a table or constraint without the number of its part: orders_pkey for orders_pkey_part0.
std::string name_without_part(std::string_view name);

}  // namespace guildhall
