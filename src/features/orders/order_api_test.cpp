#include "api/idempotency.h"
#include "support/emitted_events.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item, test::order_of, test::stock_of, test::uses_of;

class Orders : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();

  std::string place(const std::string& number, const std::string& items, const std::string& rest = "") {
    return "/api/data/order/" + created(shop, "order", order_of(number, items, rest));
  }

  // The names of all emitted events, in order: "order.created order.paid".
  // Without those of changes that no other event tells.
  std::string events() {
    auto names = test::emitted_events(server);
    std::erase(names, "order.updated");
    return fmt::format("{}", fmt::join(names, " "));
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, Orders, test::engines, test::engine_name);

TEST_P(Orders, are_priced_stored_read_listed_and_hidden) {
  const std::string body = order_of("A-1", item("p1", 2, 1250) + "," + item("p2", 1, 333),
                                    R"(,"totalCents":1,"notes":null,"shippingAddress":{"any":["shape",1.5]},)"
                                    R"("customerId":"c1","customerRoleIds":["r"],"anonymousContribution":true)");
  const auto made = shop.post("/api/data/order", body);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.integer("/subtotalCents"), 2833);
  EXPECT_EQ(made.integer("/totalCents"), 2833);
  EXPECT_EQ(made.integer("/discountAmountCents"), 0);
  EXPECT_EQ(made.integer("/taxAmountCents"), 0);
  EXPECT_EQ(made.text("/status"), "PENDING_PAYMENT");
  EXPECT_EQ(made.text("/shippingStatus"), "PENDING");
  EXPECT_EQ(made.text("/items/0/currency"), "USD");
  EXPECT_EQ(made.text("/shippingAddress/any/0"), "shape");
  EXPECT_TRUE(made.boolean("/anonymousContribution"));
  const std::string path = "/api/data/order/" + made.text("/id");
  EXPECT_EQ(shop.get(path).body, made.body);
  EXPECT_EQ(shop.get("/api/data/order").text("/items/0/id"), made.text("/id"));

  EXPECT_EQ(shop.post("/api/data/order", body).code(), "ORDER_NUMBER_TAKEN");
  EXPECT_EQ(shop.del(path, {{"If-Match", "\"9\""}}).status, 412);
  EXPECT_EQ(shop.del(path).status, 204);
  for (const auto& gone : {shop.get(path), shop.del(path), shop.patch(path, "{}"), shop.get(path + "/pricing"),
                           shop.get(path + "/timeline")}) {
    EXPECT_EQ(gone.status, 404);
  }
  EXPECT_EQ(shop.get("/api/data/order").size("/items"), 0u);
  EXPECT_EQ(shop.post("/api/data/order", body).status, 201);
}

TEST_P(Orders, name_every_wrong_field) {
  const auto refused =
      shop.post("/api/data/order",
                R"({"orderNumber":" ","customer":{"email":"x"},"currency":"usd","status":"NEW","shippingAddress":[],)"
                R"("items":[{"productId":"p","name":"n","sku":"s","quantity":0,"unitPriceCents":-1},{}]})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.wrong_fields(),
            (std::vector<std::string>{"currency", "customer.email", "customer.name", "items[0].quantity",
                                      "items[0].unitPriceCents", "items[1].name", "items[1].productId",
                                      "items[1].quantity", "items[1].sku", "items[1].unitPriceCents", "orderNumber",
                                      "shippingAddress", "status"}));
  EXPECT_NE(refused.body.find("must be a positive integer"), std::string::npos);
  EXPECT_EQ(shop.post("/api/data/order", order_of("1", "")).wrong_fields(), std::vector<std::string>{"items"});
  EXPECT_EQ(shop.post("/api/data/order", order_of("1", item("p", 1, 1), R"(,"currency":"XXX")")).wrong_fields(),
            std::vector<std::string>{"currency"});
  const std::string euro = R"({"productId":"p","name":"n","sku":"s","quantity":1,"unitPriceCents":1,"currency":"EUR"})";
  EXPECT_EQ(shop.post("/api/data/order", order_of("1", item("p", 1, 1) + "," + euro)).wrong_fields(),
            std::vector<std::string>{"items[1].currency"});
  EXPECT_EQ(shop.post("/api/data/order", order_of("1", euro, R"(,"currency":"EUR")")).status, 201);
  const auto huge = shop.post("/api/data/order", order_of("2", item("p", 9007199254740991, 2)));
  EXPECT_EQ(huge.status, 400);
  EXPECT_EQ(huge.code(), "AMOUNT_OUT_OF_RANGE");
}

