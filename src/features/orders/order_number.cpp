#include "features/orders/order_number.h"

#include <optional>
#include <string_view>

#include "base/crypto.h"
#include "features/orders/order_store.h"
#include "storage/columns.h"

namespace guildhall {

std::string make_order_number() {
  constexpr std::string_view alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const std::string random = random_bytes(10);
  std::string number;
  for (std::size_t i = 0; i < random.size(); ++i) {
    if (i == 5) number += '-';
    number += alphabet[static_cast<unsigned char>(random[i]) % alphabet.size()];
  }
  return number;
}

static const Sql order_prefix_sql(
    "SELECT order_number_prefix FROM tenant_settings WHERE tenant_id = $1 AND order_number_prefix IS NOT NULL");

static Select<std::string> order_prefix(const TenantId& tenant) {
  return {{&order_prefix_sql, params(tenant)}, [](const Row& row) { return std::string(row.text(0)); }};
}

void order_number_ahead(Tx& tx, const TenantId& tenant) {
  tx.read_ahead(order_prefix(tenant).query);
}

static const Sql take_number_sql(
    "UPDATE tenant_settings SET order_number_next = order_number_next + 1 WHERE tenant_id = $1 RETURNING "
    "order_number_next - 1");

// Numbers that orders made by hand have are skipped. After very many of them the number is random.
std::string next_order_number(Tx& tx, const TenantId& tenant) {
  constexpr int tries_max = 100;
  const auto prefix = tx.one(order_prefix(tenant));
  for (int tries = 0; prefix && tries < tries_max; ++tries) {
    std::int64_t next = 0;
    tx.run({&take_number_sql, params(tenant)}, [&](const Row& row) { next = row.integer(0); });
    std::string number = *prefix + std::to_string(next);
    if (!tx.one(order_by_number(tenant, number))) return number;
  }
  return prefix ? *prefix + make_order_number() : make_order_number();
}

static const Sql set_next_sql("UPDATE tenant_settings SET order_number_next = $2 WHERE tenant_id = $1");

void set_next_order_number(Tx& tx, const TenantId& tenant, std::int64_t next) {
  tx.run({&set_next_sql, params(tenant, next)});
}

}  // namespace guildhall
