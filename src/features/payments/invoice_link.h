#pragma once

#include "features/payments/payment_desk.h"

namespace guildhall {

struct MadeInvoiceLink {
  std::string url;
  std::string token;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(MadeInvoiceLink, (), (url, token, expires_at))

constexpr std::chrono::days invoice_link_lives{7};  // unless somebody asks for another time

// A link to the order's invoice page. The desk must be able to sign.
MadeInvoiceLink sign_invoice_link(Tx& tx, const PaymentDesk& desk, const TenantId& tenant, const OrderId& order,
                                  Instant expiry);

}  // namespace guildhall
