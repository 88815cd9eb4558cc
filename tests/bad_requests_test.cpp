// Tests what the API answers to requests that are wrong in several places, that lack an id, or that lack a valid
// session or token.
#include <gtest/gtest.h>

#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpHeaders, test::HttpReply;
using Fields = std::vector<std::string>;

const HttpHeaders strict_handling{{"Prefer", "handling=strict"}};

class BadRequests : public test::OnEachPair {
 protected:
  std::string id_of(const std::string& path, const std::string& body) {
    const HttpReply made = admin.post(path, body);
    EXPECT_EQ(made.status, 201) << made.body;
    return made.text("/id");
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, BadRequests, test::engines, test::engine_name);

TEST_P(BadRequests, get_every_wrong_field_of_an_order) {
  const std::string mug = id_of("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":500,"currency":"USD"})");
  const auto items = [&](const std::string& first) {
    return R"([)" + first + R"(,{"productId":")" + mug + R"(","quantity":1,"currency":"EUR"}])";
  };
  const std::string body = R"({"orderNumber":"1","customer":{"name":5,"email":"nobody"},"items":)" +
                           items(R"({"productId":"none","name":"","quantity":1})") + "}";
  const Fields wrong{"customer.email", "customer.name",           "items[0].name",
                     "items[0].sku",   "items[0].unitPriceCents", "items[1].currency"};
  EXPECT_EQ(admin.post("/api/data/order", body).wrong_fields(), wrong);
  const std::string id =
      id_of("/api/data/order",
            R"({"orderNumber":"2","customer":{"name":"Ada"},"items":[{"productId":")" + mug + R"(","quantity":1}]})");
  EXPECT_EQ(admin.patch("/api/data/order/" + id, body).wrong_fields(), wrong);
  EXPECT_EQ(admin.patch("/api/data/order/none", body).wrong_fields(),
            (Fields{"customer.email", "customer.name", "items[0].name", "items[0].sku", "items[0].unitPriceCents",
                    "items[1].currency"}))
      << "a wrong body is reported before an unknown record";
  EXPECT_EQ(admin.post("/api/data/order/quote", R"({"customerId":5,"items":)" + items("5") + "}").wrong_fields(),
            (Fields{"customerId", "items[0]", "items[1].currency"}));
  EXPECT_EQ(admin.post("/api/data/order/quote", R"({"currency":"euro","items":)" + items("5") + "}").wrong_fields(),
            (Fields{"currency", "items[0]"}))
      << "nothing can be said about the currency of the item";
}

