#include "features/orders/order.h"

#include "base/text.h"

namespace guildhall {
namespace {

std::vector<Problem> foreign_items(Currency currency, const std::vector<NewOrderItem>& given) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].currency && *given[i].currency != currency) {
      problems.push_back({fmt::format("items[{}].currency", i), "must be the order's currency"});
    }
  }
  return problems;
}

// Adds the fields that were left out and that the product (null: there is none) cannot give.
void add_missing(const NewOrderItem& item, std::size_t index, const OrderedProduct* product,
                 std::optional<Currency> currency, std::vector<Problem>& problems) {
  const auto require = [&](bool given, const char* field, std::string reason) {
    if (!given) problems.push_back({fmt::format("items[{}].{}", index, field), "is required, because " + reason});
  };
  if (product == nullptr) {
    constexpr const char* no_product = "there is no product with this productId";
    require(item.name.has_value(), "name", no_product);
    require(item.sku.has_value(), "sku", no_product);
    require(item.unit_price_cents.has_value(), "unitPriceCents", no_product);
  } else if (currency && product->currency != *currency) {
    require(item.unit_price_cents.has_value(), "unitPriceCents",
            fmt::format("the product's price is in {}", product->currency.code()));
  }
}

// The items that an order had before a change, by product and price.
class EarlierItems {
 public:
  explicit EarlierItems(const std::vector<OrderItem>& items) {
    for (const OrderItem& item : items) items_.try_emplace({item.product_id, item.unit_price_cents}, &item);
  }

  // Null if the product or its price is new.
  const OrderItem* find(const NewOrderItem& item) const {
    if (items_.empty() || !item.unit_price_cents) return nullptr;
    const auto found = items_.find({item.product_id, *item.unit_price_cents});
    return found == items_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::pair<ProductId, Cents>, const OrderItem*> items_;
};

OrderItem item_from(const NewOrderItem& given, Currency currency, const OrderedProduct* product,
                    const OrderItem* earlier) {
  OrderItem item{.product_id = given.product_id,
                 .name = given.name ? *given.name : Text<>{product->name},
                 .sku = given.sku ? *given.sku : Key{product->sku},
                 .quantity = given.quantity,
                 .unit_price_cents = given.unit_price_cents ? *given.unit_price_cents : product->price_cents,
                 .currency = currency};
  if (earlier != nullptr) {
    item.list_price_cents = earlier->list_price_cents;
  } else if (product != nullptr && product->currency == currency) {
    item.list_price_cents = product->price_cents;
  }
  item.price_overridden.value = item.list_price_cents && *item.list_price_cents != item.unit_price_cents;
  return item;
}

const OrderedProduct* product_of(const NewOrderItem& item, const OrderedProducts& products) {
  const auto found = products.find(item.product_id);
  return found == products.end() ? nullptr : &found->second;
}

std::vector<OrderItem> items_in(Currency currency, const std::vector<NewOrderItem>& given,
                                const OrderedProducts& products, const std::vector<OrderItem>& before) {
  if (auto problems = problems_of_items(given, currency, products); !problems.empty()) {
    throw invalid_fields(std::move(problems));
  }
  const EarlierItems earlier(before);
  std::vector<OrderItem> items;
  items.reserve(given.size());
  for (const NewOrderItem& item : given) {
    items.push_back(item_from(item, currency, product_of(item, products), earlier.find(item)));
  }
  return items;
}

// Returns the amount that was set by hand and records the override; without one, returns the computed amount.
Cents settled(const char* field, const Change<Cents>& by_hand, std::int64_t computed, Order& order, const Actor& actor,
              Instant now) {
  if (!by_hand) return Cents(computed);
  const Cents kept(std::clamp<std::int64_t>(computed, 0, Cents::value_max));
  order.pricing.value.overrides.push_back({.field = field,
                                           .cents = *by_hand,
                                           .computed_cents = kept,
                                           .actor_kind = actor.kind,
                                           .actor_id = actor.id,
                                           .at = now});
  return *by_hand;
}

std::int64_t total_of(const Order& order) {
  return order.subtotal_cents.value() - order.discount_amount_cents.value() + order.tax_amount_cents.value();
}

}  // namespace

void Codec<NewOrderItem>::decode(JsonValue value, NewOrderItem& out, Decoder& decoder) {
  decode_object(value, &out, fields_of<NewOrderItem>(), fields_of<OrderItem>(), decoder);
  if (!out.product_id.empty() || !value.is_object()) return;
  const auto require = [&](bool given, std::string_view field) {
    const Decoder::Step step(decoder, field);
    if (!given) decoder.problem("is required");
  };
  require(out.name.has_value(), "name");
  require(out.sku.has_value(), "sku");
  require(out.unit_price_cents.has_value(), "unitPriceCents");
}

