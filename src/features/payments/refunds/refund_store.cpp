#include "features/payments/refunds/refund_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Refund> refund_table("refunds");
const std::string select_refund = refund_table.select + " WHERE tenant_id = $1";

}  // namespace

Select<Refund> refund_by_id(const TenantId& tenant, const RefundId& id) {
  return refund_table.by_id(tenant, id);
}

static const Sql of_order_sql(select_refund + " AND order_id = $2 ORDER BY created_at DESC, id DESC");

Select<Refund> refunds_of_order(const TenantId& tenant, const OrderId& order) {
  return {{&of_order_sql, params(tenant, order)}, read_row<Refund>};
}

static const Sql of_payment_sql(select_refund + " AND payment_id = $2 ORDER BY created_at, id");

Select<Refund> refunds_of_payment(const TenantId& tenant, const PaymentId& payment) {
  return {{&of_payment_sql, params(tenant, payment)}, read_row<Refund>};
}

void insert_refund(Tx& tx, const Refund& refund) {
  refund_table.insert(tx, refund);
}

void update_refund(Tx& tx, Refund& refund) {
  refund_table.update(tx, refund);
}

}  // namespace guildhall