TEST_P(Orders, recompute_what_a_patch_does_not_set_itself) {
  const std::string path = place("1", item("p", 1, 1000));
  const auto total = [&](const std::string& patch) {
    const auto reply = shop.patch(path, patch);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return fmt::format("{}-{}+{}={}", reply.integer("/subtotalCents"), reply.integer("/discountAmountCents"),
                       reply.integer("/taxAmountCents"), reply.integer("/totalCents"));
  };
  created(shop, "discount", R"({"code":"ten","type":"PERCENT","percent":10})");
  EXPECT_EQ(total(R"({"taxAmountCents":70})"), "1000-0+70=1070");
  EXPECT_EQ(total(R"({"discountCode":"TEN"})"), "1000-100+70=970");
  EXPECT_EQ(total(R"({"items":[)" + item("p", 2, 1000) + "]}"), "2000-200+70=1870");
  EXPECT_EQ(total(R"({"totalCents":1})"), "2000-200+70=1");
  EXPECT_EQ(total(R"({"notes":"kept"})"), "2000-200+70=1");
  EXPECT_EQ(total(R"({"taxAmountCents":0})"), "2000-200+0=1800");
  EXPECT_EQ(total(R"({"discountAmountCents":500})"), "2000-500+0=1500");
  EXPECT_EQ(total(R"({"items":[)" + item("p", 3, 1000) + R"(],"totalCents":5})"), "3000-300+0=5");
  EXPECT_EQ(total(R"({"discountCode":null})"), "3000-0+0=3000");
  EXPECT_EQ(shop.patch(path, R"({"discountAmountCents":3001})").code(), "AMOUNT_OUT_OF_RANGE");
  EXPECT_EQ(shop.patch(path, R"({"items":[]})").wrong_fields(), std::vector<std::string>{"items"});
  EXPECT_EQ(shop.patch(path, R"({"items":null,"status":null,"customer":null})").wrong_fields(),
            (std::vector<std::string>{"customer", "items", "status"}));
}

TEST_P(Orders, say_why_a_discount_is_refused) {
  created(shop, "discount", R"({"code":"off","type":"PERCENT","percent":1,"lifecycle":{"isActive":false}})");
  created(shop, "discount",
          R"({"code":"soon","type":"PERCENT","percent":1,"lifecycle":{"startsAt":"2999-01-01T00:00:00Z"}})");
  created(shop, "discount",
          R"({"code":"past","type":"PERCENT","percent":1,"lifecycle":{"endsAt":"2020-01-01T00:00:00Z"}})");
  created(shop, "discount", R"({"code":"once","type":"PERCENT","percent":1,"lifecycle":{"usageLimit":1}})");
  created(shop, "discount", R"({"code":"vip","type":"PERCENT","percent":1,"scope":{"roleIds":["vip"]}})");
  created(shop, "discount", R"({"code":"euro","type":"AMOUNT","amountCents":1,"currency":"EUR"})");
  place("0", item("p", 1, 100), R"(,"discountCode":"ONCE")");
  const std::pair<const char*, const char*> cases[] = {
      {"none", "DISCOUNT_NOT_FOUND"},   {"off", "DISCOUNT_INACTIVE"},       {"soon", "DISCOUNT_NOT_STARTED"},
      {"past", "DISCOUNT_EXPIRED"},     {"once", "DISCOUNT_LIMIT_REACHED"}, {"vip", "DISCOUNT_NOT_ELIGIBLE"},
      {"euro", "DISCOUNT_NOT_ELIGIBLE"}};
  const std::string path = place("1", item("p", 1, 100));
  for (const auto& [code, expected] : cases) {
    const std::string rest = fmt::format(R"(,"discountCode":"{}")", code);
    const auto refused = shop.post("/api/data/order", order_of("2", item("p", 1, 100), rest));
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.code(), expected);
    EXPECT_EQ(shop.patch(path, fmt::format(R"({{"discountCode":"{}"}})", code)).code(), expected);
  }
  EXPECT_EQ(shop.post("/api/data/order",
                      order_of("2", item("p", 1, 100), R"(,"discountCode":"vip","customerRoleIds":["vip"])"))
                .status,
            201);
}