TEST_P(BadRequests, get_every_wrong_field_wherever_it_is_checked) {
  struct Case {
    std::string_view method, path, body;
    Fields wrong;
  };
  const std::string discount = id_of("/api/data/discount", R"({"type":"PERCENT","percent":5})");
  const std::string endpoint = id_of("/api/admin/webhook-endpoints", R"({"url":"https://example.com"})");
  const std::string user = id_of("/api/data/user", R"({"username":"ada","displayName":"Ada"})");
  const std::string times = R"("startsAt":"2026-02-01T00:00:00Z","endsAt":"2026-01-01T00:00:00Z")";
  const std::string discount_path = "/api/data/discount/" + discount, grants_path = "/api/admin/grants/" + user,
                    endpoint_path = "/api/admin/webhook-endpoints/" + endpoint,
                    lifecycle = R"({"lifecycle":{"usageLimit":0,)" + times + "}}",
                    new_discount = R"({"type":"PERCENT","lifecycle":{"usageLimit":0,)" + times + "}}";
  const Case cases[] = {
      {"POST",
       "/api/admin/webhook-endpoints",
       R"({"url":"http://example.com","description":5,"events":["x","order.paid"]})",
       {"description", "events[0]", "url"}},
      {"PATCH",
       endpoint_path,
       R"({"url":"https://localhost","events":["x"],"enabled":1})",
       {"enabled", "events[0]", "url"}},
      {"POST", "/api/data/discount", new_discount, {"lifecycle.endsAt", "lifecycle.usageLimit", "percent"}},
      {"PATCH", discount_path, lifecycle, {"lifecycle.endsAt", "lifecycle.usageLimit"}},
      {"POST",
       "/api/admin/tokens",
       R"({"name":5,"keys":["a b"],"expiresAt":"2020-01-01T00:00:00Z"})",
       {"expiresAt", "keys[0]", "name"}},
      {"POST",
       "/api/admin/invitations",
       R"({"email":"nobody","keys":["a b",5],"expiresAt":"2020-01-01T00:00:00Z"})",
       {"email", "expiresAt", "keys[0]", "keys[1]"}},
      {"POST",
       "/api/admin/roles",
       R"({"name":"a b","keys":["TenantAdmin"],"description":5})",
       {"description", "keys[0]", "name"}},
      {"PUT", grants_path, R"({"keys":["a b","c d",5]})", {"keys[0]", "keys[1]", "keys[2]"}},
      {"POST",
       "/api/admin/community-fund/disbursements",
       R"({"recipientCustomerId":"none","amountCents":0,"reason":""})",
       {"amountCents", "reason", "recipientCustomerId"}},
      {"POST", "/api/admin/codes", R"({"productId":"none","count":0})", {"count", "productId"}},
      {"PUT",
       "/api/admin/auth-providers/chat",
       R"({"redirectUri":"https://evil.example","scopes":5})",
       {"clientId", "redirectUri", "scopes"}},
      {"PUT",
       "/api/admin/messages",
       R"({"texts":[{"kind":"ORDER_PAID","locale":"x","subject":"{nothing}"},{"kind":"ORDER_PAID","locale":"de","email":"{x}"},{"kind":"NO","locale":"de","email":"{x}"}]})",
       {"texts[0].locale", "texts[0].subject", "texts[1].email", "texts[2].kind"}},
      {"POST",
       "/api/data/product",
       R"({"name":"M","sku":"M","priceCents":1,"membership":{"graceDays":-1,"reminderDays":[1,1]}})",
       {"membership.graceDays", "membership.periodDays", "membership.reminderDays"}},
  };
  for (const auto& [method, path, body, wrong] : cases) {
    const HttpReply reply =
        admin.send(std::string(method), std::string(path), std::string(body), {{"Content-Type", "application/json"}});
    EXPECT_EQ(reply.status, 400) << method << " " << path << reply.body;
    EXPECT_EQ(reply.wrong_fields(), wrong) << method << " " << path << reply.body;
  }
}

TEST_P(BadRequests, without_an_id_name_the_parameter) {
  const std::string json = "{}";
  EXPECT_EQ(admin.patch("/api/data/customer//default-address", json).wrong_fields(), Fields{"id"});
  EXPECT_EQ(admin.send("DELETE", "/api/data/customer//address/", "", {}).wrong_fields(), (Fields{"addressId", "id"}));
  EXPECT_EQ(admin.get("/api/data/order/").wrong_fields(), Fields{"id"});
  EXPECT_EQ(server.client().get("/api/data/order/").status, 401) << "the session is checked first";
  EXPECT_EQ(server.client().get("/orders/invoice/").status, 404);
  EXPECT_EQ(server.client().post("/auth//login", json).status, 404);
  EXPECT_EQ(admin.get("/api/data//").status, 404);
}

TEST_P(BadRequests, without_authentication_learn_how_to_authenticate) {
  CheckedClient nobody = server.client();
  const auto challenge = [](const HttpReply& reply) { return reply.header("www-authenticate"); };
  const HttpReply none = nobody.get("/api/data/order");
  EXPECT_EQ(none.code(), "UNAUTHENTICATED");
  EXPECT_EQ(challenge(none), R"(Bearer realm="guildhall", Cookie realm="guildhall", cookie-name="service_auth")");
  EXPECT_EQ(challenge(nobody.get("/auth/me")), R"(Cookie realm="guildhall", cookie-name="service_auth")");
  for (const char* token : {"Bearer gh_wrong", "bearer x", "Bearer", "Bearer "}) {
    const HttpReply wrong = admin.get("/api/data/order", {{"Authorization", token}});
    EXPECT_EQ(wrong.status, 401) << "a token counts, even if the request has a session, too";
    EXPECT_EQ(wrong.code(), "INVALID_TOKEN") << token;
    EXPECT_NE(challenge(wrong).find(R"(Bearer realm="guildhall", error="invalid_token")"), std::string::npos);
  }
  EXPECT_EQ(nobody.get("/api/data/order", {{"Authorization", "Basic YTpi"}}).code(), "UNAUTHENTICATED");
  EXPECT_EQ(challenge(admin.get("/api/data/order")), "");
}

TEST_P(BadRequests, in_strict_mode_learn_which_read_only_fields_had_no_effect) {
  const HttpReply made =
      admin.post("/api/data/discount",
                 R"({"type":"PERCENT","percent":5,"usageCount":9,"id":"mine","tenantId":"default"})", strict_handling);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.header("ignored-fields"), "usageCount, id");
  const std::string path = "/api/data/discount/" + made.text("/id");
  EXPECT_EQ(admin.patch(path, admin.get(path).body, strict_handling).header("ignored-fields"), "")
      << "the values are the same";
  EXPECT_EQ(admin.patch(path, R"({"usageCount":9,"percent":6})", strict_handling).header("ignored-fields"),
            "usageCount");
  EXPECT_EQ(admin.patch(path, R"({"usageCount":9})").header("ignored-fields"), "") << "nobody asked for it";
}

TEST(TooManyRequests, say_how_much_of_the_window_is_left) {
  test::TestServer server(test::Engine::sqlite, {{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_TENANT_PER_MIN", "2"}});
  CheckedClient admin = server.admin();
  HttpReply reply;
  for (int i = 0; i < 4; ++i) reply = admin.get("/api/data/order");
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.header("retry-after"), "60") << "the length of the window, as the contract says";
  EXPECT_EQ(reply.header("ratelimit-remaining"), "0");
  const int left = std::stoi(std::string(reply.header("ratelimit-reset")));
  EXPECT_GT(left, 0);
  EXPECT_LE(left, 60);
}

}  // namespace
}  // namespace guildhall
