#pragma once

#include "features/payments/payment_service.h"

namespace guildhall {

struct MadeInvoiceLink {
  std::string url;
  std::string token;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(MadeInvoiceLink, (), (url, token, expires_at))

constexpr std::chrono::days invoice_link_lives{7};  // unless the request names another time

// A link to the order's receipt, which can be shown once the order is paid. The service must be able to sign.
std::string sign_receipt_link(Tx& tx, const PaymentService& service, const TenantId& tenant, const OrderId& order,
                              Instant expiry);

// A link to the order's invoice page. The service must be able to sign. An order that this transaction has created has
// no revoked links, so nothing is read for it.
MadeInvoiceLink sign_first_invoice_link(const PaymentService& service, const TenantId& tenant, const OrderId& order,
                                        Instant expiry);
MadeInvoiceLink sign_invoice_link(Tx& tx, const PaymentService& service, const TenantId& tenant, const OrderId& order,
                                  Instant expiry);

}  // namespace guildhall
