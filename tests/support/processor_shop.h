#pragma once

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "base/encoding.h"
#include "features/payments/processors/payment_signatures.h"
#include "support/certificates.h"
#include "support/shop.h"
#include "support/stand_in.h"
#include "support/test_server.h"

namespace guildhall::test {

inline const std::string certificate_path = "/v1/notifications/certs/CERT-1";

// A shop with all processors except the crypto gateway, and with orders of 49.00 USD. The stand-in `provider` plays all
// of the processors.
class ProcessorShop : public ::testing::TestWithParam<Engine> {
 protected:
  // `environment` adds to, or replaces, the configuration of the shop's server.
  explicit ProcessorShop(std::map<std::string, std::string> environment = {}) {
    std::ofstream(folder.path / "ca.pem") << authority.pem();
    provider.on("GET", certificate_path, StandInReply{.body = signing.pem()});
    provider.on("POST", "/v1/oauth2/token", StandInReply{.body = R"({"access_token":"bearer"})"});
    environment.merge(
        std::map<std::string, std::string>{{"SERVICE_ENV", "development"},
                                           {"INVOICE_LINK_SIGNING_SECRET", "an invoice secret of the tests"},
                                           {"PUBLIC_BASE_URL", "https://shop.test"},
                                           {"WALLET_BASE_URL", provider.url()},
                                           {"APPPAY_BASE_URL", provider.url()},
                                           {"CRYPTO_COMMERCE_BASE_URL", provider.url()},
                                           {"WALLET_CERT_ORIGIN", origin()},
                                           {"WALLET_CERT_CA_FILE", (folder.path / "ca.pem").string()}});
    server = std::make_unique<TestServer>(GetParam(), environment);
    admin = std::make_unique<CheckedClient>(server->admin());
    EXPECT_EQ(
        admin
            ->put(
                "/api/admin/payment-methods",
                R"({"methods":[{"method":"WALLET","enabled":true,"settings":{"webhookId":"hook"},)"
                R"("credentials":{"clientId":"id","clientSecret":"secret"}},)"
                R"({"method":"APPPAY","enabled":true,"settings":{"locationId":"loc"},)"
                R"("credentials":{"accessToken":"token","webhookSecret":"square"}},)"
                R"({"method":"CRYPTO_COMMERCE","enabled":true,"credentials":{"apiKey":"key","webhookSecret":"cc"}}]})")
            .status,
        200);
  }

  std::string origin() const { return "http://localhost:" + std::to_string(provider.port()); }

  std::string order(const std::string& product = "p", std::int64_t cents = 4900, const std::string& currency = "USD") {
    return admin
        ->post("/api/data/order", order_of(fmt::format("P-{}", ++orders), item(product, 1, cents),
                                           fmt::format(R"(,"currency":"{}")", currency)))
        .text("/id");
  }

  HttpReply pay(const std::string& order_id, const std::string& method) {
    page = "/orders/invoice/" + admin->post("/api/orders/" + order_id + "/invoice-link", "{}").text("/token");
    return HttpClient(server->port()).send("POST", page + "/pay/" + method, "", {});
  }

  int post(const std::string& path, const std::string& body, const HttpHeaders& headers) {
    return HttpClient(server->port()).send("POST", "/api/payments/" + path + "/webhook/default", body, headers).status;
  }

  // The headers of a webhook request of the wallet.
  HttpHeaders wallet_headers(const std::string& body, const std::string& webhook_id = "hook") const {
    const std::string signature = signing.sign(wallet_signed_text("t1", "2026-01-01T00:00:00Z", webhook_id, body));
    return {{"PAYPAL-TRANSMISSION-ID", "t1"},
            {"PAYPAL-TRANSMISSION-TIME", "2026-01-01T00:00:00Z"},
            {"PAYPAL-TRANSMISSION-SIG", base64(std::string_view(signature))},
            {"PAYPAL-CERT-URL", origin() + certificate_path},
            {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}};
  }

