#include "features/orders/order_expiry_job.h"

#include <thread>

#include "features/orders/order_actions.h"
#include "features/orders/order_expiry.h"
#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item, test::order_of;

class UnpaidOrders : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, UnpaidOrders, test::engines, test::engine_name);

TEST_P(UnpaidOrders, expire_when_nobody_pays) {
  const std::string mug = test::product_with_stock(shop, "MUG", 5);
  const std::string once =
      created(shop, "discount", R"({"code":"o","type":"PERCENT","percent":1,"lifecycle":{"usageLimit":1}})");
  const std::string unpaid =
      "/api/data/order/" + created(shop, "order", order_of("1", item(mug, 2, 1), R"(,"discountCode":"o")"));
  const std::string paid =
      "/api/data/order/" + created(shop, "order", order_of("2", item(mug, 1, 1), R"(,"status":"PAID")"));
  const auto expire = [&](std::int64_t default_minutes, std::chrono::minutes later) {
    return expire_unpaid_orders(server.storage(), Events(), default_minutes, now() + later);
  };
  EXPECT_EQ(expire(0, std::chrono::minutes(60)), 0);  // off by default
  EXPECT_EQ(expire(90, std::chrono::minutes(60)), 0);
  EXPECT_EQ(shop.put("/api/admin/settings", R"({"orderExpiryMinutes":-1})").status, 400);
  EXPECT_EQ(shop.get("/api/admin/settings").integer("/effectiveOrderExpiryMinutes"), 0);
  EXPECT_EQ(shop.put("/api/admin/settings", R"({"orderExpiryMinutes":30})").integer("/orderExpiryMinutes"), 30);
  EXPECT_EQ(expire(0, std::chrono::minutes(29)), 0);
  EXPECT_EQ(expire(0, std::chrono::minutes(31)), 1);
  EXPECT_EQ(expire(0, std::chrono::minutes(31)), 0);
  EXPECT_EQ(shop.get(unpaid).text("/status"), "CANCELLED");
  EXPECT_EQ(shop.get(paid).text("/status"), "PAID");
  EXPECT_EQ(test::stock_of(shop, mug), 4);
  EXPECT_EQ(test::uses_of(shop, once), 0);
  EXPECT_EQ(shop.get(unpaid + "/timeline").text("/items/3/kind"), "EXPIRED");
  EXPECT_EQ(shop.put("/api/admin/settings", R"({"orderExpiryMinutes":null})").status, 200);
  EXPECT_EQ(shop.get("/api/data/order/open/summary").integer("/byStatus/PENDING_PAYMENT"), 0);
}

TEST_P(UnpaidOrders, that_are_paid_at_the_last_moment_are_either_paid_or_expired) {
  const TenantId tenant{std::string("default")};
  for (int round = 0; round < 20; ++round) {
    const OrderId id(created(shop, "order", order_of(std::to_string(round), item("p", 1, 1))));
    bool expired = false, paid = true;
    std::thread expiry([&] {
      server.write([&](Tx& tx) { expired = expire_order({tx, Events(), tenant, order_expiry_actor(), now()}, id); });
    });
    try {
      server.write([&](Tx& tx) { move_order({tx, Events(), tenant, {}, now()}, id, OrderStatus::PAID); });
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code, "INVALID_TRANSITION");
      paid = false;
    }
    expiry.join();
    EXPECT_NE(expired, paid);
    EXPECT_EQ(shop.get("/api/data/order/" + id.text()).text("/status"), paid ? "PAID" : "CANCELLED");
  }
}

}  // namespace
}  // namespace guildhall
