// Tests the rules of the contract that are the same for every resource.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "storage/columns.h"
#include "support/emitted_events.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpHeaders, test::HttpReply;
using Fields = std::vector<std::string>;

const HttpHeaders strict{{"Prefer", "respond-async, Handling=\"strict\"; x=1"}};

struct Sample {
  std::string path;  // of the collection
  std::string body;
};

const Sample samples[] = {
    {"/api/data/discount",
     R"({"code":"c","type":"PERCENT","percent":5,"scope":{"productIds":["p"]},"lifecycle":{"usageLimit":9}})"},
    {"/api/data/order",
     R"({"orderNumber":"1","customer":{"name":"Ada","email":"a@b.co"},"customerRoleIds":["r"],"shippingAddress":{"a":[1]},)"
     R"("items":[{"productId":"p","name":"P","sku":"P","quantity":2,"unitPriceCents":100}],"notes":"n"})"},
    {"/api/data/customer", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"A","email":"a@b.co"})"},
    {"/api/data/product", R"({"name":"P","sku":"P","priceCents":5,"stockQuantity":3,"grantedRoleIds":["r"]})"},
    {"/api/data/entitlement",
     R"({"userId":"u","orderId":"o","productId":"p","type":"CHAT_ROLE","roleId":"r","metadata":{"a":1}})"},
    {"/api/data/shipment",
     R"({"orderId":"o","carrier":"c","shipTo":{"name":"A","line1":"1","city":"c","state":"s","postalCode":"p","country":"GB"}})"},
    {"/api/data/user", R"({"username":"ada","displayName":"Ada","roles":["cook"]})"},
    {"/api/data/tenant", R"({"tenantId":"made","name":"Made","ownerUserId":"u"})"},
    {"/api/admin/webhook-endpoints", R"({"url":"HTTPS://example.com/hook","events":["order.paid"]})"},
};

