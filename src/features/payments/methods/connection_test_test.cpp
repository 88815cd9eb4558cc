// Trying out the credentials of payment methods.
#include "support/processor_shop.h"

namespace guildhall {
namespace {

using test::HttpReply;

class MethodConnection : public test::ProcessorShop {
 protected:
  HttpReply tried(const std::string& method) {
    return admin->post("/api/admin/payment-methods/" + method + "/test", "");
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, MethodConnection, test::engines, test::engine_name);

TEST_P(MethodConnection, works_if_the_processor_accepts_the_credentials) {
  configure(fmt::format(
      R"({{"method":"BTC_GATEWAY","settings":{{"storeId":"{}"}},"credentials":{{"apiKey":"{}","webhookSecret":"s"}}}})",
      sandbox::gateway_store, sandbox.secret("gateway key")));
  for (const char* method : {"WALLET", "APPPAY", "CRYPTO_COMMERCE", "BTC_GATEWAY"}) {
    const HttpReply reply = tried(method);
    EXPECT_EQ(reply.status, 200) << method;
    EXPECT_TRUE(reply.boolean("/ok")) << method << reply.body;
  }
}

TEST_P(MethodConnection, says_why_it_does_not_work_without_a_secret_or_an_address) {
  configure(R"({"method":"WALLET","credentials":{"clientSecret":"a-wrong-secret"}},)"
            R"({"method":"APPPAY","settings":{"locationId":"nowhere"}})");
  const HttpReply wallet = tried("WALLET"), apppay = tried("APPPAY");
  EXPECT_FALSE(wallet.boolean("/ok"));
  EXPECT_EQ(wallet.text("/message"), "The processor refuses the credentials (status 401).");
  EXPECT_FALSE(apppay.boolean("/ok"));
  EXPECT_EQ(tried("BTC_GATEWAY").text("/message"), "Some of the values that this method needs are missing.");
  sandbox.stop();
  const HttpReply down = tried("WALLET");
  EXPECT_FALSE(down.boolean("/ok"));
  for (const HttpReply& reply : {wallet, apppay, down}) {
    EXPECT_EQ(reply.body.find("secret"), std::string::npos) << reply.body;
    EXPECT_EQ(reply.body.find("127.0.0.1"), std::string::npos) << reply.body;
  }
}

TEST_P(MethodConnection, uses_the_tenants_own_credentials_and_needs_an_admin) {
  server->add_tenant("other");
  auto other = server->member("other", "TenantAdmin");
  EXPECT_FALSE(other.post("/api/admin/payment-methods/WALLET/test", "").boolean("/ok"));
  EXPECT_EQ(sandbox.arrived("wallet"), 0) << "another tenant's credentials are not used";
  EXPECT_EQ(
      server->member("other", "data.read", "data.write").post("/api/admin/payment-methods/WALLET/test", "").status,
      403);
  EXPECT_EQ(tried("CASH").status, 404) << "a manual method has no processor";
  EXPECT_EQ(tried("SHELLS").status, 404);
}

class LimitedConnection : public test::ProcessorShop {
 protected:
  LimitedConnection() : ProcessorShop(test::Accounts::own, {{"RATE_LIMIT_DISABLED", "false"}}) {}
};
INSTANTIATE_TEST_SUITE_P(Pairs, LimitedConnection, test::engines, test::engine_name);

TEST_P(LimitedConnection, is_refused_after_twenty_tests_a_minute) {
  int refused = 0;
  for (int i = 0; i < 41; ++i) {
    refused += admin->post("/api/admin/payment-methods/BTC_GATEWAY/test", "").status == 429;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace guildhall
