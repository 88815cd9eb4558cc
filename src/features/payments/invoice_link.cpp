#include "features/payments/invoice_link.h"

#include "audit/audit.h"
#include "features/payments/payment_store.h"

namespace guildhall {

MadeInvoiceLink make_invoice_link(Tx& tx, const PaymentDesk& desk, const Actor& actor, const TenantId& tenant,
                                  const OrderId& order, Instant expiry, Instant now) {
  audit(tx, tenant, actor, {"order", order.text()}, "invoice link made",
        fmt::format(R"({{"expiresAt":{{"before":null,"after":"{}"}}}})", to_string(expiry)), now);
  const std::int64_t generation = tx.one(link_generation(tenant, order)).value_or(0);
  const std::string token = desk.signer().sign({tenant, order, expiry, generation});
  return {.url = desk.config().public_base_url + "/orders/invoice/" + token, .token = token, .expires_at = expiry};
}

}  // namespace guildhall