class Contract : public test::OnEachPair {
 protected:
  std::int64_t audit_entries() {
    static const Sql count("SELECT COUNT(*) FROM audit_entries");
    std::int64_t found = 0;
    server.write([&](Tx& tx) { tx.run({&count, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Contract, test::engines, test::engine_name);

TEST_P(Contract, a_patch_that_changes_nothing_writes_nothing) {
  test::listen_to_events(server);
  for (const Sample& sample : samples) {
    const HttpReply made = admin.post(sample.path, sample.body);
    ASSERT_EQ(made.status, 201) << sample.path << made.body;
    const std::string path = sample.path + "/" + made.text("/id");
    const HttpReply before = admin.get(path);
    const std::int64_t entries = audit_entries();
    const auto events = test::emitted_events(server);
    for (const std::string& patch : {std::string("{}"), before.body}) {
      const HttpReply patched = admin.patch(path, patch);
      EXPECT_EQ(patched.status, 200) << path << patched.body;
      EXPECT_EQ(patched.body, before.body);
      EXPECT_EQ(patched.header("etag"), before.header("etag")) << path;
      EXPECT_EQ(admin.get(path).header("etag"), before.header("etag")) << path;
    }
    EXPECT_EQ(audit_entries(), entries) << path;
    EXPECT_EQ(test::emitted_events(server), events) << path;
  }
  const HttpReply config = admin.get("/api/admin/community-fund/config");
  EXPECT_EQ(admin.put("/api/admin/community-fund/config", config.body).header("etag"), config.header("etag"));
}

TEST_P(Contract, strict_handling_takes_back_the_record_and_names_every_unknown_field) {
  for (const Sample& sample : samples) {
    const HttpReply made = admin.post(sample.path, sample.body, strict);
    ASSERT_EQ(made.status, 201) << sample.path << made.body;
    EXPECT_EQ(made.header("preference-applied"), "handling=strict");
    const std::string path = sample.path + "/" + made.text("/id");
    EXPECT_EQ(admin.patch(path, admin.get(path).body, strict).status, 200) << path;
    const HttpReply refused = admin.patch(path, R"({"colour":1,"version":2})", strict);
    EXPECT_EQ(refused.wrong_fields(), (Fields{"colour", "version"})) << path << refused.body;
    EXPECT_EQ(refused.header("preference-applied"), "handling=strict");
    EXPECT_EQ(admin.patch(path, R"({"colour":1})").status, 200) << "without the preference it is ignored";
    EXPECT_EQ(admin.get(sample.path + "?limt=5&limit=0", strict).wrong_fields(), (Fields{"limit", "limt"}));
    EXPECT_EQ(admin.get(path + "?a=1", strict).wrong_fields(), Fields{"a"});
  }
  EXPECT_EQ(
      admin
          .post("/api/data/order",
                R"({"orderNumber":"2","customer":{"name":"A","mail":"x"},"shippingAddress":{"anything":1},"items":)"
                R"([{"productId":"p","name":"P","sku":"P","quantity":0,"unitPriceCents":1,"colour":"red"}]})",
                strict)
          .wrong_fields(),
      (Fields{"customer.mail", "items[0].colour", "items[0].quantity"}));
}

TEST_P(Contract, blank_text_is_missing_where_required_and_null_where_optional) {
  struct Case {
    std::string path, body;
    Fields nulls, required;
  };
  const Case cases[] = {
      {"/api/data/discount", R"({"type":"PERCENT","percent":5,"code":" "})", {"/code"}, {}},
      {"/api/data/customer",
       R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a","email":"","phone":" ","userId":"\t"})",
       {"/email", "/phone", "/userId"},
       {"chatUsername", "chatDisplayName"}},
      {"/api/data/product", R"({"name":"P","sku":"P","priceCents":5,"description":"\n"})", {"/description"}, {"name"}},
      {"/api/data/entitlement",
       R"({"userId":"u","orderId":"o","productId":"p","type":"CHAT_ROLE","roleId":" ","customerId":"","chatUserId":" "})",
       {"/roleId", "/customerId", "/chatUserId"},
       {"userId"}},
      {"/api/data/shipment",
       R"({"orderId":"o","carrier":" ","service":"","trackingNumber":" ","labelUrl":" ","providerShipmentId":"","trackerId":""})",
       {"/carrier", "/service", "/trackingNumber", "/labelUrl", "/providerShipmentId", "/trackerId"},
       {}},
      {"/api/data/user",
       R"({"username":"x","displayName":"X","email":" ","avatarUrl":"","chatId":" ","customerId":"","primaryCustomerId":" "})",
       {"/email", "/avatarUrl", "/chatId", "/customerId", "/primaryCustomerId"},
       {"username", "displayName"}},
      {"/api/data/order",
       R"({"orderNumber":"1","items":[{"productId":"p","name":"P","sku":"P","quantity":1,"unitPriceCents":1}],)"
       R"("customer":{"name":"A","email":" ","chatId":""},"customerId":"","discountCode":" ","shipmentId":"",)"
       R"("trackingNumber":" ","notes":" "})",
       {"/customer/email", "/customer/chatId", "/customerId", "/discountCode", "/shipmentId", "/trackingNumber",
        "/notes"},
       {}},
      {"/api/admin/webhook-endpoints", R"({"url":"https://example.com","description":" "})", {"/description"}, {"url"}},
  };
  for (const auto& [path, body, nulls, required] : cases) {
    const HttpReply made = admin.post(path, body);
    ASSERT_EQ(made.status, 201) << path << made.body;
    for (const std::string& pointer : nulls) EXPECT_TRUE(made.is_null(pointer)) << path << pointer;
    const std::string one = path + "/" + made.text("/id");
    for (const std::string& field : required) {
      EXPECT_EQ(admin.patch(one, fmt::format(R"({{"{}":"  "}})", field)).wrong_fields(), Fields{field}) << path;
    }
    for (const std::string& pointer : nulls) {
      if (pointer.rfind('/') != 0 || pointer == "/discountCode") continue;
      EXPECT_EQ(admin.patch(one, fmt::format(R"({{"{}":" "}})", pointer.substr(1))).body, admin.get(one).body)
          << pointer;
    }
  }
}

TEST_P(Contract, texts_have_the_limits_of_the_contract) {
  struct Case {
    std::string_view path, body, field;
    std::size_t max;
  };
  constexpr std::string_view address = "/api/data/customer/none/address", shipment = "/api/data/shipment";
  const Case cases[] = {
      {"/api/data/order", R"({"orderNumber":"?"})", "orderNumber", 255},
      {"/api/data/order", R"({"items":[{"sku":"?"}]})", "items[0].sku", 255},
      {"/api/data/order", R"({"items":[{"productId":"?"}]})", "items[0].productId", 200},
      {"/api/data/order", R"({"items":[{"name":"?"}]})", "items[0].name", 10'000},
      {"/api/data/order", R"({"customer":{"chatId":"?"}})", "customer.chatId", 255},
      {"/api/data/order", R"({"customerId":"?"})", "customerId", 200},
      {"/api/data/order", R"({"customerRoleIds":["?"]})", "customerRoleIds[0]", 255},
      {"/api/data/order", R"({"discountCode":"?"})", "discountCode", 255},
      {"/api/data/order", R"({"shipmentId":"?"})", "shipmentId", 200},
      {"/api/data/order", R"({"trackingNumber":"?"})", "trackingNumber", 255},
      {"/api/data/order", R"({"notes":"?"})", "notes", 10'000},
      {"/api/data/discount", R"({"code":"?"})", "code", 255},
      {"/api/data/discount", R"({"scope":{"productIds":["?"]}})", "scope.productIds[0]", 200},
      {"/api/data/discount", R"({"scope":{"customerIds":["?"]}})", "scope.customerIds[0]", 200},
      {"/api/data/discount", R"({"scope":{"roleIds":["?"]}})", "scope.roleIds[0]", 255},
      {"/api/data/product", R"({"sku":"?"})", "sku", 255},
      {"/api/data/product", R"({"requiredRoleIds":["?"]})", "requiredRoleIds[0]", 255},
      {"/api/data/product", R"({"description":"?"})", "description", 10'000},
      {"/api/data/customer", R"({"chatId":"?"})", "chatId", 255},
      {"/api/data/customer", R"({"userId":"?"})", "userId", 200},
      {"/api/data/customer", R"({"chatUsername":"?"})", "chatUsername", 10'000},
      {address, R"({"addressId":"?"})", "addressId", 200},
      {address, R"({"line1":"?"})", "line1", 200},
      {address, R"({"line2":"?"})", "line2", 200},
      {address, R"({"country":"?"})", "country", 200},
      {address, R"({"phone":"?"})", "phone", 200},
      {shipment, R"({"orderId":"?","status":"none"})", "orderId", 200},
      {shipment, R"({"carrier":"?"})", "carrier", 255},
      {shipment, R"({"trackingNumber":"?"})", "trackingNumber", 255},
      {shipment, R"({"providerShipmentId":"?"})", "providerShipmentId", 255},
      {shipment, R"({"trackerId":"?"})", "trackerId", 255},
      {shipment, R"({"shipFrom":{"city":"?"}})", "shipFrom.city", 200},
      {"/api/data/entitlement", R"({"roleId":"?"})", "roleId", 255},
      {"/api/data/entitlement", R"({"chatUserId":"?"})", "chatUserId", 255},
      {"/api/data/user", R"({"username":"?"})", "username", 200},
      {"/api/data/user", R"({"chatId":"?"})", "chatId", 255},
      {"/api/data/user", R"({"customerId":"?"})", "customerId", 200},
      {"/api/data/tenant", R"({"ownerUserId":"?"})", "ownerUserId", 200},
      {"/api/data/tenant", R"({"adminUserIds":["?"]})", "adminUserIds[0]", 200},
      {"/api/data/webhook-event", R"({"eventId":"?"})", "eventId", 500},
  };
  const auto is_wrong = [&](const Case& one, std::size_t characters) {
    std::string text, body(one.body);
    for (std::size_t i = 0; i < characters; ++i) text += "é";
    const Fields wrong = admin.post(std::string(one.path), body.replace(body.find('?'), 1, text)).wrong_fields();
    return std::find(wrong.begin(), wrong.end(), one.field) != wrong.end();
  };
  for (const Case& one : cases) {
    EXPECT_FALSE(is_wrong(one, one.max)) << one.path << " " << one.field;
    EXPECT_TRUE(is_wrong(one, one.max + 1)) << one.path << " " << one.field;
  }
}

TEST_P(Contract, records_do_not_grow_beyond_their_limit) {
  const std::string customer =
      "/api/data/customer/" +
      admin.post("/api/data/customer", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"A"})").text("/id");
  std::string wide;
  for (int i = 0; i < 199; ++i) wide += "𝄞";  // each character has four bytes
  HttpReply added;
  int addresses = 0;
  do {
    added = admin.post(
        customer + "/address",
        fmt::format(R"({{"addressId":"{0}","name":"{1}","line1":"{1}","line2":"{1}","city":"{1}","state":"{1}",)"
                    R"("postalCode":"{1}","country":"{1}","phone":"{1}"}})",
                    addresses, wide));
  } while (added.status == 200 && ++addresses < 100);
  EXPECT_EQ(added.status, 400);
  EXPECT_EQ(added.code(), "RECORD_TOO_LARGE");
  EXPECT_GT(addresses, 30);
  EXPECT_EQ(admin.patch(customer, R"({"chatUsername":"b"})").status, 200);

  const std::string order =
      "/api/data/order/" + test::created(admin, "order", test::order_of("1", test::item("p", 1, 1)));
  const std::string long_text(200'000, 'x');
  EXPECT_EQ(admin.patch(order, fmt::format(R"({{"shippingAddress":{{"x":"{}"}}}})", long_text)).status, 200);
  std::string items = test::item("p", 1, 1);
  for (int i = 0; i < 1000; ++i) items += "," + test::item("p", 1, 1);
  const HttpReply grown = admin.patch(order, R"({"items":[)" + items + "]}");
  EXPECT_EQ(grown.status, 400);
  EXPECT_EQ(grown.code(), "RECORD_TOO_LARGE");
  EXPECT_EQ(admin.patch(order, R"({"shippingAddress":null,"items":[)" + items + "]}").status, 200);
}

TEST_P(Contract, idempotency_keys_are_visible_ascii_of_up_to_255_characters) {
  const auto status = [&](const std::string& key, const std::string& chat_id) {
    return admin
        .post("/api/data/customer",
              fmt::format(R"({{"chatId":"{}","chatUsername":"a","chatDisplayName":"a"}})", chat_id),
              {{"Idempotency-Key", key}})
        .status;
  };
  for (const std::string& wrong : {std::string(), std::string(256, 'k'), std::string("two words")}) {
    EXPECT_EQ(status(wrong, "1"), 400) << wrong;
  }
  const std::string key(255, '~');
  EXPECT_EQ(status(key, "1"), 201);
  EXPECT_EQ(status(key, "1"), 201) << "the first reply again, though the customer exists";
  EXPECT_EQ(status(key, "2"), 409);
  CheckedClient other = server.member("default", "TenantAdmin");
  EXPECT_EQ(other
                .post("/api/data/customer", R"({"chatId":"3","chatUsername":"a","chatDisplayName":"a"})",
                      {{"Idempotency-Key", key}})
                .status,
            201)
      << "a key is its user's own";
}

TEST_P(Contract, ids_of_any_form_are_simply_not_found) {
  for (const Sample& sample : samples) {
    for (const std::string& id : {std::string("none"), std::string("%00"), std::string("a%00b"), std::string("%20"),
                                  std::string("%F0%9F%98%80"), std::string(3000, 'a')}) {
      EXPECT_EQ(admin.get(sample.path + "/" + id).status, 404) << sample.path << id;
      EXPECT_EQ(admin.patch(sample.path + "/" + id, "{}").status, 404) << sample.path << id;
      EXPECT_EQ(admin.del(sample.path + "/" + id).status, 404) << sample.path << id;
    }
  }
}

// Each request has one fault less than the one before, and is refused for the first remaining fault.
TEST_P(Contract, checks_come_in_their_order) {
  const std::string customer =
      "/api/data/customer/" +
      admin.post("/api/data/customer", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"A"})").text("/id");
  const std::string large = R"({"chatId":")" + std::string(300'000, 'x') + R"("})";
  const HttpHeaders text{{"Content-Type", "text/plain"}, {"If-Match", "\"99\""}};
  const HttpHeaders json{{"Content-Type", "application/json"}, {"If-Match", "\"99\""}};
  CheckedClient nobody = server.client(), member = server.member("default");
  EXPECT_EQ(nobody.send("PUT", "/api/data/nothing", large, text).status, 404);
  nobody.disconnect();  // after a body that is too large the server closes the connection
  EXPECT_EQ(nobody.send("PUT", "/api/data/customer/none", large, text).status, 405);
  nobody.disconnect();
  EXPECT_EQ(nobody.send("PATCH", "/api/data/customer/none", large, text).status, 413);
  nobody.disconnect();
  EXPECT_EQ(nobody.send("PATCH", "/api/data/customer/none", "{", text).status, 401);
  EXPECT_EQ(member.send("PATCH", "/api/data/customer/none", "{", text).status, 403);
  EXPECT_EQ(admin.send("PATCH", "/api/data/customer/none", "{", text).status, 415);
  EXPECT_EQ(admin.send("PATCH", "/api/data/customer/none", "{", json).status, 400);
  EXPECT_EQ(admin.send("PATCH", "/api/data/customer/none", R"({"email":5})", json).status, 400);
  EXPECT_EQ(admin.send("PATCH", "/api/data/tenant/none", R"({"name":5})", json).status, 400);
  EXPECT_EQ(admin.send("PATCH", "/api/data/customer/none", R"({"phone":"5"})", json).status, 404);
  EXPECT_EQ(admin.send("PATCH", customer, R"({"phone":"5"})", json).status, 412);
  EXPECT_EQ(admin.send("PATCH", customer, R"({"phone":"5"})", {{"Content-Type", "application/json"}}).status, 200);
}

TEST_P(Contract, the_limit_comes_before_the_size_of_the_body) {
  test::TestServer limited(GetParam(), {{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_TENANT_PER_MIN", "3"}});
  CheckedClient client = limited.admin();
  const std::string large = R"({"chatId":")" + std::string(300'000, 'x') + R"("})";
  HttpReply reply;
  for (int tries = 0; tries < 20 && reply.status != 429; ++tries) {
    reply = client.post("/api/data/customer", large);
    client.disconnect();
  }
  EXPECT_EQ(reply.status, 429) << "the first few were 413";
}

}  // namespace
}  // namespace guildhall
