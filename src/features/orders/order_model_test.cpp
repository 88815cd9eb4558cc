// Random sequences of creations, changes, moves and deletions, against a model of a few lines.
#include <map>
#include <rapidcheck.h>

#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "features/discounts/discount_actions.h"
#include "features/discounts/discount_store.h"
#include "features/orders/open_orders.h"
#include "features/orders/order_actions.h"
#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

using enum OrderStatus;

constexpr std::int64_t unit_price = 105, stock_at_first = 12, uses_at_most = 3;
const TenantId shop{std::string("shop")};
const Actor tester{ActorKind::SYSTEM, "test", ""};

// The contract in its simplest form.
struct ModelOrder {
  OrderStatus status = PENDING_PAYMENT;
  std::int64_t quantity = 0;
  std::int64_t held = 0;
  bool discounted = false, use_held = false;

  std::int64_t total() const {
    const std::int64_t subtotal = quantity * unit_price;
    return discounted ? subtotal - (subtotal + 5) / 10 : subtotal;  // 10 %, half up
  }
};

struct Model {
  std::map<std::string, ModelOrder> orders;
  std::int64_t stock = stock_at_first, uses = 0;

  bool create(const std::string& id, OrderStatus status, std::int64_t quantity, bool discounted) {
    const bool alive = status != CANCELLED && status != REFUNDED;
    if (discounted && uses >= uses_at_most) return false;
    if (alive && quantity > stock) return false;
    orders[id] = {status, quantity, alive ? quantity : 0, discounted, alive && discounted};
    if (alive) stock -= quantity;
    if (alive && discounted) ++uses;
    return true;
  }

  bool set_quantity(ModelOrder& order, std::int64_t quantity) {
    if (order.status != CANCELLED && order.status != REFUNDED) {
      const std::int64_t more = quantity - order.quantity;
      if (more > stock) return false;
      stock -= more;
      order.held += more;
    }
    order.quantity = quantity;
    return true;
  }

  bool set_discount(ModelOrder& order, bool discounted) {
    if (discounted && !order.discounted && uses >= uses_at_most) return false;
    if (discounted != order.discounted && order.status != CANCELLED && order.status != REFUNDED) {
      uses += discounted ? 1 : -1;
      order.use_held = discounted;
    }
    order.discounted = discounted;
    return true;
  }

  bool move(ModelOrder& order, OrderStatus to) {
    if (!may_move(order.status, to)) return false;
    if (to == CANCELLED && order.status != CANCELLED) {
      stock += std::exchange(order.held, 0);
      if (order.status == PENDING_PAYMENT && std::exchange(order.use_held, false)) --uses;
    }
    order.status = to;
    return true;
  }

  void erase(const std::string& id) {
    const ModelOrder order = orders[id];
    if (order.status == PENDING_PAYMENT) {
      stock += order.held;
      if (order.use_held) --uses;
    }
    orders.erase(id);
  }
};

class OrderModel : public test::OnEachEngine {
 protected:
  OrderModel() { migrate(*storage); }

  template <class Body>
  auto in_transaction(Body body) {
    std::optional<std::invoke_result_t<Body&, Tx&>> result;
    storage->write_now([&](Tx& tx) { result.emplace(body(tx)); });
    return std::move(*result);
  }

  // Each sequence has a product and a discount of its own.
  void begin() {
    const std::string name = make_uuid(now());
    product = in_transaction([&](Tx& tx) {
      const auto input = from_json<NewProduct>(
          fmt::format(R"({{"name":"n","sku":"{}","priceCents":1,"stockQuantity":{}}})", name, stock_at_first));
      return create_product({tx, Events(), shop, tester, now()}, input).id;
    });
    code = name;
    discount = in_transaction([&](Tx& tx) {
      const auto input = from_json<NewDiscount>(fmt::format(
          R"({{"code":"{}","type":"PERCENT","percent":10,"lifecycle":{{"usageLimit":{}}}}})", code, uses_at_most));
      return create_discount({tx, Events(), shop, tester, now()}, input).id;
    });
  }

  std::string items(std::int64_t quantity) const {
    return fmt::format(R"([{{"productId":"{}","name":"n","sku":"s","quantity":{},"unitPriceCents":{}}}])",
                       product.text(), quantity, unit_price);
  }

