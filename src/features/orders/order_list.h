#pragma once

#include "api/list.h"
#include "features/orders/order.h"
#include "storage/metadata_index.h"

// The list of orders.
namespace guildhall {

// The payment methods with a processor. An order that was marked as paid by hand has no payment.
enum class ProcessorMethod { WALLET, APPPAY, CRYPTO_COMMERCE, BTC_GATEWAY };
BOOST_DESCRIBE_ENUM(ProcessorMethod, WALLET, APPPAY, CRYPTO_COMMERCE, BTC_GATEWAY)

enum class OrderPaymentStatus { OPENING, OPEN, PROCESSING, PAID, REFUNDED, EXPIRED, FAILED };
BOOST_DESCRIBE_ENUM(OrderPaymentStatus, OPENING, OPEN, PROCESSING, PAID, REFUNDED, EXPIRED, FAILED)

// As the table of payments has it.
template <>
struct Column<ProcessorMethod> {
  static Value write(ProcessorMethod method) {
    return std::string(method == ProcessorMethod::BTC_GATEWAY ? "CRYPTO_GATEWAY" : name_of(method));
  }
};

struct OrderQuery : api::ListParams {
  OneOf<OrderStatus, "Orders in one of these statuses."> status;
  OneOf<OrderShippingStatus, "Orders in one of these shipping statuses."> shipping_status;
  Is<CustomerId, "Orders of this customer."> customer_id;
  Where<ProductId,
        "EXISTS (SELECT 1 FROM order_products p WHERE p.tenant_id = :tenant AND p.product_id = :product_id"
        " AND p.order_id = e.id)",
        "Orders with an item of this product.">
      product_id;
  Is<DiscountId, "Orders with this discount."> discount_id;
  Where<ProcessorMethod,
        "EXISTS (SELECT 1 FROM payments p WHERE p.tenant_id = :tenant AND p.order_id = e.id"
        " AND p.provider = :payment_method"
        " AND (CAST(:payment_status AS text) IS NULL OR p.status = :payment_status))",
        "Orders with a payment of this method; with paymentStatus, a payment of this method in that status.">
      payment_method;
  Where<OrderPaymentStatus,
        "EXISTS (SELECT 1 FROM payments p WHERE p.tenant_id = :tenant AND p.order_id = e.id"
        " AND p.status = :payment_status"
        " AND (CAST(:payment_method AS text) IS NULL OR p.provider = :payment_method))",
        "Orders with a payment in this status.">
      payment_status;
  From<Instant, "created_at", "Placed at this time or later."> created_from;
  To<Instant, "created_at", "Placed at this time or earlier."> created_to;
  From<Cents, "total_cents", "The total is this amount or more."> total_min;
  To<Cents, "total_cents", "The total is this amount or less."> total_max;
  Search<"search_text",
         "A part of the order number or of the customer's chat id, email or name, in any case. A page of a large shop"
         " may end early, with a cursor.">
      search;
  HasMetadata<"orders"> metadata;
  SortBy<"createdAt", "totalCents", "orderNumber"> sort;
};
BOOST_DESCRIBE_STRUCT(OrderQuery, (api::ListParams),
                      (status, shipping_status, customer_id, product_id, discount_id, payment_method, payment_status,
                       created_from, created_to, total_min, total_max, search, metadata, sort))

const Listing& order_listing();

// Without a filter, the total comes from the counters.
ListTotal order_total(Tx& tx, const ListRequest& request);

}  // namespace guildhall
