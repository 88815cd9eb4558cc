// Every state of an order, product, customer, refund and membership is an event that endpoints can ask for.
#include "app/slices.h"
#include "features/webhooks/endpoint_store.h"
#include "support/emitted_events.h"
#include "support/shop.h"

namespace guildhall {
namespace {

using Names = std::vector<std::string>;

class EventStates : public test::OnEachPair {
 protected:
  void SetUp() override { test::listen_to_events(server); }

  // The events since the last call.
  Names latest_events() {
    const Names all = test::emitted_events(server);
    Names events(all.begin() + static_cast<std::ptrdiff_t>(seen_), all.end());
    seen_ = all.size();
    return events;
  }
  void patch(const std::string& path, const std::string& body) {
    const auto reply = shop.patch(path, body);
    EXPECT_EQ(reply.status, 200) << reply.body;
  }

  test::CheckedClient shop = server.admin();

 private:
  std::size_t seen_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, EventStates, test::engines, test::engine_name);

TEST_P(EventStates, of_an_order) {
  const std::string path =
      "/api/data/order/" + test::created(shop, "order", test::order_of("1", test::item("p", 1, 9)));
  EXPECT_EQ(latest_events(), Names{"order.created"});
  patch(path, R"({"notes":"call first"})");
  EXPECT_EQ(latest_events(), Names{"order.updated"});
  patch(path, R"({"notes":"call first"})");
  EXPECT_EQ(latest_events(), Names{}) << "nothing has changed";
  patch(path, R"({"status":"PAID"})");
  EXPECT_EQ(latest_events(), Names{"order.paid"});
  patch(path, R"({"status":"FULFILLING"})");
  EXPECT_EQ(latest_events(), Names{"order.fulfilling"});
  patch(path, R"({"status":"SHIPPED"})");
  EXPECT_EQ(latest_events(), (Names{"order.shipped", "shipment.shipped"}));
  patch(path, R"({"status":"COMPLETE"})");
  EXPECT_EQ(latest_events(), Names{"order.completed"});
  EXPECT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(latest_events(), Names{"order.deleted"});
}

TEST_P(EventStates, of_a_product_and_its_stock) {
  const std::string id = test::product_with_stock(shop, "MUG", 8), path = "/api/data/product/" + id;
  EXPECT_EQ(latest_events(), Names{"product.created"});
  patch(path, R"({"priceCents":200})");
  EXPECT_EQ(latest_events(), Names{"product.updated"});
  const auto order = [&](const std::string& number, int quantity) {
    return "/api/data/order/" + test::created(shop, "order", test::order_of(number, test::item(id, quantity, 100)));
  };
  order("1", 2);
  EXPECT_EQ(latest_events(), Names{"order.created"}) << "six are left";
  order("2", 2);
  EXPECT_EQ(latest_events(), (Names{"product.low_stock", "order.created"}));
  order("3", 1);
  EXPECT_EQ(latest_events(), Names{"order.created"}) << "it was low before";
  const std::string last = order("4", 3);
  EXPECT_EQ(latest_events(), (Names{"product.out_of_stock", "order.created"}));
  patch(last, R"({"status":"CANCELLED"})");
  EXPECT_EQ(latest_events(), (Names{"product.back_in_stock", "order.cancelled"}));
  patch(path, R"({"stockQuantity":0})");
  EXPECT_EQ(latest_events(), (Names{"product.updated", "product.out_of_stock"}));
  patch(path, R"({"stockQuantity":100})");
  EXPECT_EQ(latest_events(), (Names{"product.updated", "product.back_in_stock"}));
  EXPECT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(latest_events(), Names{"product.deleted"});
  const auto bodies = test::emitted_bodies(server);
  EXPECT_TRUE(std::ranges::any_of(bodies, [&](const std::string& body) {
    return body.find("product.low_stock") != std::string::npos &&
           body.find(fmt::format(R"("data":{{"productId":"{}","name":"Thing","sku":"MUG","stockQuantity":4}})", id)) !=
               std::string::npos;
  }));
}

TEST_P(EventStates, of_a_customer) {
  const std::string body = R"({"chatId":"1","chatUsername":"ada","chatDisplayName":"Ada"})";
  const std::string path = "/api/data/customer/" + test::created(shop, "customer", body);
  EXPECT_EQ(latest_events(), Names{"customer.created"});
  EXPECT_EQ(shop.post("/api/data/customer", body).status, 200);
  EXPECT_EQ(latest_events(), Names{}) << "it was found";
  patch(path, R"({"phone":"123"})");
  EXPECT_EQ(latest_events(), Names{"customer.updated"});
  EXPECT_EQ(shop.del(path).status, 200);
  EXPECT_EQ(latest_events(), Names{"customer.deactivated"});
  patch(path, R"({"isActive":true})");
  EXPECT_EQ(latest_events(), Names{"customer.reactivated"});
}

TEST_P(EventStates, of_a_membership) {
  const auto plan = [&](const std::string& sku) {
    return test::created(shop, "product",
                         fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":500,"isDigital":true,)"
                                     R"("membership":{{"periodMonths":1,"group":"g"}}}})",
                                     sku));
  };
  const std::string silver = plan("SILVER"), gold = plan("GOLD");
  test::created(shop, "order",
                fmt::format(R"({{"orderNumber":"1","customer":{{"name":"Ada","chatId":"77"}},"status":"PAID",)"
                            R"("items":[{{"productId":"{}","quantity":1}}]}})",
                            silver));
  latest_events();
  const std::string path = "/api/admin/memberships/" + shop.get("/api/admin/memberships").text("/items/0/id");
  const auto does = [&](const std::string& action, const std::string& body = "") {
    const auto reply = shop.post(path + action, body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    Names names = latest_events();
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("membership."); });
    return names;
  };
  EXPECT_EQ(does("/pause"), Names{"membership.paused"});
  EXPECT_EQ(does("/resume"), Names{"membership.resumed"});
  EXPECT_EQ(does("/plan", fmt::format(R"({{"productId":"{}"}})", gold)),
            (Names{"membership.renewed", "membership.plan_changed"}));
  EXPECT_EQ(does("/cancel"), Names{"membership.cancelled"});
}

