#pragma once

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "base/encoding.h"
#include "features/payments/payment_signatures.h"
#include "support/certificates.h"
#include "support/shop.h"
#include "support/stand_in.h"
#include "support/test_server.h"

namespace guildhall::test {

// A shop with every processor but the crypto gateway, all of which are `provider`, and orders of 49.00 USD.
class ProcessorShop : public ::testing::TestWithParam<Engine> {
 protected:
  ProcessorShop() {
    std::ofstream(folder.path / "ca.pem") << authority.pem();
    provider.on("GET", "/cert", StandInReply{.body = signing.pem()});
    server = std::make_unique<TestServer>(
        GetParam(),
        std::map<std::string, std::string>{{"SERVICE_ENV", "development"},
                                           {"INVOICE_LINK_SIGNING_SECRET", "an invoice secret of the tests"},
                                           {"PUBLIC_BASE_URL", "https://shop.test"},
                                           {"WALLET_BASE_URL", provider.url()},
                                           {"APPPAY_BASE_URL", provider.url()},
                                           {"CRYPTO_COMMERCE_BASE_URL", provider.url()},
                                           {"WALLET_CERT_ORIGIN", origin()},
                                           {"WALLET_CERT_CA_FILE", (folder.path / "ca.pem").string()}});
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

  int post_wallet(const std::string& body) {
    const std::string signature = signing.sign(wallet_signed_text("t1", "2026-01-01T00:00:00Z", "hook", body));
    return post("wallet", body,
                {{"PAYPAL-TRANSMISSION-ID", "t1"},
                 {"PAYPAL-TRANSMISSION-TIME", "2026-01-01T00:00:00Z"},
                 {"PAYPAL-TRANSMISSION-SIG", base64(std::string_view(signature))},
                 {"PAYPAL-CERT-URL", origin() + "/cert"},
                 {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}});
  }

  int post_apppay(const std::string& body) {
    const std::string url = "https://shop.test/api/payments/apppay/webhook/default";
    return post("apppay", body, {{"x-square-hmacsha256-signature", apppay_signature(url, body, "square")}});
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
