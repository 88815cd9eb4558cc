#include "features/reports/report_sources.h"

#include "storage/columns.h"

namespace guildhall {

static const Sql paid_orders_sql("SELECT " + columns<Order>() +
                                 " FROM orders WHERE tenant_id = $1 AND paid_at IS NOT NULL AND id > $2"
                                 " ORDER BY id LIMIT $3");

Select<Order> paid_orders_after(const TenantId& tenant, const OrderId& id, std::int64_t limit) {
  return {{&paid_orders_sql, params(tenant, id, limit)}, read_row<Order>};
}

static const Sql done_refunds_sql(
    "SELECT r.id, r.order_id, r.amount_cents, r.currency, r.updated_at, COALESCE(p.provider, 'MANUAL')"
    " FROM refunds r LEFT JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id"
    " WHERE r.tenant_id = $1 AND r.status = 'DONE' AND r.id > $2 ORDER BY r.id LIMIT $3");

Select<DoneRefund> done_refunds_after(const TenantId& tenant, const RefundId& id, std::int64_t limit) {
  return {{&done_refunds_sql, params(tenant, id, limit)}, [](const Row& row) {
            DoneRefund done;
            done.refund.id = Column<RefundId>::read(row, 0);
            done.refund.order_id = Column<OrderId>::read(row, 1);
            done.refund.amount_cents = Column<Cents>::read(row, 2);
            done.refund.currency = std::string(row.text(3));
            done.refund.updated_at = Column<Instant>::read(row, 4);
            done.provider = Column<PaymentProvider>::read(row, 5);
            return done;
          }};
}

static const std::string with_stock =
    " FROM products WHERE tenant_id = $1 AND currency = $2 AND inventory_tracked AND stock_quantity IS NOT NULL";

static const Sql stocked_sql("SELECT id, name, sku, stock_quantity, price_cents" + with_stock +
                             " AND stock_quantity >= $3 AND stock_quantity <= $4 ORDER BY stock_quantity, id LIMIT $5");

Select<StockedProduct> products_with_stock(const TenantId& tenant, const std::string& currency, std::int64_t from,
                                           std::int64_t to, std::int64_t limit) {
  return {{&stocked_sql, params(tenant, currency, from, to, limit)}, read_row<StockedProduct>};
}

static const Sql stock_and_prices_sql("SELECT stock_quantity, price_cents" + with_stock +
                                      " AND stock_quantity > 0 ORDER BY stock_quantity DESC, id DESC LIMIT $3");

Select<StockAndPrice> stock_and_prices(const TenantId& tenant, const std::string& currency, std::int64_t limit) {
  return {{&stock_and_prices_sql, params(tenant, currency, limit)}, read_row<StockAndPrice>};
}

}  // namespace guildhall
