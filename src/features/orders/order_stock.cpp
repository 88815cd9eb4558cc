#include "features/orders/order_stock.h"

#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"

namespace guildhall {
namespace {

// More than any stock can hold, and small enough that sums do not overflow.
constexpr std::int64_t beyond_any_stock = std::int64_t{1} << 60;

using Quantities = std::map<ProductId, std::int64_t>;

Quantities quantities_of(const Order& order) {
  Quantities quantities;
  for (const OrderItem& item : order.items) {
    std::int64_t& sum = quantities[item.product_id];
    sum = std::min(sum + item.quantity, beyond_any_stock);
  }
  return quantities;
}

Quantities held_by(const Order& order) {
  Quantities held;
  for (const StockTaken& taken : order.stock_taken.value) held[taken.product_id] = taken.quantity;
  return held;
}

Failure order_is_paid() {
  return bad_request("ORDER_IS_PAID",
                     "The order is paid: more units of a product with keys need an order of their own.");
}

// Keys of a paid order are the buyer's.
bool stays(const Order& order, const StockTaken& taken) {
  return taken.is_keys.value_or(false) && order.paid_at.has_value();
}

bool is_keys(const OrderedProducts& products, const ProductId& id) {
  const auto product = products.find(id);
  return product != products.end() && product->second.delivers == Delivers::KEYS;
}

const StockTaken* taken_of(const Order& order, const ProductId& product) {
  const auto& all = order.stock_taken.value;
  const auto found = std::ranges::find(all, product, &StockTaken::product_id);
  return found == all.end() ? nullptr : &*found;
}

bool has_taken_keys(const Order& order, const ProductId& product) {
  const StockTaken* taken = taken_of(order, product);
  return taken != nullptr && taken->is_keys.value_or(false);
}

void hold(Order& order, const Quantities& held, const StockChanges& changes) {
  std::vector<StockTaken> all;
  for (const auto& [product, quantity] : held) {
    if (quantity <= 0) continue;
    const auto change = changes.find(product);
    const bool of_keys = change != changes.end() ? change->second.of_keys : has_taken_keys(order, product);
    all.push_back({product, quantity, of_keys ? std::optional(true) : std::nullopt});
  }
  order.stock_taken.value = std::move(all);
}

bool is_counted(const OrderedProducts& products, const ProductId& id) {
  const auto product = products.find(id);
  return product != products.end() && product->second.stock.has_value();
}

bool gives_back(const Order& order, const ProductId& product) {
  const StockTaken* taken = taken_of(order, product);
  return taken != nullptr && !stays(order, *taken);
}

}  // namespace

StockChanges give_back_all(Order& order) {
  StockChanges changes;
  for (const StockTaken& taken : order.stock_taken.value) {
    if (!stays(order, taken)) changes[taken.product_id] = {-taken.quantity, taken.is_keys.value_or(false)};
  }
  order.stock_taken.value.clear();
  return changes;
}

StockChanges plan_stock(const OrderedProducts& products, const Order* before, Order& after) {
  if (before != nullptr && !is_alive(before->status)) return {};
  if (after.status == OrderStatus::CANCELLED) return give_back_all(after);
  if (after.status == OrderStatus::REFUNDED) return {};

  StockChanges changes;
  Quantities held = held_by(after), more = quantities_of(after);
  if (before != nullptr) {
    for (const auto& [product, quantity] : quantities_of(*before)) {
      std::int64_t& difference = more[product];
      difference -= quantity;
      if (difference < 0 && gives_back(*before, product)) {
        const std::int64_t back = std::min(-difference, held[product]);
        held[product] -= back;
        changes[product] = {-back, has_taken_keys(*before, product)};
      }
    }
  }
  for (const auto& [product, quantity] : more) {
    if (quantity <= 0 || !is_counted(products, product)) continue;
    const bool of_keys = is_keys(products, product);
    if (of_keys && before != nullptr && before->paid_at) throw order_is_paid();
    // What was held before the product had keys is no key.
    if (of_keys && !has_taken_keys(after, product)) held[product] = 0;
    held[product] += quantity;
    changes[product] = {quantity, of_keys};
  }
  hold(after, held, changes);
  return changes;
}

void change_stock(const ActionContext& context, const StockChanges& changes, const OrderedProducts& products) {
  for (const auto& [product, change] : changes) {
    const std::int64_t quantity = change.quantity;
    if (quantity == 0) continue;
    const auto stock =
        quantity > 0 ? take_stock(context.tx, context.tenant, products.at(product), quantity, context.now)
                     : give_back_stock(context.tx, context.tenant, product, -quantity, change.of_keys, context.now);
    if (stock) emit_stock_change(context, *stock, stock->stock_quantity + quantity);
  }
}

}  // namespace guildhall
