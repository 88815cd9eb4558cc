#include "features/orders/order_timeline.h"

#include <fmt/format.h>

#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item, test::order_of;

class OrderTimeline : public test::OnEachPair {
 protected:
  // The kinds and sentences of an order's timeline, one line each.
  std::vector<std::string> story(const std::string& order) {
    const auto reply = shop.get("/api/data/order/" + order + "/timeline");
    EXPECT_EQ(reply.status, 200) << reply.body;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < reply.size("/items"); ++i) {
      lines.push_back(reply.text(fmt::format("/items/{}/kind", i)) + ": " +
                      reply.text(fmt::format("/items/{}/text", i)));
    }
    return lines;
  }
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, OrderTimeline, test::engines, test::engine_name);

using Lines = std::vector<std::string>;

TEST_P(OrderTimeline, describes_discounts_overrides_and_edits) {
  const std::string mug = created(shop, "product", R"({"name":"Mug","sku":"M","priceCents":1250})");
  created(shop, "discount", R"({"code":"ten","type":"PERCENT","percent":10})");
  const std::string order =
      created(shop, "order", order_of("1", item(mug, 1, 1000) + "," + item("p", 1, 500), R"(,"discountCode":"ten")"));
  const std::string path = "/api/data/order/" + order;
  const auto patch = [&](const std::string& body) { EXPECT_EQ(shop.patch(path, body).status, 200) << body; };
  patch(R"({"notes":"fragile","shippingAddress":{"city":"Ely"}})");
  patch(R"({"items":[)" + item(mug, 3, 1000) + "," + item("p", 1, 500) + "]}");
  patch(R"({"items":[)" + item(mug, 3, 900) + "," + item("p", 1, 500) + "]}");
  patch(R"({"totalCents":2000,"status":"PAID"})");
  patch(R"({"discountCode":null})");
  EXPECT_EQ(
      story(order),
      (Lines{"CREATED: The order was placed: 2 items, $13.50 in total.",
             "DISCOUNT_APPLIED: The discount ten was applied: $1.50 less.",
             "PRICE_OVERRIDDEN: The price of Thing was set to $10.00; the product's price was $12.50.",
             "EDITED: Edited: shipping address, notes.",
             "EDITED: Edited: items. The subtotal changed from $15.00 to $35.00. The discount changed from "
             "$1.50 to $3.50. The total changed from $13.50 to $31.50.",
             "PRICE_OVERRIDDEN: The price of Thing was set to $9.00; the product's price was $12.50.",
             "EDITED: Edited: items. The subtotal changed from $35.00 to $32.00. The discount changed from "
             "$3.50 to $3.20. The total changed from $31.50 to $28.80.",
             "PRICE_OVERRIDDEN: The total was set by hand to $20.00 instead of $28.80.", "PAID: The order was paid.",
             "STATUS_CHANGED: The status changed from “pending payment” to “paid”.",
             "DISCOUNT_REMOVED: The discount ten was removed.", "EDITED: The total changed from $20.00 to $32.00."}));
  const auto reply = shop.get(path + "/timeline");
  EXPECT_EQ(reply.text("/items/2/changes/priceOverrides/after/0/field"), "items[0].unitPriceCents");
  EXPECT_EQ(reply.integer("/items/2/changes/priceOverrides/after/0/computedCents"), 1250);
  EXPECT_EQ(reply.text("/items/7/changes/priceOverrides/after/0/field"), "totalCents");
}

