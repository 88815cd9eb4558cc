#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/metadata.h"
#include "features/catalog/product.h"
#include "features/orders/order_events.h"
#include "features/orders/order_pricing.h"
#include "features/orders/order_status.h"

// The order record, its input types and its rules. Pure: no clock, no database.
namespace guildhall {

// Items with this product id are contributions to the community fund. There is no such product and no stock.
constexpr std::string_view community_fund_product = "community-fund";

struct OrderCustomer {
  Text<> name;
  std::optional<Email> email;
  std::optional<Key> chat_id;
};
BOOST_DESCRIBE_STRUCT(OrderCustomer, (), (name, email, chat_id))

struct StockTaken {
  ProductId product_id;
  std::int64_t quantity = 0;
  std::optional<bool> is_keys{};  // they are the buyer's when the order is paid, and are not given back
};
BOOST_DESCRIBE_STRUCT(StockTaken, (), (product_id, quantity, is_keys))

struct Order {
  OrderId id;
  TenantId tenant_id;
  std::string order_number;
  OrderStatus status = OrderStatus::PENDING_PAYMENT;
  OrderShippingStatus shipping_status = OrderShippingStatus::PENDING;
  std::vector<OrderItem> items;
  Currency currency;
  OrderCustomer customer;
  std::optional<CustomerId> customer_id;
  std::vector<std::string> customer_role_ids;
  std::optional<DiscountId> discount_id;
  std::optional<std::string> discount_code;
  Cents subtotal_cents;
  Cents discount_amount_cents;
  Cents tax_amount_cents;
  Cents total_cents;
  std::optional<JsonObject> shipping_address;
  std::optional<std::string> shipment_id;
  std::optional<std::string> tracking_number;
  std::optional<std::string> notes;
  bool anonymous_contribution = false;
  std::optional<std::string> gift_to;  // the chat id of the member who receives what the order gives; null: the buyer
  std::optional<Instant> paid_at;      // when it became paid
  Metadata metadata{};
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<PricingFacts> pricing;
  Hidden<std::vector<StockTaken>> stock_taken;  // the stock that it holds, to be given back exactly
  Hidden<bool> use_counted;                     // whether it holds a use of its discount
  Hidden<std::string> search;                   // the order number, case-folded
  Hidden<bool> is_open;                         // in an open status and not deleted
  Hidden<std::optional<Instant>> deleted_at;
  Hidden<std::optional<Instant>> shipped_at;       // when it was first marked shipped: OrderShipped is emitted once
  Hidden<std::optional<std::string>> search_text;  // number and customer, for searches
  Hidden<std::optional<Instant>> kept_until;       // while it is unpaid, it does not expire before this time
};
BOOST_DESCRIBE_STRUCT(Order, (),
                      (id, tenant_id, order_number, status, shipping_status, items, currency, customer, customer_id,
                       customer_role_ids, discount_id, discount_code, subtotal_cents, discount_amount_cents,
                       tax_amount_cents, total_cents, shipping_address, shipment_id, tracking_number, notes,
                       anonymous_contribution, gift_to, paid_at, metadata, created_at, updated_at, version, pricing,
                       stock_taken, use_counted, search, is_open, deleted_at, shipped_at, search_text, kept_until))

// An item of a request. Without a currency of its own it has that of the order. Name, SKU and price that are left out
// are those of the product.
struct NewOrderItem {
  using Record = OrderItem;
  ProductId product_id;
  std::optional<Text<>> name;
  std::optional<Key> sku;
  Quantity quantity;
  std::optional<Cents> unit_price_cents;
  std::optional<Currency> currency;
};
BOOST_DESCRIBE_STRUCT(NewOrderItem, (), (product_id, name, sku, quantity, unit_price_cents, currency))

// An item that names no product must have all fields.
template <>
struct Codec<NewOrderItem> : PlainCodec {
  static void decode(JsonValue value, NewOrderItem& out, Decoder& decoder);
  static void encode(std::string& out, const NewOrderItem& item) {
    encode_object(out, &item, fields_of<NewOrderItem>());
  }
  static void schema(Schema& schema) { schema.component(detail::type_name<NewOrderItem>(), fields_of<NewOrderItem>()); }
};

// The ids of the products that the items name, sorted, each once.
template <class Items>
std::vector<ProductId> product_ids(const Items& items) {
  std::vector<ProductId> ids;
  for (const auto& item : items) ids.push_back(item.product_id);
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

// The number of units of a product in all items.
std::int64_t units_of(const Order& order, const ProductId& product);

// The tenant's products that the items of an order name.
using OrderedProducts = std::map<ProductId, OrderedProduct>;

// The facts besides its input that an order is made from.
struct OrderBasis {
  OrderedProducts products;
  Currency shop_currency;
};

struct NewOrder {
  using Record = Order;
  Key order_number;
  NonEmpty<NewOrderItem> items;
  std::optional<Currency> currency;  // null: the shop's
  OrderCustomer customer;
  std::optional<CustomerId> customer_id;
  Default<KeyList> customer_role_ids{};
  std::optional<Key> discount_code;
  std::optional<JsonObject> shipping_address;
  Default<OrderStatus> status{OrderStatus::PENDING_PAYMENT};
  Default<OrderShippingStatus> shipping_status{OrderShippingStatus::PENDING};
  std::optional<Reference> shipment_id;
  std::optional<Key> tracking_number;
  std::optional<std::string> notes;
  Default<bool> anonymous_contribution{false};
  std::optional<Key> gift_to;
  std::optional<MetadataChange> metadata;
};
BOOST_DESCRIBE_STRUCT(NewOrder, (),
                      (order_number, items, currency, customer, customer_id, customer_role_ids, discount_code,
                       shipping_address, status, shipping_status, shipment_id, tracking_number, notes,
                       anonymous_contribution, gift_to, metadata))

struct OrderPatch {
  using Record = Order;
  Change<OrderStatus> status;
  Change<NonEmpty<NewOrderItem>> items;
  Change<Cents> subtotal_cents;
  Change<Cents> total_cents;
  Change<std::optional<DiscountId>> discount_id;
  Change<std::optional<Key>> discount_code;
  Change<Cents> discount_amount_cents;
  Change<std::optional<Cents>> tax_amount_cents;
  Change<std::optional<Currency>> currency;
  Change<OrderCustomer> customer;
  Change<std::optional<CustomerId>> customer_id;
  Change<std::optional<KeyList>> customer_role_ids;
  Change<std::optional<JsonObject>> shipping_address;
  Change<OrderShippingStatus> shipping_status;
  Change<std::optional<Reference>> shipment_id;
  Change<std::optional<Key>> tracking_number;
  Change<std::optional<std::string>> notes;
  Change<std::optional<bool>> anonymous_contribution;
  Change<std::optional<MetadataChange>> metadata;
};
BOOST_DESCRIBE_STRUCT(OrderPatch, (),
                      (status, items, subtotal_cents, total_cents, discount_id, discount_code, discount_amount_cents,
                       tax_amount_cents, currency, customer, customer_id, customer_role_ids, shipping_address,
                       shipping_status, shipment_id, tracking_number, notes, anonymous_contribution, metadata))

// The part of the body of an order whose rules depend on the shop's products.
struct OrderedItems {
  Default<std::vector<NewOrderItem>> items{};
  std::optional<Currency> currency;
};
BOOST_DESCRIBE_STRUCT(OrderedItems, (), (items, currency))

// Every item that is in another currency than the order (if that is known), and every field that was left out and that
// no product gives.
std::vector<Problem> problems_of_items(const std::vector<NewOrderItem>& items, std::optional<Currency> currency,
                                       const OrderedProducts& products);

// Reports every item that is in another currency than the order names, in addition to the problems of single fields.
void check(const NewOrder& input, Decoder& decoder);

// The number and the customer's chat id, email and name, in which a search looks.
std::string search_text_of(const Order& order);

// Makes an order whose amounts `reprice` computes. Throws Failure invalid that names every item in another currency,
// and every field that was left out and that no product gives.
Order order_from(const NewOrder& input, const OrderBasis& basis, const TenantId& tenant, Instant now);

// Applies everything in the patch except prices and discount. An item whose product and price the order had already
// keeps the product's price of that time. Throws INVALID_TRANSITION, and the same as order_from.
void apply(const OrderPatch& patch, const OrderBasis& basis, Order& order, Instant now);

// Whether the patch requires that the price is computed again, except for the amounts that it sets itself.
bool reprices(const OrderPatch& patch);

// Computes the price from items, discount (may be null) and tax, except for the amounts that the patch sets by hand.
// Amounts that were set by hand before are replaced.
void reprice(Order& order, const Discount* discount, const OrderPatch& patch, const Actor& actor, Instant now);

// Sets the total that a patch sets by hand without requiring a new price.
void override_total(Order& order, const OrderPatch& patch, const Actor& actor, Instant now);

// Changes the status and records when the order becomes paid. Throws INVALID_TRANSITION.
void move_to(Order& order, OrderStatus status, Instant now);

// The amount paid for the items of a product, after discounts; never more than the total.
Cents paid_for(const Order& order, const ProductId& product);

// The amount paid for community-fund items.
Cents paid_to_fund(const Order& order);

// Whether the change set status or shippingStatus to SHIPPED. `before` is null for a new order.
bool reaches_shipped(const Order* before, const Order& after);

// The payload of ShipmentShipped when the order itself was marked shipped.
ShipmentPayload shipment_payload_of(const Order& order, Instant now);

Failure order_number_taken();
Failure order_has_payments();

}  // namespace guildhall
