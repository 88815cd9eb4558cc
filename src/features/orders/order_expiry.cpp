#include "features/orders/order_expiry.h"

#include "features/orders/order_timeline.h"
#include "storage/columns.h"

namespace guildhall {

static const Sql unpaid_sql(
    "SELECT id, created_at FROM orders WHERE tenant_id = $1 AND deleted_at IS NULL AND status = 'PENDING_PAYMENT'"
    " AND created_at <= $2 AND (created_at, id) > ($5, $6) AND (kept_until IS NULL OR kept_until <= $4)"
    " ORDER BY created_at, id LIMIT $3");

Select<Position> unpaid_orders(const TenantId& tenant, Instant cutoff, const Position& after, std::int64_t limit,
                               Instant now) {
  return {{&unpaid_sql, params(tenant, cutoff, limit, now, after.created_at, after.id)}, [](const Row& row) {
            return Position{{row.integer(1)}, std::string(row.text(0))};
          }};
}

bool expire_order(const ActionContext& context, const OrderId& id) {
  struct NotUnpaid {};
  OrderPatch cancel;
  cancel.status.value = OrderStatus::CANCELLED;
  try {
    // The precondition sees the version that the update then requires, so a payment that comes in between wins.
    change_order(context, id, cancel, [](const Order& order) {
      if (order.status != OrderStatus::PENDING_PAYMENT) throw NotUnpaid();
    });
    return true;
  } catch (const NotUnpaid&) {
    return false;
  } catch (const Failure& failure) {
    if (failure.kind == Failure::Kind::not_found) return false;
    throw;
  }
}

}  // namespace guildhall