  // The order's id, or nothing if it was refused.
  std::optional<std::string> create(OrderStatus status, std::int64_t quantity, bool discounted) {
    const auto input = from_json<NewOrder>(
        fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"n"}},"items":{},"status":"{}"{}}})", make_uuid(now()),
                    items(quantity), name_of(status), discounted ? fmt::format(R"(,"discountCode":"{}")", code) : ""));
    return unless_refused<std::string>([&](Tx& tx) {
      return place_order({tx, events, shop, tester, now()}, input).id.text();
    });
  }

  std::optional<Order> change(const std::string& id, const std::string& patch) {
    const auto input = from_json<OrderPatch>(patch);
    return unless_refused<Order>([&](Tx& tx) {
      return change_order({tx, events, shop, tester, now()}, OrderId(id), input, [](const Order&) {});
    });
  }

  template <class Result, class Body>
  std::optional<Result> unless_refused(Body body) {
    try {
      return in_transaction(body);
    } catch (const Failure& failure) {
      if (failure.kind != Failure::Kind::invalid) throw;
      return std::nullopt;
    }
  }

  void compare(const Model& model) {
    const auto stored = in_transaction([&](Tx& tx) { return tx.one(product_by_id(shop, product)).value(); });
    RC_ASSERT(stored.stock_quantity.value() == model.stock);
    const auto used = in_transaction([&](Tx& tx) { return tx.one(discount_by_id(shop, discount)).value(); });
    RC_ASSERT(used.usage_count == model.uses);
  }

  void step(Model& model);

  Events events;
  ProductId product;
  DiscountId discount;
  std::string code;
};
INSTANTIATE_TEST_SUITE_P(Engines, OrderModel, test::engines, test::engine_name);

void OrderModel::step(Model& model) {
  const auto kind = *rc::gen::inRange(0, 10);
  const auto quantity = *rc::gen::inRange<std::int64_t>(1, 8);
  const auto status = static_cast<OrderStatus>(*rc::gen::inRange(0, 7));
  const bool discounted = *rc::gen::arbitrary<bool>();
  if (kind < 4 || model.orders.empty()) {
    const OrderStatus initial = kind == 0 ? status : PENDING_PAYMENT;
    const auto id = create(initial, quantity, discounted);
    RC_ASSERT(model.create(id.value_or("refused"), initial, quantity, discounted) == id.has_value());
    return;
  }
  const auto at = *rc::gen::inRange<std::size_t>(0, model.orders.size());
  auto& [id, order] = *std::next(model.orders.begin(), static_cast<std::ptrdiff_t>(at));
  if (kind == 9) {
    in_transaction([&, &order_id = id](Tx& tx) {
      delete_order({tx, events, shop, tester, now()}, OrderId(order_id), [](const Order&) {});
      return true;
    });
    model.erase(std::string(id));
    return;
  }
  const std::string patch = kind == 8   ? fmt::format(R"({{"items":{}}})", items(quantity))
                            : kind == 7 ? (discounted ? fmt::format(R"({{"discountCode":"{}"}})", code)
                                                      : std::string(R"({"discountCode":null})"))
                                        : fmt::format(R"({{"status":"{}"}})", name_of(status));
  const auto changed = change(id, patch);
  const bool expected = kind == 8   ? model.set_quantity(order, quantity)
                        : kind == 7 ? model.set_discount(order, discounted)
                                    : model.move(order, status);
  RC_ASSERT(changed.has_value() == expected);
  if (changed) RC_ASSERT(changed->total_cents.value() == order.total());
  if (changed) RC_ASSERT(changed->status == order.status);
}

TEST_P(OrderModel, agrees_with_every_reply_and_with_what_is_stored_in_the_end) {
  std::map<OrderStatus, std::int64_t> expected;
  EXPECT_TRUE(rc::check([&] {
    begin();
    Model model;
    const auto steps = *rc::gen::inRange(1, 25);
    for (int i = 0; i < steps; ++i) {
      step(model);
    }
    compare(model);
    for (const auto& [id, order] : model.orders) ++expected[order.status];
  }));
  std::map<OrderStatus, std::int64_t> counted_orders;
  for (const StatusCount& count : in_transaction([](Tx& tx) { return tx.all(order_counts(shop)); })) {
    if (count.orders != 0) counted_orders[count.status] = count.orders;
  }
  EXPECT_EQ(counted_orders, expected);
}

}  // namespace
}  // namespace guildhall
