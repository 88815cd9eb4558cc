#include "features/payments/invoices/invoice_link.h"

#include "features/payments/payment_store.h"

namespace guildhall {

static MadeInvoiceLink sign(const PaymentService& service, const TenantId& tenant, const OrderId& order, Instant expiry,
                            std::int64_t generation) {
  const std::string token = service.signer().sign({tenant, order, expiry, generation});
  return {
      .url = service.installation().public_base_url + "/orders/invoice/" + token, .token = token, .expires_at = expiry};
}

MadeInvoiceLink sign_invoice_link(Tx& tx, const PaymentService& service, const TenantId& tenant, const OrderId& order,
                                  Instant expiry) {
  return sign(service, tenant, order, expiry, tx.one(link_generation(tenant, order)).value_or(0));
}

MadeInvoiceLink sign_first_invoice_link(const PaymentService& service, const TenantId& tenant, const OrderId& order,
                                        Instant expiry) {
  return sign(service, tenant, order, expiry, 0);
}

std::string sign_receipt_link(Tx& tx, const PaymentService& service, const TenantId& tenant, const OrderId& order,
                              Instant expiry) {
  const MadeInvoiceLink link = sign_invoice_link(tx, service, tenant, order, expiry);
  return service.installation().public_base_url + "/orders/receipt/" + link.token;
}

}  // namespace guildhall
