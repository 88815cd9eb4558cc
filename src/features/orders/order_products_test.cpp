// The items of an order take name, SKU and price from the catalog.
#include <fmt/format.h>

#include "features/orders/order_actions.h"
#include "support/round_trips.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item, test::order_of;
using Fields = std::vector<std::string>;

class OrderedFromCatalog : public test::OnEachPair {
 protected:
  std::string product(const std::string& sku, std::int64_t cents, const std::string& rest = "") {
    return created(shop, "product",
                   fmt::format(R"({{"name":"Product {0}","sku":"{0}","priceCents":{1}{2}}})", sku, cents, rest));
  }
  static std::string bare(const std::string& product, const std::string& rest = "") {
    return fmt::format(R"({{"productId":"{}","quantity":2{}}})", product, rest);
  }
  test::HttpReply place(const std::string& items, const std::string& rest = "") {
    return shop.post("/api/data/order", order_of(std::to_string(++number_), items, rest));
  }

  test::CheckedClient shop = server.admin();

 private:
  int number_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, OrderedFromCatalog, test::engines, test::engine_name);

TEST_P(OrderedFromCatalog, items_take_what_they_leave_out_from_the_product) {
  const std::string mug = product("MUG", 1250);
  const auto order = place(bare(mug) + "," + bare(mug, R"(,"name":"Cup","sku":" ","unitPriceCents":null)"));
  ASSERT_EQ(order.status, 201) << order.body;
  EXPECT_EQ(order.text("/items/0/name"), "Product MUG");
  EXPECT_EQ(order.text("/items/0/sku"), "MUG");
  EXPECT_EQ(order.integer("/items/0/unitPriceCents"), 1250);
  EXPECT_EQ(order.integer("/items/0/listPriceCents"), 1250);
  EXPECT_FALSE(order.boolean("/items/0/priceOverridden"));
  EXPECT_EQ(order.text("/items/1/name"), "Cup");
  EXPECT_EQ(order.text("/items/1/sku"), "MUG");
  EXPECT_EQ(order.integer("/totalCents"), 5000);
  EXPECT_EQ(shop.get("/api/data/order/" + order.text("/id")).body, order.body);
}

TEST_P(OrderedFromCatalog, another_price_is_taken_and_shown_as_overridden) {
  const std::string mug = product("MUG", 1250);
  const auto order = place(bare(mug, R"(,"unitPriceCents":1000)") + "," + item("unknown", 1, 5));
  ASSERT_EQ(order.status, 201) << order.body;
  EXPECT_EQ(order.integer("/totalCents"), 2005);
  EXPECT_EQ(order.integer("/items/0/listPriceCents"), 1250);
  EXPECT_TRUE(order.boolean("/items/0/priceOverridden"));
  EXPECT_TRUE(order.is_null("/items/1/listPriceCents"));
  EXPECT_FALSE(order.boolean("/items/1/priceOverridden"));
  const auto trace = shop.get("/api/data/order/" + order.text("/id") + "/pricing");
  EXPECT_EQ(trace.text("/steps/1/kind"), "OVERRIDE");
  EXPECT_EQ(trace.text("/steps/1/text"),
            "The price of Product MUG is $10.00 instead of the product's price of $12.50.");
  EXPECT_EQ(trace.integer("/steps/1/itemIndex"), 0);
  EXPECT_EQ(trace.text("/steps/2/kind"), "ITEM");
}