// Adds the items with which the order would have too many units of products that deliver something.
static void add_undeliverable(const std::vector<NewOrderItem>& items, const OrderedProducts& products,
                              std::vector<Problem>& problems) {
  std::int64_t units = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const OrderedProduct* product = product_of(items[i], products);
    if (product == nullptr || product->delivers == Delivers::NOTHING) continue;
    units = std::min(units + items[i].quantity, delivered_units_max + 1);
    if (units <= delivered_units_max) continue;
    problems.push_back({fmt::format("items[{}].quantity", i),
                        fmt::format("must be at most {} in all for digital products", delivered_units_max)});
  }
}

std::vector<Problem> problems_of_items(const std::vector<NewOrderItem>& items, std::optional<Currency> currency,
                                       const OrderedProducts& products) {
  std::vector<Problem> problems;
  if (currency) problems = foreign_items(*currency, items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    add_missing(items[i], i, product_of(items[i], products), currency, problems);
  }
  add_undeliverable(items, products, problems);
  return problems;
}

void check(const NewOrder& input, Decoder& decoder) {
  if (!input.currency || decoder.found_in("currency")) return;  // order_from knows the shop's
  for (Problem& problem : foreign_items(*input.currency, input.items)) {
    if (!decoder.found_in(problem.field)) decoder.problem(std::move(problem));
  }
}

std::string search_text_of(const Order& order) {
  const auto chat_id = order.customer.chat_id ? order.customer.chat_id->value : "";
  const auto email = order.customer.email ? order.customer.email->value : "";
  return search_text({order.order_number, chat_id, email, order.customer.name.value});
}

Order order_from(const NewOrder& input, const OrderBasis& basis, const TenantId& tenant, Instant now) {
  Order order;
  order.id = OrderId::make(now);
  order.tenant_id = tenant;
  order.order_number = input.order_number;
  order.shipping_status = input.shipping_status;
  order.currency = input.currency.value_or(basis.shop_currency);
  order.items = items_in(order.currency, input.items, basis.products, {});
  order.customer = input.customer;
  order.customer_id = input.customer_id;
  order.customer_role_ids = input.customer_role_ids.value;
  order.shipping_address = input.shipping_address;
  order.shipment_id = input.shipment_id;
  order.tracking_number = input.tracking_number;
  order.notes = input.notes;
  order.anonymous_contribution = input.anonymous_contribution;
  if (input.gift_to) order.gift_to = input.gift_to->value;
  order.metadata = metadata_from(input.metadata);
  order.created_at = order.updated_at = now;
  order.version = {1};
  order.search = {folded(order.order_number)};
  order.search_text = {search_text_of(order)};
  order.status = input.status;
  order.is_open = {is_open(order.status)};
  if (counts_as_paid(order.status)) order.paid_at = now;
  return order;
}

void apply(const OrderPatch& patch, const OrderBasis& basis, Order& order, Instant now) {
  const Currency before = order.currency;
  if (patch.currency) order.currency = (*patch.currency).value_or(basis.shop_currency);
  const bool same_currency = order.currency == before;
  if (patch.items) {
    order.items = items_in(order.currency, (*patch.items).value, basis.products,
                           same_currency ? order.items : std::vector<OrderItem>());
  } else if (!same_currency) {
    for (OrderItem& item : order.items) {
      item.currency = order.currency;
      item.list_price_cents.reset();  // it was in the former currency
      item.price_overridden.value = false;
    }
  }
  patch.customer.apply_to(order.customer);
  if (patch.customer) order.search_text = {search_text_of(order)};
  patch.customer_id.apply_to(order.customer_id);
  if (patch.customer_role_ids) {
    order.customer_role_ids = (*patch.customer_role_ids).value_or(KeyList());
  }
  patch.shipping_address.apply_to(order.shipping_address);
  patch.shipping_status.apply_to(order.shipping_status);
  patch.shipment_id.apply_to(order.shipment_id);
  patch.tracking_number.apply_to(order.tracking_number);
  patch.notes.apply_to(order.notes);
  if (patch.anonymous_contribution) order.anonymous_contribution = (*patch.anonymous_contribution).value_or(false);
  apply(patch.metadata, order.metadata);
  if (patch.status) move_to(order, *patch.status, now);
}

bool reprices(const OrderPatch& patch) {
  return patch.items || patch.discount_id || patch.discount_code || patch.tax_amount_cents || patch.currency ||
         patch.subtotal_cents || patch.discount_amount_cents;
}

