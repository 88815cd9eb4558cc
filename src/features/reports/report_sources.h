#pragma once

#include "features/reports/report_facts.h"
#include "storage/database.h"

// Reads the records of other slices from which reports are made.
namespace guildhall {

// In steps, in the order of their ids, with deleted ones.
Select<Order> paid_orders_after(const TenantId& tenant, const OrderId& id, std::int64_t limit);

struct DoneRefund {
  Refund refund;
  PaymentProvider provider = manual_provider;
};
Select<DoneRefund> done_refunds_after(const TenantId& tenant, const RefundId& id, std::int64_t limit);

// Products whose stock is counted, by stock and id.
struct StockedProduct {
  ProductId product_id;
  std::string name;
  std::string sku;
  std::int64_t stock_quantity = 0;
  Cents price_cents;
};
BOOST_DESCRIBE_STRUCT(StockedProduct, (), (product_id, name, sku, stock_quantity, price_cents))
Select<StockedProduct> products_with_stock(const TenantId& tenant, const std::string& currency, std::int64_t from,
                                           std::int64_t to, std::int64_t limit);
struct StockAndPrice {
  std::int64_t stock_quantity = 0;
  std::int64_t price_cents = 0;
};
BOOST_DESCRIBE_STRUCT(StockAndPrice, (), (stock_quantity, price_cents))
Select<StockAndPrice> stock_and_prices(const TenantId& tenant, const std::string& currency, std::int64_t limit);

}  // namespace guildhall
