#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "support/emitted_events.h"
#include "support/eventually.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class Shipments : public test::OnEachPair {
 protected:
  HttpReply order(const std::string& number, const std::string& rest = "") {
    return admin.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Ada","chatId":"7"}},"items":[)"
                    R"({{"productId":"p","name":"Mug","sku":"MUG","quantity":1,"unitPriceCents":5}}]{}}})",
                    number, rest));
  }
  HttpReply ship(const std::string& order_id, const std::string& rest = "") {
    return admin.post("/api/data/shipment", fmt::format(R"({{"orderId":"{}"{}}})", order_id, rest));
  }
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Shipments, test::engines, test::engine_name);

constexpr std::string_view address =
    R"({"name":"Ada","line1":"1 Mill Lane","city":"Ely","state":"CB","postalCode":"CB7","country":"GB"})";

TEST_P(Shipments, are_recorded_read_changed_and_deleted) {
  const HttpReply made = ship(
      "o-1",
      fmt::format(R"(,"carrier":"USPS","service":"Priority","trackingNumber":"94","labelUrl":"https://l.example/1",)"
                  R"("shipTo":{},"providerShipmentId":"shp_1","trackerId":"trk_1")",
                  address));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.text("/status"), "PENDING");
  EXPECT_EQ(made.text("/shipTo/city"), "Ely");
  EXPECT_TRUE(made.is_null("/shipFrom"));
  EXPECT_TRUE(made.is_null("/shippedAt"));
  const std::string path = "/api/data/shipment/" + made.text("/id");
  const HttpReply read = admin.get(path);
  EXPECT_EQ(read.body, made.body);
  const HttpReply moved =
      admin.patch(path, R"({"status":"SHIPPED","service":null})", {{"If-Match", read.header("etag")}});
  ASSERT_EQ(moved.status, 200) << moved.body;
  EXPECT_FALSE(moved.is_null("/shippedAt"));
  EXPECT_TRUE(moved.is_null("/service"));
  EXPECT_EQ(admin.patch(path, R"({"status":"PENDING"})").code(), "INVALID_TRANSITION");
  EXPECT_EQ(admin.patch(path, R"({"status":"SHIPPED"})").status, 200);
  EXPECT_EQ(admin.patch(path, "{}", {{"If-Match", read.header("etag")}}).status, 412);
  EXPECT_EQ(admin.get("/api/data/shipment?limit=1").text("/items/0/id"), made.text("/id"));
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(admin.get(path).status, 404);
}

TEST_P(Shipments, name_every_wrong_field) {
  const HttpReply wrong = admin.post(
      "/api/data/shipment",
      R"({"status":"LOST","labelUrl":"nowhere","shipTo":{"name":"Ada","country":"G"},"carrier":5,"shippedAt":"today"})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.wrong_fields(),
            (std::vector<std::string>{"carrier", "labelUrl", "orderId", "shipTo.city", "shipTo.country", "shipTo.line1",
                                      "shipTo.postalCode", "shipTo.state", "shippedAt", "status"}));
}

TEST_P(Shipments, cannot_change_their_order) {
  const HttpReply made = ship("o1");
  const std::string path = "/api/data/shipment/" + made.text("/id");
  EXPECT_EQ(admin.patch(path, R"({"orderId":"o1","service":"air"})").status, 200);
  for (const std::string wrong : {R"({"orderId":null})", R"({"orderId":5})", R"({"orderId":"o2"})"}) {
    EXPECT_EQ(admin.patch(path, wrong).wrong_fields(), std::vector<std::string>{"orderId"}) << wrong;
  }
}