void reprice(Order& order, const Discount* discount, const OrderPatch& patch, const Actor& actor, Instant now) {
  order.pricing.value = {.discount = std::nullopt, .overrides = {}, .computed_at = now};
  order.discount_id.reset();
  order.discount_code.reset();
  if (discount != nullptr) {
    order.pricing.value.discount =
        apply_discount(*discount, {order.items, order.currency, order.customer_id, order.customer_role_ids});
    order.discount_id = discount->id;
    order.discount_code = discount->code;
  }
  const auto& applied = order.pricing.value.discount;
  order.subtotal_cents =
      settled("subtotalCents", patch.subtotal_cents, subtotal_of(order.items).value(), order, actor, now);
  order.discount_amount_cents = settled("discountAmountCents", patch.discount_amount_cents,
                                        applied ? applied->discount_cents.value() : 0, order, actor, now);
  if (patch.tax_amount_cents) order.tax_amount_cents = (*patch.tax_amount_cents).value_or(Cents());
  order.total_cents = settled("totalCents", patch.total_cents, total_of(order), order, actor, now);
}

void override_total(Order& order, const OrderPatch& patch, const Actor& actor, Instant now) {
  if (!patch.total_cents) return;
  std::erase_if(order.pricing.value.overrides, [](const PriceOverride& made) { return made.field == "totalCents"; });
  order.total_cents = settled("totalCents", patch.total_cents, total_of(order), order, actor, now);
}

void move_to(Order& order, OrderStatus status, Instant now) {
  require_move(order.status, status);
  if (counts_as_paid(status) && !counts_as_paid(order.status)) order.paid_at = now;
  order.status = status;
  order.is_open = {is_open(status)};
}

Cents paid_for(const Order& order, const ProductId& product) {
  Cents asked;
  for (const OrderItem& item : order.items) {
    if (item.product_id == product) asked += line_total(item);
  }
  if (asked == Cents()) return asked;
  const auto& applied = order.pricing.value.discount;
  return std::min(asked - discount_on(order.items, applied, order.discount_amount_cents, product), order.total_cents);
}

Cents paid_to_fund(const Order& order) {
  return paid_for(order, ProductId(std::string(community_fund_product)));
}

OrderPayload payload_of(const Order& order) {
  OrderPayload payload{.order_id = order.id.text(),
                       .order_number = order.order_number,
                       .status = std::string(name_of(order.status)),
                       .currency = std::string(order.currency.code()),
                       .total_cents = order.total_cents.value(),
                       .customer_id = std::nullopt,
                       .customer_name = order.customer.name,
                       .customer_chat_id = order.customer.chat_id,
                       .anonymous_contribution = order.anonymous_contribution,
                       .contribution_cents = paid_to_fund(order).value(),
                       .items = {}};
  if (order.customer_id) payload.customer_id = order.customer_id->text();
  for (const OrderItem& item : order.items) {
    payload.items.push_back(
        {item.product_id.text(), item.name, item.sku, item.quantity, item.unit_price_cents.value()});
  }
  return payload;
}

bool reaches_shipped(const Order* before, const Order& after) {
  const bool by_status = after.status == OrderStatus::SHIPPED && (before == nullptr || before->status != after.status);
  const bool by_parcel = after.shipping_status == OrderShippingStatus::SHIPPED &&
                         (before == nullptr || before->shipping_status != after.shipping_status);
  return by_status || by_parcel;
}

ShipmentPayload shipment_payload_of(const Order& order, Instant now) {
  ShipmentPayload payload{.shipment_id = order.shipment_id,
                          .order_id = order.id.text(),
                          .order_number = order.order_number,
                          .customer_id = std::nullopt,
                          .customer_chat_id = order.customer.chat_id,
                          .status = "SHIPPED",
                          .carrier = std::nullopt,
                          .service = std::nullopt,
                          .tracking_number = order.tracking_number,
                          .detail = std::nullopt,
                          .shipped_at = now,
                          .delivered_at = std::nullopt};
  if (order.customer_id) payload.customer_id = order.customer_id->text();
  return payload;
}

Failure order_has_payments() {
  return bad_request("ORDER_HAS_PAYMENTS", "The order has a payment or was paid, so its currency cannot change.");
}

Failure order_number_taken() {
  return bad_request("ORDER_NUMBER_TAKEN", "Another order has this orderNumber already.");
}

std::int64_t units_of(const Order& order, const ProductId& product) {
  std::int64_t units = 0;
  for (const OrderItem& item : order.items) {
    if (item.product_id == product) units = std::min(units + item.quantity, safe_integer_max);
  }
  return units;
}

}  // namespace guildhall