TEST_P(OrderedFromCatalog, fields_that_no_product_gives_are_required) {
  server.add_tenant("other");
  auto neighbour = server.admin("other");
  const std::string foreign = created(neighbour, "product", R"({"name":"Secret","sku":"S","priceCents":77})");
  const std::string mug = product("MUG", 1250);
  for (const std::string& id : {foreign, std::string("unknown")}) {
    const auto refused = place(bare(mug) + "," + bare(id) + "," + bare(id, R"(,"name":"n","unitPriceCents":1)"));
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.wrong_fields(),
              (Fields{"items[1].name", "items[1].sku", "items[1].unitPriceCents", "items[2].sku"}));
  }
  EXPECT_EQ(place(item(foreign, 1, 5)).integer("/totalCents"), 5) << "an item with all fields needs no product";
  EXPECT_EQ(place(R"({"quantity":1})").wrong_fields(),
            (Fields{"items[0].name", "items[0].productId", "items[0].sku", "items[0].unitPriceCents"}));
  const std::string order = "/api/data/order/" + place(bare(mug)).text("/id");
  EXPECT_EQ(shop.patch(order, R"({"items":[{"quantity":1}]})").wrong_fields(),
            (Fields{"items[0].name", "items[0].productId", "items[0].sku", "items[0].unitPriceCents"}));
  EXPECT_EQ(shop.patch(order, R"({"items":[)" + bare("unknown") + "]}").wrong_fields(),
            (Fields{"items[0].name", "items[0].sku", "items[0].unitPriceCents"}));
}

TEST_P(OrderedFromCatalog, a_price_in_another_currency_is_not_taken) {
  const std::string mug = product("MUG", 1250, R"(,"currency":"EUR")");
  const auto refused = place(bare(mug));
  EXPECT_EQ(refused.wrong_fields(), Fields{"items[0].unitPriceCents"});
  EXPECT_NE(refused.body.find("EUR"), std::string::npos) << refused.body;
  const auto by_hand = place(bare(mug, R"(,"unitPriceCents":1300)"));
  EXPECT_EQ(by_hand.text("/items/0/name"), "Product MUG");
  EXPECT_TRUE(by_hand.is_null("/items/0/listPriceCents")) << "the prices cannot be compared";
  const auto order = place(bare(mug), R"(,"currency":"EUR")");
  EXPECT_EQ(order.integer("/items/0/listPriceCents"), 1250);
  const auto moved = shop.patch("/api/data/order/" + order.text("/id"), R"({"currency":"USD"})");
  EXPECT_EQ(moved.text("/items/0/currency"), "USD");
  EXPECT_TRUE(moved.is_null("/items/0/listPriceCents"));
}

TEST_P(OrderedFromCatalog, an_item_keeps_the_product_price_of_its_time) {
  const std::string mug = product("MUG", 1250);
  const std::string path = "/api/data/order/" + place(bare(mug, R"(,"unitPriceCents":1000)")).text("/id");
  ASSERT_EQ(shop.patch("/api/data/product/" + mug, R"({"priceCents":2000})").status, 200);
  const auto present = shop.get(path);
  const auto echoed = shop.patch(path, present.body);
  EXPECT_EQ(echoed.body, present.body) << "nothing has changed, so nothing is written";
  EXPECT_EQ(echoed.header("etag"), present.header("etag"));
  EXPECT_EQ(shop.patch(path, R"({"items":[)" + bare(mug, R"(,"unitPriceCents":900)") + "]}")
                .integer("/items/0/listPriceCents"),
            2000);
  EXPECT_EQ(shop.patch(path, R"({"items":[)" + bare(mug) + "]}").integer("/totalCents"), 4000);
}

TEST_P(OrderedFromCatalog, stock_is_taken_as_for_explicit_prices) {
  const std::string mug = product("MUG", 100, R"(,"stockQuantity":3)");
  const std::string path = "/api/data/order/" + place(bare(mug)).text("/id");
  EXPECT_EQ(test::stock_of(shop, mug), 1);
  EXPECT_EQ(place(bare(mug)).code(), "OUT_OF_STOCK");
  EXPECT_EQ(shop.patch(path, R"({"items":[{"productId":")" + mug + R"(","quantity":3}]})").status, 200);
  EXPECT_EQ(test::stock_of(shop, mug), 0);
  EXPECT_EQ(shop.patch(path, R"({"status":"CANCELLED"})").status, 200);
  EXPECT_EQ(test::stock_of(shop, mug), 3);
}

