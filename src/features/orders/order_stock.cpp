#include "features/orders/order_stock.h"

#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"

namespace guildhall {
namespace {

// More than any stock can hold, and small enough that sums do not overflow.
constexpr std::int64_t beyond_any_stock = std::int64_t{1} << 60;

StockChanges quantities_of(const Order& order) {
  StockChanges quantities;
  for (const OrderItem& item : order.items) {
    std::int64_t& sum = quantities[item.product_id];
    sum = std::min(sum + item.quantity, beyond_any_stock);
  }
  return quantities;
}

StockChanges held_by(const Order& order) {
  StockChanges held;
  for (const StockTaken& taken : order.stock_taken.value) held[taken.product_id] = taken.quantity;
  return held;
}

void hold(Order& order, const StockChanges& held) {
  order.stock_taken.value.clear();
  for (const auto& [product, quantity] : held) {
    if (quantity > 0) order.stock_taken.value.push_back({product, quantity});
  }
}

bool is_counted(const OrderedProducts& products, const ProductId& id) {
  const auto product = products.find(id);
  return product != products.end() && product->second.stock.has_value();
}

}  // namespace

StockChanges give_back_all(Order& order) {
  StockChanges changes;
  for (const auto& [product, quantity] : held_by(order)) changes[product] = -quantity;
  order.stock_taken.value.clear();
  return changes;
}

StockChanges plan_stock(const OrderedProducts& products, const Order* before, Order& after) {
  if (before != nullptr && !is_alive(before->status)) return {};
  if (after.status == OrderStatus::CANCELLED) return give_back_all(after);
  if (after.status == OrderStatus::REFUNDED) return {};

  StockChanges held = held_by(after), more = quantities_of(after), changes;
  if (before != nullptr) {
    for (const auto& [product, quantity] : quantities_of(*before)) {
      std::int64_t& difference = more[product];
      difference -= quantity;
      if (difference < 0 && held.contains(product)) {
        const std::int64_t back = std::min(-difference, held[product]);
        held[product] -= back;
        changes[product] = -back;
      }
    }
  }
  for (const auto& [product, quantity] : more) {
    if (quantity <= 0 || !is_counted(products, product)) continue;
    held[product] += quantity;
    changes[product] = quantity;
  }
  hold(after, held);
  return changes;
}

void change_stock(const ActionContext& context, const StockChanges& changes, const OrderedProducts& products) {
  for (const auto& [product, quantity] : changes) {
    if (quantity == 0) continue;
    const auto stock = quantity > 0
                           ? take_stock(context.tx, context.tenant, products.at(product), quantity, context.now)
                           : give_back_stock(context.tx, context.tenant, product, -quantity, context.now);
    if (stock) emit_stock_change(context, *stock, stock->stock_quantity + quantity);
  }
}

}  // namespace guildhall
