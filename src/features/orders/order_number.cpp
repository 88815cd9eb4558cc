#include "features/orders/order_number.h"

#include <optional>
#include <string_view>

#include "base/crypto.h"
#include "features/orders/order_store.h"
#include "features/tenancy/tenant_settings.h"

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

void order_number_ahead(Tx& tx, const TenantId& tenant) {
  tx.read_ahead(order_number_prefix(tenant).query);
}

// Numbers that orders made by hand have are skipped. After very many of them the number is random.
std::string next_order_number(Tx& tx, const TenantId& tenant) {
  constexpr int tries_max = 100;
  const auto prefix = tx.one(order_number_prefix(tenant));
  for (int tries = 0; prefix && tries < tries_max; ++tries) {
    std::string number = *prefix + std::to_string(take_order_number(tx, tenant));
    if (!tx.one(order_by_number(tenant, number))) return number;
  }
  return prefix ? *prefix + make_order_number() : make_order_number();
}

}  // namespace guildhall
