#pragma once

#include "features/payments/refunds/refund.h"
#include "storage/database.h"

// All SQL of refunds.
namespace guildhall {

Select<Refund> refund_by_id(const TenantId& tenant, const RefundId& id);
Select<Refund> refunds_of_order(const TenantId& tenant, const OrderId& order);        // newest first
Select<Refund> refunds_of_payment(const TenantId& tenant, const PaymentId& payment);  // oldest first

void insert_refund(Tx& tx, const Refund& refund);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_refund(Tx& tx, Refund& refund);

}  // namespace guildhall