TEST_P(Orders, hold_a_use_of_their_discount_until_it_is_given_back_or_paid) {
  const std::string a = created(shop, "discount", R"({"code":"a","type":"PERCENT","percent":10})");
  const std::string b = created(shop, "discount", R"({"code":"b","type":"AMOUNT","amountCents":5})");
  const std::string one = item("p", 1, 100);
  const std::string moved = place("1", one, R"(,"discountCode":"A")");
  EXPECT_EQ(shop.patch(moved, R"({"discountCode":"b"})").integer("/discountAmountCents"), 5);
  EXPECT_EQ(uses_of(shop, a), 0);
  EXPECT_EQ(uses_of(shop, b), 1);
  EXPECT_EQ(shop.patch(moved, fmt::format(R"({{"discountId":"{}"}})", a)).text("/discountCode"), "a");
  EXPECT_EQ(uses_of(shop, a), 1);
  EXPECT_EQ(uses_of(shop, b), 0);
  EXPECT_TRUE(shop.patch(moved, R"({"discountId":null})").is_null("/discountCode"));
  EXPECT_EQ(uses_of(shop, a), 0);

  const std::string cancelled = place("2", one, R"(,"discountCode":"a")");
  const std::string deleted = place("3", one, R"(,"discountCode":"a")");
  const std::string paid = place("4", one, R"(,"discountCode":"a")");
  place("5", one, R"(,"discountCode":"a","status":"CANCELLED")");
  place("6", one, R"(,"discountCode":"a","status":"REFUNDED")");
  EXPECT_EQ(uses_of(shop, a), 3);
  EXPECT_EQ(shop.patch(cancelled, R"({"status":"CANCELLED"})").status, 200);
  EXPECT_EQ(shop.del(deleted).status, 204);
  EXPECT_EQ(uses_of(shop, a), 1);
  EXPECT_EQ(shop.patch(paid, R"({"status":"PAID"})").status, 200);
  EXPECT_EQ(shop.patch(paid, R"({"status":"CANCELLED"})").status, 200);
  EXPECT_EQ(shop.del(paid).status, 204);
  EXPECT_EQ(uses_of(shop, a), 1);
}

