#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/samples.h"
#include "support/shop.h"

namespace guildhall::test {

// A tenant "evil" with records of many kinds, some of which belong together.
class FullShop {
 public:
  explicit FullShop(TestServer& server) : shop_(server.admin("evil")) {
    set_up();
    sell();
    for (const auto& [key, make] : samples()) {
      if (!key.starts_with("/auth/")) records[key] = make({server, shop_, "evil", "mark"});
    }
  }

  std::map<std::string, std::vector<std::string>> records;  // the parameters of paths, by the key of the sample
  std::map<std::string, std::string> ids;                   // of the records that belong together, by their names

 private:
  void put(const std::string& path, const std::string& body) {
    const HttpReply reply = shop_.put(path, body);
    if (reply.status != 200) throw std::runtime_error(path + ": " + reply.body);
  }

  void post(const std::string& path, const std::string& body) {
    const HttpReply reply = shop_.post(path, body);
    if (reply.status != 200 && reply.status != 201) throw std::runtime_error(path + ": " + reply.body);
  }

  std::string plan(const char* sku) {
    return created(
        shop_, "product",
        fmt::format(R"({{"name":"Plan","sku":"{}","priceCents":900,"isDigital":true,"inventoryTracked":false,)"
                    R"("grantedRoleIds":["r2"],"membership":{{"periodMonths":1,"group":"g"}}}})",
                    sku));
  }

  void set_up() {
    put("/api/admin/settings", R"({"currency":"EUR","timeZone":"Europe/Berlin","orderExpiryMinutes":60})");
    put("/api/admin/branding", R"({"accentColor":"#123456"})");
    put("/api/admin/payment-methods",
        R"({"methods":[{"method":"CASH","enabled":true,"settings":{"instructions":"x"}}]})");
    put("/api/admin/messages",
        R"({"kinds":[{"kind":"ORDER_PAID","email":false}],"texts":[{"kind":"ORDER_PAID","locale":"en","direct":"x"}]})");
    put("/api/admin/community-fund/config", R"({"enabled":true,"allowedAmountsCents":[500]})");
    ids["product"] = created(
        shop_, "product", R"({"name":"Mug","sku":"MUG","priceCents":100,"stockQuantity":20,"grantedRoleIds":["r1"]})");
    ids["plan"] = plan("PLAN");
    ids["other"] = plan("OTHER");
    ids["customer"] = created(shop_, "customer", R"({"chatId":"c1","chatUsername":"eve","chatDisplayName":"Eve"})");
    ids["discount"] = created(shop_, "discount", R"({"code":"TEN","type":"PERCENT","percent":10})");
  }

  void sell() {
    ids["order"] = created(
        shop_, "order",
        fmt::format(
            R"({{"orderNumber":"R-1","status":"PAID","customerId":"{}","customer":{{"name":"Eve","chatId":"c1"}},)"
            R"("discountCode":"TEN","items":[{{"productId":"{}","quantity":2}}],"shippingAddress":{{"name":"E",)"
            R"("line1":"1","city":"c","state":"s","postalCode":"p","country":"GB"}}}})",
            ids["customer"], ids["product"]));
    post(fmt::format("/api/data/order/{}/refund", ids["order"]), R"({"amountCents":5})");
    ids["shipment"] = created(shop_, "shipment",
                              fmt::format(R"({{"orderId":"{}","carrier":"UPS","trackingNumber":"1Z"}})", ids["order"]));
    ids["entitlement"] =
        created(shop_, "entitlement",
                fmt::format(R"({{"userId":"c1","orderId":"{}","productId":"{}","type":"CHAT_ROLE","roleId":"r1"}})",
                            ids["order"], ids["product"]));
    ids["membershipOrder"] =
        created(shop_, "order",
                fmt::format(R"({{"orderNumber":"R-2","status":"PAID","customer":{{"name":"Eve","chatId":"c1"}},)"
                            R"("items":[{{"productId":"{}","quantity":2}}]}})",
                            ids["plan"]));
    ids["membership"] = shop_.get("/api/admin/memberships").text("/items/0/id");
    post(fmt::format("/api/admin/memberships/{}/plan", ids["membership"]),
         fmt::format(R"({{"productId":"{}"}})", ids["other"]));
    post("/api/admin/community-fund/contributions",
         fmt::format(R"({{"customerId":"{}","amountCents":500}})", ids["customer"]));
    post("/api/admin/community-fund/disbursements",
         fmt::format(R"({{"recipientCustomerId":"{}","amountCents":100,"reason":"x"}})", ids["customer"]));
  }

  HttpClient shop_;
};

}  // namespace guildhall::test
