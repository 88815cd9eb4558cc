#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/emitted_events.h"
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
  EXPECT_EQ(shown.text("/status"), "PAID") << "the order's own status is the shop's to move";

  EXPECT_EQ(admin.del("/api/data/shipment/" + second.text("/id")).status, 204);
  shown = admin.get(order_path);
  EXPECT_EQ(shown.text("/shippingStatus"), "PENDING");
  EXPECT_TRUE(shown.is_null("/shipmentId"));
  auto events = test::emitted_events(server);
  std::erase(events, "order.updated");
  EXPECT_EQ(events, (std::vector<std::string>{"order.created", "order.paid", "shipment.exception", "order.shipped",
                                              "shipment.shipped"}));
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