TEST_P(Orders, take_stock_and_give_it_back) {
  const std::string mug = test::product_with_stock(shop, "MUG", 10), pin = test::product_with_stock(shop, "PIN", 10);
  const std::string free =
      created(shop, "product", R"({"name":"n","sku":"f","priceCents":1,"stockQuantity":0,"inventoryTracked":false})");
  const std::string path = place("1", item(mug, 2, 100) + "," + item(mug, 1, 100) + "," + item(free, 9, 1));
  EXPECT_EQ(stock_of(shop, mug), 7);
  EXPECT_EQ(shop.patch(path, R"({"items":[)" + item(mug, 5, 1) + "," + item(pin, 4, 1) + "]}").status, 200);
  EXPECT_EQ(stock_of(shop, mug), 5);
  EXPECT_EQ(stock_of(shop, pin), 6);
  const auto refused = shop.patch(path, R"({"items":[)" + item(mug, 11, 1) + "]}");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "OUT_OF_STOCK");
  EXPECT_EQ(stock_of(shop, pin), 6);
  EXPECT_EQ(shop.post("/api/data/order", order_of("2", item(mug, 6, 1))).code(), "OUT_OF_STOCK");
  EXPECT_EQ(shop.get("/api/data/order").size("/items"), 1u);  // the refused one left nothing behind

  EXPECT_EQ(shop.patch(path, R"({"status":"PAID"})").status, 200);
  EXPECT_EQ(shop.patch(path, R"({"status":"CANCELLED"})").status, 200);  // a paid one gives its stock back, too
  EXPECT_EQ(stock_of(shop, mug), 10);
  EXPECT_EQ(stock_of(shop, pin), 10);
  const std::string refunded = place("3", item(mug, 1, 1), R"(,"status":"PAID")");
  EXPECT_EQ(shop.patch(refunded, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(stock_of(shop, mug), 9);  // a refund does not
  EXPECT_EQ(shop.del(place("4", item(mug, 1, 1), R"(,"status":"PAID")")).status, 204);
  EXPECT_EQ(stock_of(shop, mug), 8);  // nor does deleting a paid one
  EXPECT_EQ(shop.del(place("5", item(mug, 1, 1))).status, 204);
  place("6", item(mug, 1, 1), R"(,"status":"CANCELLED")");
  EXPECT_EQ(stock_of(shop, mug), 8);
  EXPECT_EQ(stock_of(shop, free), 0);
}

TEST_P(Orders, never_give_back_more_than_a_stock_can_be) {
  const std::string mug = test::product_with_stock(shop, "MUG", 0);
  std::vector<std::string> orders;
  for (const char* number : {"1", "2", "3"}) {
    const auto filled =
        shop.patch("/api/data/product/" + mug, fmt::format(R"({{"stockQuantity":{}}})", safe_integer_max));
    ASSERT_EQ(filled.status, 200) << filled.body;
    orders.push_back(place(number, item(mug, safe_integer_max, 0)));
  }
  EXPECT_EQ(stock_of(shop, mug), 0);
  for (const std::string& path : orders) {
    EXPECT_EQ(shop.patch(path, R"({"status":"CANCELLED"})").status, 200);
    EXPECT_EQ(stock_of(shop, mug), safe_integer_max);
  }
}

TEST_P(Orders, move_and_emit) {
  place("0", item("p", 1, 1));
  EXPECT_EQ(events(), "") << "nobody listens";
  test::listen_to_events(server);
  const std::string path = place("1", item("p", 1, 1));
  EXPECT_EQ(events(), "order.created");
  EXPECT_TRUE(shop.get(path).is_null("/paidAt"));
  EXPECT_EQ(shop.patch(path, R"({"status":"SHIPPED","trackingNumber":"t"})").status, 200);
  EXPECT_EQ(events(), "order.created order.paid order.shipped shipment.shipped");
  EXPECT_FALSE(shop.get(path).is_null("/paidAt"));
  EXPECT_EQ(shop.patch(path, R"({"status":"SHIPPED"})").status, 200);  // no move
  const auto back = shop.patch(path, R"({"status":"PAID"})");
  EXPECT_EQ(back.status, 400);
  EXPECT_EQ(back.code(), "INVALID_TRANSITION");
  EXPECT_EQ(shop.patch(path, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(events(),
            "order.created order.paid order.shipped shipment.shipped refund.created refund.completed order.refunded");
  place("2", item("p", 1, 1), R"(,"status":"SHIPPED")");
  EXPECT_TRUE(events().ends_with(" order.created order.paid order.shipped shipment.shipped"));
  place("3", item("p", 1, 1), R"(,"status":"CANCELLED")");
  EXPECT_TRUE(events().ends_with(" shipment.shipped order.created"));
}

TEST_P(Orders, are_announced_as_shipped_once_whichever_status_says_so_first) {
  test::listen_to_events(server);
  const std::string path = place("1", item("p", 1, 1));
  EXPECT_EQ(shop.patch(path, R"({"shippingStatus":"SHIPPED"})").status, 200);
  EXPECT_EQ(events(), "order.created order.shipped shipment.shipped");
  EXPECT_EQ(shop.patch(path, R"({"shippingStatus":"PENDING"})").status, 200);
  EXPECT_EQ(shop.patch(path, R"({"shippingStatus":"SHIPPED"})").status, 200);
  EXPECT_EQ(shop.patch(path, R"({"status":"SHIPPED"})").status, 200);
  EXPECT_EQ(events(), "order.created order.shipped shipment.shipped order.paid");
  const std::string other = place("2", item("p", 1, 1));
  EXPECT_EQ(shop.patch(other, R"({"status":"SHIPPED"})").status, 200);
  EXPECT_EQ(shop.patch(other, R"({"shippingStatus":"SHIPPED"})").status, 200);
  EXPECT_TRUE(events().ends_with(" order.paid order.created order.paid order.shipped shipment.shipped")) << events();
  place("3", item("p", 1, 1), R"(,"shippingStatus":"SHIPPED")");
  EXPECT_TRUE(events().ends_with(" order.created order.shipped shipment.shipped")) << events();
}

TEST_P(Orders, answer_once_for_a_key_and_keep_updates_apart_by_etag) {
  const std::string body = order_of("1", item("p", 1, 1));
  const auto first = shop.post("/api/data/order", body, {{"Idempotency-Key", "k"}});
  const auto again = shop.post("/api/data/order", body, {{"Idempotency-Key", "k"}});
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("idempotent-replayed"), "true");
  EXPECT_EQ(shop.post("/api/data/order", order_of("2", item("p", 1, 1)), {{"Idempotency-Key", "k"}}).status, 409);
  const std::string path = "/api/data/order/" + first.text("/id"), tag = first.header("etag");
  EXPECT_EQ(shop.patch(path, R"({"notes":"a"})", {{"If-Match", tag}}).status, 200);
  EXPECT_EQ(shop.patch(path, R"({"notes":"b"})", {{"If-Match", tag}}).status, 412);
  EXPECT_EQ(shop.get(path).text("/notes"), "a");
}

TEST_P(Orders, explain_their_price_and_tell_their_story) {
  created(shop, "discount", R"({"code":"odd","type":"PERCENT","percent":12.5,"scope":{"productIds":["p"]}})");
  const std::string path = place("1", item("p", 1, 1001) + "," + item("q", 1, 500), R"(,"discountCode":"odd")");
  EXPECT_EQ(shop.patch(path, R"({"totalCents":1300,"status":"PAID"})").status, 200);
  const auto trace = shop.get(path + "/pricing");
  ASSERT_EQ(trace.status, 200) << trace.body;
  std::string kinds;
  for (std::size_t i = 0; i < trace.size("/steps"); ++i) kinds += trace.text(fmt::format("/steps/{}/kind", i)) + " ";
  EXPECT_EQ(kinds, "ITEM ITEM SUBTOTAL DISCOUNT ROUNDING OVERRIDE TOTAL ");
  EXPECT_EQ(trace.integer("/discount/itemIndexes/0"), 0);
  EXPECT_EQ(trace.integer("/discount/discountCents"), 125);
  EXPECT_EQ(trace.integer("/overrides/0/computedCents"), 1376);
  EXPECT_EQ(trace.text("/overrides/0/actorKind"), "USER");
  EXPECT_EQ(trace.integer("/totalCents"), 1300);

  const auto story = shop.get(path + "/timeline");
  ASSERT_EQ(story.status, 200) << story.body;
  std::string moments;
  for (std::size_t i = 0; i < story.size("/items"); ++i) moments += story.text(fmt::format("/items/{}/kind", i)) + " ";
  EXPECT_EQ(moments, "CREATED DISCOUNT_APPLIED PRICE_OVERRIDDEN PAID STATUS_CHANGED ");
  EXPECT_EQ(story.text("/items/4/changes/status/after"), "PAID");
}

// The limit is one of the tenant: beyond it the effect still happens once, and only its reply is not kept.
TEST_P(Orders, with_an_idempotency_key_are_placed_once_also_when_the_kept_replies_are_too_large) {
  static const Sql used_sql("INSERT INTO idempotency_bytes (tenant_id, hour, bytes) VALUES ('default', $1, $2)");
  static const Sql rows_sql("SELECT COUNT(*) FROM idempotency_bytes");
  constexpr std::int64_t room = 3 * api::idempotency_counted_bytes_min;
  server.write([&](Tx& tx) { tx.run({&used_sql, {std::int64_t{1}, api::idempotency_tenant_bytes_max - room}}); });
  const auto send = [](test::HttpClient& client, const std::string& number, std::int64_t notes) {
    return client.post("/api/data/order",
                       order_of(number, item("p", 1, 1),
                                fmt::format(R"(,"notes":"{}")", std::string(static_cast<std::size_t>(notes), 'n'))),
                       {{"Idempotency-Key", number}});
  };
  const auto is_kept = [&](test::HttpClient& client, const std::string& number, std::int64_t notes) {
    const auto first = send(client, number, notes), again = send(client, number, notes);
    EXPECT_EQ(first.status, 201) << first.body;
    EXPECT_EQ(again.header("idempotent-replayed"), "true");
    if (again.status == 409) {
      EXPECT_EQ(again.text("/code"), "IDEMPOTENT_REPLY_NOT_KEPT");
    } else {
      EXPECT_EQ(again.body, first.body);
    }
    return again.status == 201;
  };
  constexpr std::int64_t large = 2 * api::idempotency_counted_bytes_min;
  EXPECT_TRUE(is_kept(shop, "fits", large));
  EXPECT_FALSE(is_kept(shop, "one-too-many", large));
  EXPECT_TRUE(is_kept(shop, "small", 10)) << "small ones are not counted";
  EXPECT_EQ(shop.get("/api/data/order").size("/items"), 3u);
  server.add_tenant("another");
  auto neighbour = server.admin("another");
  EXPECT_TRUE(is_kept(neighbour, "neighbour", large));

  const Instant later = now() + api::idempotency_kept + std::chrono::hours(2);
  std::int64_t counted = -1;
  server.write([&](Tx& tx) {
    EXPECT_GT(api::forget_old_keys(tx, later, 100), 0);
    tx.run({&rows_sql, {}}, [&](const Row& row) { counted = row.integer(0); });
  });
  EXPECT_EQ(counted, 0);
}

TEST_P(Orders, of_another_tenant_do_not_exist) {
  const std::string path = place("1", item("p", 1, 1));
  server.add_tenant("another");
  auto neighbour = server.admin("another");
  EXPECT_EQ(neighbour.get(path).status, 404);
  EXPECT_EQ(neighbour.patch(path, R"({"notes":"x"})").status, 404);
  EXPECT_EQ(neighbour.del(path).status, 404);
  EXPECT_EQ(neighbour.get(path + "/timeline").status, 404);
  EXPECT_EQ(neighbour.post("/api/data/order", order_of("1", item("p", 1, 1))).status, 201);
  EXPECT_EQ(shop.get(path).status, 200);
}

}  // namespace
}  // namespace guildhall
