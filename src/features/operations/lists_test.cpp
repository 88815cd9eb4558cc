// The lists of all resources. src/features/orders/order_list_test.cpp has the tests of the mechanism.
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::HttpReply, test::item, test::order_of;

using Found = std::vector<std::string>;

class Lists : public test::OnEachPair {
 protected:
  test::CheckedClient admin = server.admin();

  // One field of each record of a list.
  Found found(const std::string& path, const std::string& field) {
    const HttpReply page = admin.get(path);
    EXPECT_EQ(page.status, 200) << path << page.body;
    Found values;
    for (std::size_t i = 0; i < page.size("/items"); ++i)
      values.push_back(page.text(fmt::format("/items/{}/{}", i, field)));
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, Lists, test::engines, test::engine_name);

// A value that the parameter accepts, made from its description in /openapi.json.
std::string value_for(const Field& field) {
  Schema schema;
  field.schema(schema);
  simdjson::dom::parser parser;
  const simdjson::dom::element type = parser.parse(schema.out);
  std::string_view name, format;
  simdjson::dom::array values;
  if (type["enum"].get(values) == simdjson::SUCCESS || type["items"]["enum"].get(values) == simdjson::SUCCESS) {
    return std::string(std::string_view(values.at(0)));
  }
  if (type["type"].get(name) != simdjson::SUCCESS) return "";
  if (type["format"].get(format) == simdjson::SUCCESS) return "2026-01-01T00:00:00Z";
  return name == "integer" ? "5" : name == "boolean" ? "true" : "x";
}

bool is_list(const api::Route& route) {
  return route.gives_pages() &&
         std::any_of(route.query.begin(), route.query.end(), [](const Field& field) { return field.key == "sort"; });
}

TEST_P(Lists, answer_every_parameter_alone_with_every_order_and_all_together) {
  std::size_t lists = 0;
  for (const api::Route& route : server.routes()) {
    if (!is_list(route)) continue;
    ++lists;
    std::string everything = route.path + "?total=true&limit=7";
    std::vector<std::string> sorts;
    for (const Field& field : route.query) {
      if (field.key == "sort") sorts = {value_for(field), "-" + value_for(field)};
    }
    for (const Field& field : route.query) {
      if (field.key == "sort" || field.key == "limit" || field.key == "cursor" || field.key == "total") continue;
      const std::string_view key = field.key == "metadata" ? "metadata[colour]" : field.key;
      const std::string parameter = fmt::format("{}={}", key, value_for(field));
      everything += "&" + parameter;
      for (const std::string& sort : sorts) {
        const HttpReply reply = admin.get(route.path + "?total=true&sort=" + sort + "&" + parameter);
        EXPECT_EQ(reply.status, 200) << route.path << " " << parameter << reply.body;
      }
    }
    EXPECT_EQ(admin.get(everything).status, 200) << everything;
    EXPECT_EQ(admin.get(route.path + "?sort=colour&limit=0&cursor=x").wrong_fields(),
              (Found{"cursor", "limit", "sort"}));
  }
  EXPECT_EQ(lists, 15u);
}

TEST_P(Lists, and_all_other_routes_refuse_unknown_parameters_with_strict_handling) {
  std::size_t asked = 0;
  for (const api::Route& route : server.routes()) {
    if (route.method != http::Method::get || route.raw_body || route.path.find(':') != std::string::npos) continue;
    const HttpReply refused =
        admin.get(route.path + "?colour=red&form=round&colour=blue", {{"Prefer", "handling=strict"}});
    ASSERT_EQ(refused.status, 400) << route.path << refused.body;
    const Found wrong = refused.wrong_fields();
    for (const char* unknown : {"colour", "form"}) {
      EXPECT_NE(std::find(wrong.begin(), wrong.end(), unknown), wrong.end()) << route.path << refused.body;
    }
    EXPECT_EQ(refused.header("preference-applied"), "handling=strict") << route.path;
    ++asked;
  }
  EXPECT_GT(asked, 20u);
}

TEST_P(Lists, describe_their_parameters) {
  simdjson::dom::parser parser;
  const std::string document = admin.get("/openapi.json").body;
  const simdjson::dom::element operation = parser.parse(document)["paths"]["/api/data/order"]["get"];
  bool described = false;
  for (const auto parameter : simdjson::dom::array(operation["parameters"])) {
    std::string_view name;
    if (parameter["name"].get(name) != simdjson::SUCCESS || name != "status") continue;
    described = std::string_view(parameter["schema"]["description"]) == "Orders in one of these statuses.";
  }
  EXPECT_TRUE(described);
}

TEST_P(Lists, of_customers_stay_a_bare_array_without_parameters) {
  for (const char* name : {"Ada", "Grace", "Zoë"}) {
    created(admin, "customer",
            fmt::format(R"({{"chatId":"id-{0}","chatUsername":"u","chatDisplayName":"{0}","email":"{1}@example.org",)"
                        R"("source":"{2}"}})",
                        name, name[0], name[0] == 'A' ? "EMAIL" : "CHAT"));
  }
  const std::string all = "/api/data/customer", first = found(all + "?limit=1&sort=createdAt", "id").front();
  EXPECT_EQ(admin.get(all).body.front(), '[');
  EXPECT_EQ(found(all + "?search=ZO%C3%8B", "chatDisplayName"), Found{"Zoë"});
  EXPECT_EQ(found(all + "?search=EXAMPLE", "chatDisplayName"), (Found{"Zoë", "Grace", "Ada"}));
  EXPECT_EQ(found(all + "?source=EMAIL", "chatDisplayName"), Found{"Ada"});
  EXPECT_EQ(found(all + "?sort=createdAt", "chatDisplayName"), (Found{"Ada", "Grace", "Zoë"}));
  admin.del(all + "/" + first);
  EXPECT_EQ(found(all + "?isActive=false", "chatDisplayName"), Found{"Ada"});
  EXPECT_EQ(admin.get(all + "?total=true").integer("/total"), 3);
  admin.patch(all + "/" + first, R"({"chatDisplayName":"Byron"})");
  EXPECT_EQ(found(all + "?search=BYRON", "chatId"), Found{"id-Ada"});
}

TEST_P(Lists, of_products_know_type_stock_and_price) {
  const auto make = [&](const std::string& sku, int price, const std::string& rest) {
    created(admin, "product",
            fmt::format(R"({{"name":"Thing {0}","sku":"{0}","priceCents":{1}{2}}})", sku, price, rest));
  };
  make("a", 300, R"(,"stockQuantity":0)");
  make("b", 200, R"(,"stockQuantity":5)");
  make("c", 100, R"(,"stockQuantity":6,"isDigital":true)");
  make("d", 400, R"(,"isActive":false)");
  make("e", 500, R"(,"stockQuantity":0,"inventoryTracked":false,"description":"Größe XL")");
  const std::string all = "/api/data/product";
  EXPECT_EQ(found(all + "?stock=out", "sku"), Found{"a"});
  EXPECT_EQ(found(all + "?stock=low", "sku"), (Found{"b", "a"}));
  EXPECT_EQ(found(all + "?type=digital", "sku"), Found{"c"});
  EXPECT_EQ(found(all + "?type=physical&isActive=true", "sku"), (Found{"e", "b", "a"}));
  EXPECT_EQ(found(all + "?search=GR%C3%96SSE", "sku"), Found{}) << "the sharp s stays what it is";
  EXPECT_EQ(found(all + "?search=GR%C3%96%C3%9FE", "sku"), Found{"e"});
  EXPECT_EQ(found(all + "?sku=b", "name"), Found{"Thing b"});
  EXPECT_EQ(found(all + "?sort=priceCents", "sku"), (Found{"c", "b", "a", "d", "e"}));
  EXPECT_EQ(found(all + "?sort=-sku&priceMax=300", "sku"), (Found{"c", "b", "a"}));
  EXPECT_EQ(admin.get(all + "?type=both&stock=in").wrong_fields(), (Found{"stock", "type"}));
}

TEST_P(Lists, of_discounts_users_shipments_and_entitlements_have_filters) {
  created(admin, "discount", R"({"code":"SUMMER","type":"PERCENT","percent":10})");
  created(admin, "discount", R"({"code":"Winter","type":"AMOUNT","amountCents":5,"lifecycle":{"isActive":false}})");
  EXPECT_EQ(found("/api/data/discount?search=summ", "code"), Found{"SUMMER"});
  EXPECT_EQ(found("/api/data/discount?isActive=false", "code"), Found{"Winter"});
  EXPECT_EQ(found("/api/data/discount?isActive=true", "code"), Found{"SUMMER"});
  EXPECT_EQ(found("/api/data/discount?type=AMOUNT", "code"), Found{"Winter"});

  created(admin, "user", R"({"username":"zoe","displayName":"Zoë","email":"z@example.org"})");
  created(admin, "user", R"({"username":"bob","displayName":"Bob","isAdmin":true})");
  EXPECT_EQ(found("/api/data/user?search=ZO%C3%8B", "username"), Found{"zoe"});
  EXPECT_EQ(found("/api/data/user?isAdmin=true&search=bob", "username"), Found{"bob"});
  EXPECT_EQ(found("/api/data/user?sort=username&search=o", "username"), (Found{"bob", "zoe"}));
  EXPECT_EQ(
      admin.get("/api/data/user?search=" + found("/api/data/user?sort=username", "username").front()).size("/items"),
      1u)
      << "the default admin, too";

  const std::string order = created(admin, "order", order_of("1", item("p", 1, 1)));
  created(admin, "shipment", R"({"orderId":")" + order + R"(","carrier":"UPS","trackingNumber":"1Z-77"})");
  created(admin, "shipment", R"({"orderId":"elsewhere","carrier":"DHL","status":"LABEL_CREATED"})");
  EXPECT_EQ(found("/api/data/shipment?orderId=" + order, "carrier"), Found{"UPS"});
  EXPECT_EQ(found("/api/data/shipment?status=LABEL_CREATED,SHIPPED", "carrier"), Found{"DHL"});
  EXPECT_EQ(found("/api/data/shipment?trackingNumber=1Z-77", "carrier"), Found{"UPS"});
  EXPECT_EQ(found("/api/data/shipment?search=1z-", "carrier"), Found{"UPS"});

  const auto entitle = [&](const std::string& user, const std::string& type, const std::string& status) {
    created(admin, "entitlement",
            fmt::format(R"({{"userId":"{}","orderId":"{}","productId":"p","type":"{}","status":"{}"}})", user, order,
                        type, status));
  };
  entitle("u-1", "DIGITAL_ITEM", "GRANTED");
  entitle("u-2", "CHAT_ROLE", "FAILED");
  EXPECT_EQ(found("/api/data/entitlement?status=FAILED", "userId"), Found{"u-2"});
  EXPECT_EQ(found("/api/data/entitlement?userId=u-1", "type"), Found{"DIGITAL_ITEM"});
  EXPECT_EQ(found("/api/data/entitlement?orderId=" + order, "userId"), (Found{"u-2", "u-1"}));
  EXPECT_EQ(found("/api/data/entitlement?type=CHAT_ROLE&productId=p", "userId"), Found{"u-2"});
}

TEST_P(Lists, of_webhook_events_and_the_audit_trail_have_filters) {
  for (const char* provider : {"WALLET", "APPPAY"}) {
    created(admin, "webhook-event", fmt::format(R"({{"provider":"{0}","eventId":"EV-{0}","payload":{{}}}})", provider));
  }
  const std::string all = "/api/data/webhook-event";
  EXPECT_EQ(found(all + "?provider=APPPAY", "eventId"), Found{"EV-APPPAY"});
  EXPECT_EQ(found(all + "?search=ev-w", "eventId"), Found{"EV-WALLET"});
  EXPECT_EQ(found(all + "?source=PROVIDER", "eventId"), Found{});
  EXPECT_EQ(found(all + "?source=MANUAL&sort=createdAt", "eventId"), (Found{"EV-WALLET", "EV-APPPAY"}));

  const std::string product = created(admin, "product", R"({"name":"a","sku":"a","priceCents":1})");
  admin.patch("/api/data/product/" + product, R"({"name":"b"})");
  const std::string trail = "/api/admin/audit?subject=product&subjectId=" + product;
  EXPECT_EQ(found(trail, "action"), (Found{"updated", "created"}));
  EXPECT_EQ(found(trail + "&sort=at", "action"), (Found{"created", "updated"}));
  EXPECT_EQ(found(trail + "&action=created", "action"), Found{"created"});
  EXPECT_EQ(found(trail + "&from=2020-01-01T00:00:00Z&to=2020-01-01T00:00:01Z", "action"), Found{});
  EXPECT_EQ(found(trail + "&actorKind=USER,TOKEN", "action"), (Found{"updated", "created"}));
  EXPECT_EQ(found(trail + "&actorKind=SYSTEM", "action"), Found{});
  const HttpReply first = admin.get(trail + "&limit=1");
  EXPECT_EQ(admin.get(trail + "&limit=1&cursor=" + first.text("/nextCursor")).text("/items/0/action"), "created");
}

}  // namespace
}  // namespace guildhall