TEST_P(Shipments, update_their_order) {
  test::listen_to_events(server);
  const std::string order_id = order("A-1", R"(,"status":"PAID")").text("/id");
  const std::string order_path = "/api/data/order/" + order_id;
  const HttpReply first = ship(order_id, R"(,"trackingNumber":"T1","status":"LABEL_CREATED")");
  HttpReply shown = admin.get(order_path);
  EXPECT_EQ(shown.text("/shippingStatus"), "LABEL_CREATED");
  EXPECT_EQ(shown.text("/shipmentId"), first.text("/id"));
  EXPECT_EQ(shown.text("/trackingNumber"), "T1");

  const HttpReply second = ship(order_id, R"(,"trackingNumber":"T2")");
  admin.patch("/api/data/shipment/" + first.text("/id"), R"({"status":"FAILED"})");
  shown = admin.get(order_path);
  EXPECT_EQ(shown.text("/shippingStatus"), "PENDING") << "an order shows its newest shipment";
  admin.patch("/api/data/shipment/" + second.text("/id"), R"({"status":"SHIPPED","trackingNumber":"T3"})");
  shown = admin.get(order_path);
  EXPECT_EQ(shown.text("/shippingStatus"), "SHIPPED");
  EXPECT_EQ(shown.text("/trackingNumber"), "T3");
  EXPECT_EQ(shown.text("/status"), "SHIPPED");

  EXPECT_EQ(admin.del("/api/data/shipment/" + second.text("/id")).status, 204);
  shown = admin.get(order_path);
  EXPECT_EQ(shown.text("/shippingStatus"), "PENDING");
  EXPECT_TRUE(shown.is_null("/shipmentId"));
  auto events = test::emitted_events(server);
  std::erase(events, "order.updated");
  EXPECT_EQ(events, (std::vector<std::string>{"order.created", "order.paid", "shipment.exception", "order.shipped",
                                              "shipment.shipped"}));
}

TEST_P(Shipments, move_their_order_forward_only) {
  struct Case {
    const char* order;
    std::vector<std::string> parcels;  // the statuses of the parcels
    const char* expected;
  };
  const Case cases[] = {
      {"PENDING_PAYMENT", {"SHIPPED"}, "PENDING_PAYMENT"},
      {"PAID", {"LABEL_CREATED"}, "PAID"},
      {"PAID", {"FAILED"}, "PAID"},
      {"PAID", {"SHIPPED"}, "SHIPPED"},
      {"FULFILLING", {"PENDING", "SHIPPED"}, "SHIPPED"},
      {"PAID", {"DELIVERED"}, "COMPLETE"},
      {"PAID", {"PENDING", "DELIVERED"}, "SHIPPED"},
      {"SHIPPED", {"FAILED", "DELIVERED"}, "SHIPPED"},
      {"SHIPPED", {"DELIVERED", "DELIVERED"}, "COMPLETE"},
      {"COMPLETE", {"SHIPPED"}, "COMPLETE"},
      {"CANCELLED", {"DELIVERED"}, "CANCELLED"},
      {"REFUNDED", {"DELIVERED"}, "REFUNDED"},
  };
  int number = 0;
  for (const Case& each : cases) {
    const std::string id = order(std::to_string(++number), fmt::format(R"(,"status":"{}")", each.order)).text("/id");
    std::vector<std::string> made;
    for (std::size_t i = 0; i < each.parcels.size(); ++i) made.push_back(ship(id).text("/id"));
    for (std::size_t i = 0; i < made.size(); ++i) {
      admin.patch("/api/data/shipment/" + made[i], fmt::format(R"({{"status":"{}"}})", each.parcels[i]));
    }
    EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), each.expected) << "case " << number;
  }
}

TEST_P(Shipments, move_their_order_with_its_timeline_and_events) {
  test::listen_to_events(server);
  const std::string id = order("A-1", R"(,"status":"PAID")").text("/id");
  const std::string first = "/api/data/shipment/" + ship(id, R"(,"trackingNumber":"T1")").text("/id");
  const std::string second = "/api/data/shipment/" + ship(id, R"(,"trackingNumber":"T2")").text("/id");
  admin.patch(first, R"({"status":"SHIPPED"})");
  EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), "SHIPPED") << "the older parcel counts, too";
  admin.patch(second, R"({"status":"SHIPPED"})");
  admin.patch(first, R"({"status":"DELIVERED"})");
  EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), "SHIPPED") << "one is still on its way";
  admin.patch(second, R"({"status":"DELIVERED"})");
  EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), "COMPLETE");
  EXPECT_EQ(test::emitted_events(server),
            (std::vector<std::string>{"order.created", "order.paid", "order.updated", "order.updated", "order.shipped",
                                      "shipment.shipped", "order.updated", "shipment.shipped", "shipment.delivered",
                                      "order.completed", "shipment.delivered"}));
  const HttpReply timeline = admin.get("/api/data/order/" + id + "/timeline");
  int moves = 0, parcels = 0;
  for (std::size_t i = 0; i < timeline.size("/items"); ++i) {
    const std::string kind = timeline.text(fmt::format("/items/{}/kind", i));
    moves += kind == "STATUS_CHANGED" ? 1 : 0;
    parcels += kind == "PARCEL" ? 1 : 0;
  }
  EXPECT_EQ(moves, 2) << timeline.body;
  EXPECT_EQ(parcels, 6) << timeline.body;
}

