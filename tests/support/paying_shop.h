#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/payments/processors/payment_signatures.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall::test {

inline std::string gateway_secret() {
  return TestSandbox::secret("gateway webhooks");
}

inline std::map<std::string, std::string> paying_environment(const TestSandbox& sandbox) {
  auto environment = sandbox.environment("CRYPTO_GATEWAY_");
  environment.insert({{"INVOICE_LINK_SIGNING_SECRET", "2026:an invoice secret of the tests"},
                      {"PUBLIC_BASE_URL", std::string(TestSandbox::server)},
                      {"PAYMENT_CHECK_AFTER_SECONDS", "1"}});
  return environment;
}

// A shop with one enabled processor, and orders of 49.00 USD.
class PayingShop : public ::testing::TestWithParam<Engine> {
 protected:
  PayingShop() {
    EXPECT_EQ(
        admin
            .put("/api/admin/payment-methods",
                 R"({"methods":[{"method":"BTC_GATEWAY","enabled":true},{"method":"BTC_MANUAL","enabled":true}]})")
            .status,
        200);
  }

  std::string order(const std::string& more = "") {
    const HttpReply made = admin.post(
        "/api/data/order",
        fmt::format(
            R"({{"orderNumber":"A-{}","customer":{{"name":"Ada <b>"}},"items":[{{"productId":"p","name":"Sword & shield",)"
            R"("sku":"S1","quantity":2,"unitPriceCents":2450}}]{}}})",
            ++orders, more));
    EXPECT_EQ(made.status, 201) << made.body;
    return made.text("/id");
  }

  std::string link(const std::string& order_id, const std::string& body = "{}") {
    const HttpReply made = admin.post("/api/orders/" + order_id + "/invoice-link", body);
    EXPECT_EQ(made.status, 200) << made.body;
    return "/orders/invoice/" + made.text("/token");
  }

  // Opens a payment with the button of the order's invoice; returns the gateway's id of the payment.
  std::string open(const std::string& order_id) {
    const HttpReply paid = browser.send("POST", link(order_id) + "/pay/BTC_GATEWAY", "", {});
    EXPECT_EQ(paid.status, 303) << paid.body;
    EXPECT_EQ(paid.header("location"), sandbox.checkout_url(sandbox.last_payment("gateway")));
    return sandbox.last_payment("gateway");
  }

  HttpReply webhook(const std::string& invoice, const std::string& type = "InvoiceSettled",
                    const std::string& tenant = "default", const std::string& rest = "") {
    const std::string body =
        fmt::format(R"({{"deliveryId":"d{}","originalDeliveryId":"o{}","type":"{}","invoiceId":"{}"{}}})", ++events,
                    events.load(), type, invoice, rest);
    return HttpClient(server.port())
        .send("POST", "/api/payments/crypto-gateway/webhook/" + tenant, body,
              {{"BTCPay-Sig", crypto_gateway_signature(body, gateway_secret())}});
  }

  std::string status(const std::string& order_id) { return admin.get("/api/data/order/" + order_id).text("/status"); }

  HttpReply attention() { return admin.get("/api/admin/payments?attention=true"); }

  TestSandbox sandbox;
  TestServer server{GetParam(), paying_environment(sandbox)};
  CheckedClient admin = server.admin();
  HttpClient browser{server.port()};
  int orders = 0;
  std::atomic<int> events = 0;
};

}  // namespace guildhall::test