TEST_P(OrderTimeline, describes_parcels_with_carrier_and_tracking_number) {
  const std::string order = created(shop, "order", order_of("1", item("p", 1, 500)));
  const auto ship = [&](const std::string& rest) {
    return "/api/data/shipment/" + created(shop, "shipment", fmt::format(R"({{"orderId":"{}"{}}})", order, rest));
  };
  const auto patch = [&](const std::string& path, const std::string& body) {
    EXPECT_EQ(shop.patch(path, body).status, 200) << body;
  };
  const std::string first = ship(R"(,"carrier":"DHL","status":"LABEL_CREATED")");
  patch(first, R"({"trackingNumber":"T1"})");
  patch(first, R"({"status":"SHIPPED"})");
  const std::string second = ship("");
  patch(first, R"({"status":"DELIVERED"})");
  EXPECT_EQ(shop.del(second).status, 204);
  patch("/api/data/order/" + order, R"({"shippingStatus":"SHIPPED","trackingNumber":"T2"})");
  EXPECT_EQ(
      story(order),
      (Lines{"CREATED: The order was placed: 1 item, $5.00 in total.", "PARCEL: The label of a parcel was made (DHL).",
             "PARCEL: A parcel got its tracking number (DHL, tracking number T1).",
             "PARCEL: A parcel was shipped (DHL, tracking number T1).", "PARCEL: A parcel is being prepared.",
             "PARCEL: A parcel was delivered (DHL, tracking number T1).", "PARCEL: The order has no parcel any more.",
             "PARCEL: A parcel was shipped (tracking number T2)."}));
}

TEST_P(OrderTimeline, describes_refunds_with_amounts_and_invoice_links) {
  const std::string order = created(shop, "order", order_of("1", item("p", 1, 500), R"(,"currency":"JPY")"));
  const std::string link = "/api/orders/" + order + "/invoice-link";
  const auto made = shop.post(link, R"({"expiresInSeconds":60})");
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_EQ(shop.del(link).status, 204);
  EXPECT_EQ(shop.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200);
  const std::string refund = "/api/data/order/" + order + "/refund";
  EXPECT_EQ(shop.post(refund, R"({"amountCents":200,"reason":"scratched"})").status, 201);
  EXPECT_EQ(shop.post(refund, "{}").status, 201);
  std::string until = made.text("/expiresAt").substr(0, 16);
  until[10] = ' ';
  EXPECT_EQ(story(order),
            (Lines{"CREATED: The order was placed: 1 item, ¥500 in total.",
                   "INVOICE_LINK_MADE: An invoice link was made, valid until " + until + " UTC.",
                   "INVOICE_LINKS_REVOKED: All invoice links of the order were revoked.", "PAID: The order was paid.",
                   "STATUS_CHANGED: The status changed from “pending payment” to “paid”.",
                   "REFUND: A refund of ¥200 was recorded. The shop returns the money by hand. Reason: scratched",
                   "REFUND: A refund of ¥300 was recorded. The shop returns the money by hand.",
                   "STATUS_CHANGED: The status changed from “paid” to “refunded”."}));
  const auto page = shop.get("/api/data/order/" + order + "/timeline");
  EXPECT_EQ(page.integer("/items/5/changes/refund/after/amountCents"), 200);
}

TEST(OrderTimelineText, describes_the_status_of_a_refund) {
  const auto text_of = [](const std::string& refund) {
    AuditEntry entry;
    entry.action = "refund";
    entry.changes = R"({"refund":{"before":null,"after":)" + refund + "}}";
    const auto moments = moments_of(entry, Currency());
    return moments.size() == 1 ? moments.front().text : "";
  };
  EXPECT_EQ(text_of(R"({"amountCents":4900,"currency":"EUR","status":"PENDING","throughProcessor":true})"),
            "A refund of €49.00 was requested from the payment processor.");
  EXPECT_EQ(text_of(R"({"amountCents":1234,"currency":"KWD","status":"DONE","throughProcessor":true})"),
            "The payment processor has refunded KWD\u00a01.234.");
  EXPECT_EQ(text_of(R"({"amountCents":1,"currency":"USD","status":"FAILED","error":"card closed"})"),
            "The refund of $0.01 failed: card closed.");
}

TEST(OrderTimelineText, survives_entries_that_were_cut) {
  AuditEntry entry;
  entry.action = "created";
  entry.changes = R"json({"items":{"before":null,"after":{"cut":"[{","bytes":9000}},"(more)":{"omitted":3}})json";
  ASSERT_EQ(moments_of(entry, Currency()).size(), 1U);
  EXPECT_EQ(moments_of(entry, Currency())[0].text, "The order was placed.");
  entry.action = "updated";
  ASSERT_EQ(moments_of(entry, Currency()).size(), 1U);
  EXPECT_EQ(moments_of(entry, Currency())[0].text, "Edited: items, more fields.");
}

}  // namespace
}  // namespace guildhall