TEST_P(Shipments, that_have_arrived_complete_their_order_when_it_is_paid) {
  const std::string early = order("A-1").text("/id"), sent = order("A-2").text("/id"), none = order("A-3").text("/id");
  ship(early, R"(,"status":"DELIVERED")");
  ship(sent, R"(,"status":"DELIVERED")");
  ship(sent, R"(,"status":"LABEL_CREATED")");
  EXPECT_EQ(admin.get("/api/data/order/" + early).text("/status"), "PENDING_PAYMENT");
  for (const std::string& id : {none, sent, early}) {
    EXPECT_EQ(admin.patch("/api/data/order/" + id, R"({"status":"PAID"})").text("/status"), "PAID");
  }
  const auto becomes = [&](const std::string& id, const std::string& status) {
    return test::eventually([&] { return admin.get("/api/data/order/" + id).text("/status") == status; });
  };
  EXPECT_TRUE(becomes(early, "COMPLETE"));
  EXPECT_TRUE(becomes(sent, "SHIPPED")) << "one parcel is still to be sent";
  EXPECT_EQ(admin.get("/api/data/order/" + none).text("/status"), "PAID");
}

TEST_P(Shipments, leave_an_order_that_is_paid_later_to_a_shop_that_wants_that) {
  admin.put("/api/admin/settings", R"({"parcelsMoveOrders":false})");
  const std::string id = order("A-1").text("/id");
  ship(id, R"(,"status":"DELIVERED")");
  admin.patch("/api/data/order/" + id, R"({"status":"PAID"})");
  EXPECT_TRUE(test::eventually([&] { return admin.get("/api/admin/outbox?status=PENDING").size("/items") == 0; }));
  EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), "PAID");
}

TEST_P(Shipments, leave_the_status_of_their_order_to_a_shop_that_wants_that) {
  EXPECT_TRUE(admin.get("/api/admin/settings").boolean("/parcelsMoveOrders"));
  EXPECT_FALSE(admin.put("/api/admin/settings", R"({"parcelsMoveOrders":false})").boolean("/parcelsMoveOrders"));
  const std::string id = order("A-1", R"(,"status":"PAID")").text("/id");
  ship(id, R"(,"status":"DELIVERED")");
  EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), "PAID");
  EXPECT_EQ(admin.get("/api/data/order/" + id).text("/shippingStatus"), "DELIVERED");
}

TEST_P(Shipments, that_arrive_at_the_same_time_complete_their_order) {
  for (int round = 0; round < 5; ++round) {
    const std::string id = order(std::to_string(round), R"(,"status":"SHIPPED")").text("/id");
    std::vector<std::string> paths;
    for (int i = 0; i < 4; ++i) paths.push_back("/api/data/shipment/" + ship(id).text("/id"));
    std::vector<std::thread> threads;
    for (const std::string& path : paths) {
      threads.emplace_back([&] { EXPECT_EQ(server.admin().patch(path, R"({"status":"DELIVERED"})").status, 200); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(admin.get("/api/data/order/" + id).text("/status"), "COMPLETE");
  }
}

TEST_P(Shipments, of_another_tenant_do_not_exist) {
  server.add_tenant("other");
  const std::string path = "/api/data/shipment/" + ship("o-1").text("/id");
  CheckedClient other = server.admin("other");
  EXPECT_EQ(other.get(path).body, other.get("/api/data/shipment/none").body);
  EXPECT_EQ(other.patch(path, "{}").status, 404);
  EXPECT_EQ(other.del(path).status, 404);
  EXPECT_EQ(other.get("/api/data/shipment").size("/items"), 0u);
}

}  // namespace
}  // namespace guildhall