  int post_wallet(const std::string& body) { return post("wallet", body, wallet_headers(body)); }

  // The webhook event of the wallet for capture CAP1 of its order PP1.
  static std::string wallet_captured(const std::string& order_id) {
    return fmt::format(
        R"({{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{{"id":"CAP1","status":"COMPLETED",)"
        R"("custom_id":"{}","amount":{{"value":"49.00","currency_code":"USD"}},)"
        R"("supplementary_data":{{"related_ids":{{"order_id":"PP1"}}}}}}}})",
        order_id);
  }

  // Makes the wallet's API report that its order PP1 was paid with capture CAP1.
  void wallet_says_paid(const std::string& order_id, const std::string& amount = "49.00") {
    provider.on("GET", "/v2/checkout/orders/PP1",
                StandInReply{.body = fmt::format(
                                 R"({{"id":"PP1","status":"COMPLETED","purchase_units":[{{"custom_id":"{}","payments":)"
                                 R"({{"captures":[{{"id":"CAP1","status":"COMPLETED",)"
                                 R"("amount":{{"value":"{}","currency_code":"USD"}}}}]}}}}]}})",
                                 order_id, amount)});
  }

  // Makes the wallet's API report this refund of CAP1.
  void wallet_says_refunded(const std::string& refund, const std::string& amount,
                            const std::string& status = "COMPLETED") {
    provider.on(
        "GET", "/v2/payments/refunds/" + refund,
        StandInReply{.body = fmt::format(R"({{"id":"{}","status":"{}","amount":{{"value":"{}","currency_code":"USD"}},)"
                                         R"("links":[{{"rel":"up","href":"https://x/v2/payments/captures/CAP1"}}]}})",
                                         refund, status, amount)});
  }

  // Makes the app's API open payments as its order SO1.
  void apppay_opens() {
    provider.on("POST", "/v2/online-checkout/payment-links",
                StandInReply{.body = R"({"payment_link":{"id":"L1","order_id":"SO1","url":"https://pay.test/L1"}})"});
  }

  // Makes the app's API report that payment PAY1 has paid its order SO1.
  void apppay_says_paid() {
    provider.on("GET", "/v2/orders/SO1",
                StandInReply{.body = R"({"order":{"state":"OPEN","tenders":[{"payment_id":"PAY1"}]}})"});
    provider.on("GET", "/v2/payments/PAY1",
                StandInReply{.body = R"({"payment":{"id":"PAY1","order_id":"SO1","status":"COMPLETED",)"
                                     R"("amount_money":{"amount":4900,"currency":"USD"}}})"});
  }

  // The webhook event of the app for its payment `payment` of its order `order`; `order_id` is the id of our order in
  // the event.
  static std::string apppay_completed(const std::string& payment, const std::string& order,
                                      const std::string& order_id = "", const std::string& event_id = "p") {
    return fmt::format(
        R"({{"type":"payment.updated","event_id":"{}","data":{{"object":{{"payment":{{"id":"{}","order_id":"{}",)"
        R"("reference_id":"{}","status":"COMPLETED","amount_money":{{"amount":4900,"currency":"USD"}}}}}}}}}})",
        event_id, payment, order, order_id);
  }

  int post_apppay(const std::string& body, const std::string& secret = "square") {
    const std::string url = "https://shop.test/api/payments/apppay/webhook/default";
    return post("apppay", body, {{"x-square-hmacsha256-signature", apppay_signature(url, body, secret)}});
  }

  std::string status(const std::string& id) { return admin->get("/api/data/order/" + id).text("/status"); }

  TestCertificate authority{"Authority", nullptr};
  TestCertificate signing{"messages.localhost", &authority};
  TemporaryFolder folder;
  StandIn provider;
  std::unique_ptr<TestServer> server;
  std::unique_ptr<CheckedClient> admin;
  std::string page;
  int orders = 0;
};

}  // namespace guildhall::test