TEST_P(OrderedFromCatalog, short_items_cannot_make_a_large_order) {
  const std::string mug =
      created(shop, "product", fmt::format(R"({{"name":"{}","sku":"M","priceCents":1}})", std::string(9'000, 'x')));
  const auto many = [&](int count) {
    std::string items = bare(mug);
    for (int i = 1; i < count; ++i) items += "," + bare(mug);
    return items;
  };
  EXPECT_EQ(place(many(25)).status, 201);
  for (const int count : {29, 1000}) EXPECT_EQ(place(many(count)).code(), "RECORD_TOO_LARGE") << count;
  const std::string order = "/api/data/order/" + place(bare(mug)).text("/id");
  for (const int count : {29, 1000}) {
    EXPECT_EQ(shop.patch(order, R"({"items":[)" + many(count) + "]}").code(), "RECORD_TOO_LARGE") << count;
  }
}

// Counts the statements that wait for a result.
class CountingTx : public Tx {
 public:
  explicit CountingTx(Tx& tx) : tx_(tx) {}
  using Tx::run;
  std::int64_t run(const Query& query, RowSink sink) override {
    ++awaited;
    return tx_.run(query, sink);
  }
  using Tx::later;
  void later(Query query, Refused refused) override { tx_.later(std::move(query), std::move(refused)); }
  bool has_single_writer() const override { return tx_.has_single_writer(); }

  int awaited = 0;

 private:
  void run_script(std::string_view) override { throw std::logic_error("not used"); }
  void lift_time_limits() override {}

  Tx& tx_;
};

TEST_P(OrderedFromCatalog, a_product_is_read_once_for_price_and_stock) {
  const std::string mug = product("MUG", 100), pin = product("PIN", 100);
  int number = 0;
  const auto awaited = [&](const std::string& items) {
    int count = 0;
    server.write([&](Tx& tx) {
      CountingTx counting(tx);
      const auto input = from_json<NewOrder>(order_of("counted " + std::to_string(++number), items));
      place_order({counting, Events(), TenantId(std::string("default")), {}, now()}, input);
      count = counting.awaited;
    });
    return count;
  };
  const int unknown = awaited(item("p", 1, 1) + "," + item("q", 1, 1));
  EXPECT_EQ(awaited(item(mug, 1, 1) + "," + item(pin, 1, 1)), unknown);
  EXPECT_EQ(awaited(bare(mug) + "," + bare(pin)), unknown);
  if (GetParam() == test::Engine::postgresql) EXPECT_EQ(unknown, 1) << "one round trip besides the commit";
}

class OrderRoundTrips : public OrderedFromCatalog {};
INSTANTIATE_TEST_SUITE_P(Pairs, OrderRoundTrips, ::testing::Values(test::Engine::postgresql), test::engine_name);

// Besides what is read before the transaction, together with the reads of other requests.
TEST_P(OrderRoundTrips, an_order_with_counted_stock_needs_one_and_becomes_paid_with_three) {
  const std::string counted = R"(,"inventoryTracked":true,"stockQuantity":1000)";
  const std::string items = bare(product("MUG", 100, counted)) + "," + bare(product("PIN", 100, counted));
  const auto nothing = [] {};
  int key = 0;
  std::string order;
  EXPECT_EQ(test::fewest_round_trips(server, nothing, [&] { order = place(items).text("/id"); }), 1);
  EXPECT_EQ(test::fewest_round_trips(server, nothing, [&] { place(items, R"(,"status":"PAID")"); }), 1);
  EXPECT_EQ(test::fewest_round_trips(
                server, nothing,
                [&] {
                  const std::string body = order_of("keyed " + std::to_string(++key), items);
                  const auto reply = shop.post("/api/data/order", body, {{"Idempotency-Key", std::to_string(key)}});
                  EXPECT_EQ(reply.status, 201) << reply.body;
                }),
            1);
  const auto place_another = [&] { order = place(items).text("/id"); };
  const auto pay = [&] { EXPECT_EQ(shop.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200); };
  EXPECT_EQ(test::fewest_round_trips(server, place_another, pay), 3);
}

}  // namespace
}  // namespace guildhall