class EventPatterns : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();

  // The events that an endpoint with these names and patterns receives. Its deliveries never succeed.
  Names received(const Names& wanted) {
    NewWebhookEndpoint input{.url = {"https://example.com/"}};
    for (const std::string& name : wanted) input.events.value.push_back({name});
    WebhookEndpoint endpoint =
        endpoint_from(input, server.config.default_tenant, {.event_names = published_event_names()}, now());
    endpoint.secret = {"cannot be opened"};
    server.write([&](Tx& tx) { insert_endpoint(tx, endpoint); });
    const std::string product =
        "/api/data/product/" + test::created(shop, "product", R"({"name":"A","sku":"A","priceCents":1})");
    const std::string order =
        "/api/data/order/" + test::created(shop, "order", test::order_of(test::fresh_name(), test::item("p", 1, 9)));
    EXPECT_EQ(shop.patch(order, R"({"status":"PAID"})").status, 200);
    EXPECT_EQ(shop.del(product).status, 204);
    EXPECT_EQ(shop.del("/api/admin/webhook-endpoints/" + endpoint.id.text()).status, 204);
    const Names all = test::emitted_events(server);
    const Names events(all.begin() + static_cast<std::ptrdiff_t>(seen_), all.end());
    seen_ = all.size();
    return events;
  }

 private:
  std::size_t seen_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, EventPatterns, test::engines, test::engine_name);

TEST_P(EventPatterns, name_all_events_of_a_kind_or_all) {
  const Names all{"product.created", "order.created", "order.paid", "product.deleted"};
  EXPECT_EQ(received({}), all);
  EXPECT_EQ(received({"*"}), all);
  EXPECT_EQ(received({"order.*"}), (Names{"order.created", "order.paid"}));
  EXPECT_EQ(received({"order.paid", "product.*"}), (Names{"product.created", "order.paid", "product.deleted"}));
  EXPECT_EQ(received({"membership.*"}), Names{});
  const auto refused = shop.post("/api/admin/webhook-endpoints",
                                 R"({"url":"https://example.com/","events":["order.p*","nothing.*","*.paid",".*"]})");
  EXPECT_EQ(refused.wrong_fields(), (Names{"events[0]", "events[1]", "events[2]", "events[3]"}));
}

}  // namespace
}  // namespace guildhall
