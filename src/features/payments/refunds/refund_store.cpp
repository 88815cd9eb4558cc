#include "features/payments/refunds/refund_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_refund = "SELECT " + columns<Refund>() + " FROM refunds WHERE tenant_id = $1";

}  // namespace

static const Sql by_id_sql(select_refund + " AND id = $2");

Select<Refund> refund_by_id(const TenantId& tenant, const RefundId& id) {
  return {{&by_id_sql, params(tenant, id)}, read_row<Refund>};
}

static const Sql of_order_sql(select_refund + " AND order_id = $2 ORDER BY created_at DESC, id DESC");

Select<Refund> refunds_of_order(const TenantId& tenant, const OrderId& order) {
  return {{&of_order_sql, params(tenant, order)}, read_row<Refund>};
}

static const Sql of_payment_sql(select_refund + " AND payment_id = $2 ORDER BY created_at, id");

Select<Refund> refunds_of_payment(const TenantId& tenant, const PaymentId& payment) {
  return {{&of_payment_sql, params(tenant, payment)}, read_row<Refund>};
}

static const Sql insert_sql("INSERT INTO refunds (" + columns<Refund>() + ") VALUES (" + placeholders<Refund>() + ")");

void insert_refund(Tx& tx, const Refund& refund) {
  tx.run({&insert_sql, values_of(refund)});
}

static const Sql update_sql(versioned_update<Refund>("refunds"));

void update_refund(Tx& tx, Refund& refund) {
  write_versioned(tx, update_sql, refund);
}

}  // namespace guildhall
