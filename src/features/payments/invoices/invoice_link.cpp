#include "features/payments/invoices/invoice_link.h"

#include "features/payments/payment_store.h"

namespace guildhall {

MadeInvoiceLink sign_invoice_link(Tx& tx, const PaymentService& service, const TenantId& tenant, const OrderId& order,
                                  Instant expiry) {
  const std::int64_t generation = tx.one(link_generation(tenant, order)).value_or(0);
  const std::string token = service.signer().sign({tenant, order, expiry, generation});
  return {
      .url = service.installation().public_base_url + "/orders/invoice/" + token, .token = token, .expires_at = expiry};
}

}  // namespace guildhall
