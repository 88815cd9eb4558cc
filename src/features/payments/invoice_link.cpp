#include "features/payments/invoice_link.h"

#include "features/payments/payment_store.h"

namespace guildhall {

MadeInvoiceLink sign_invoice_link(Tx& tx, const PaymentDesk& desk, const TenantId& tenant, const OrderId& order,
                                  Instant expiry) {
  const std::int64_t generation = tx.one(link_generation(tenant, order)).value_or(0);
  const std::string token = desk.signer().sign({tenant, order, expiry, generation});
  return {.url = desk.config().public_base_url + "/orders/invoice/" + token, .token = token, .expires_at = expiry};
}

}  // namespace guildhall
