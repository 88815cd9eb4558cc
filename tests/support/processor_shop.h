#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/payments/processors/payment_signatures.h"
#include "support/shop.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall::test {

// Whose accounts a shop uses at the processors: its own, or those of the operator.
enum class Accounts { own, operators };

// A shop with all processors, and with orders of 49.00 USD.
class ProcessorShop : public ::testing::TestWithParam<Engine> {
 protected:
  // `environment` adds to, or replaces, the configuration of the shop's server.
  explicit ProcessorShop(Accounts accounts = Accounts::own, std::map<std::string, std::string> environment = {}) {
    environment.merge(std::map<std::string, std::string>{
        {"SERVICE_ENV", "development"}, {"INVOICE_LINK_SIGNING_SECRET", "an invoice secret of the tests"}});
    environment.merge(accounts == Accounts::own ? sandbox.addresses() : sandbox.environment());
    server = std::make_unique<TestServer>(GetParam(), environment);
    admin = std::make_unique<CheckedClient>(server->admin());
    configure(R"({"method":"WALLET","enabled":true},{"method":"APPPAY","enabled":true},)"
              R"({"method":"CRYPTO_COMMERCE","enabled":true})");
    if (accounts == Accounts::own) set_own_accounts();
  }

  HttpReply configure(const std::string& methods) {
    const HttpReply changed = admin->put("/api/admin/payment-methods", fmt::format(R"({{"methods":[{}]}})", methods));
    EXPECT_EQ(changed.status, 200) << changed.body;
    return changed;
  }

  void set_own_accounts() {
    configure(fmt::format(R"({{"method":"WALLET","settings":{{"webhookId":"{}"}},)"
                          R"("credentials":{{"clientId":"{}","clientSecret":"{}"}}}})",
                          sandbox::wallet_webhook, sandbox.secret("wallet client"), sandbox.secret("wallet secret")));
    configure(fmt::format(R"({{"method":"APPPAY","settings":{{"locationId":"{}"}},)"
                          R"("credentials":{{"accessToken":"{}","webhookSecret":"{}"}}}})",
                          sandbox::card_location, sandbox.secret("card token"), sandbox.secret("card webhooks")));
    configure(fmt::format(R"({{"method":"CRYPTO_COMMERCE","credentials":{{"apiKey":"{}","webhookSecret":"{}"}}}})",
                          sandbox.secret("commerce key"), sandbox.secret("commerce webhooks")));
  }

  std::string order(const std::string& product = "p", std::int64_t cents = 4900, const std::string& currency = "USD") {
    return admin
        ->post("/api/data/order", order_of(fmt::format("P-{}", ++orders), item(product, 1, cents),
                                           fmt::format(R"(,"currency":"{}")", currency)))
        .text("/id");
  }

  // Presses the button of the order's invoice page.
  HttpReply pay(const std::string& order_id, const std::string& method) {
    page = "/orders/invoice/" + admin->post("/api/orders/" + order_id + "/invoice-link", "{}").text("/token");
    return HttpClient(server->port()).send("POST", page + "/pay/" + method, "", {});
  }

  // The same, and returns the sandbox's id of the payment.
  std::string open(const std::string& order_id, const std::string& method) {
    const std::string location = pay(order_id, method).header("location");
    const std::string id = location.substr(location.rfind('/') + 1);
    EXPECT_EQ(location, sandbox.checkout_url(id));
    return id;
  }

  // Sends a webhook and returns the status of the reply.
  int send(const SignedWebhook& webhook) {
    return HttpClient(server->port()).send("POST", webhook.path, webhook.body, webhook.headers).status;
  }

  // Carries out the action at the sandbox and sends all its webhooks.
  void act(const std::string& payment, std::string_view action, std::optional<std::int64_t> cents = {}) {
    for (const SignedWebhook& webhook : sandbox.act(payment, action, cents)) EXPECT_EQ(send(webhook), 200);
  }

  // Sends the webhooks that the parties wanted to send by themselves.
  void send_waiting() {
    for (const SignedWebhook& webhook : sandbox.take_webhooks()) EXPECT_EQ(send(webhook), 200);
  }

  // An event of the card processor with this body, signed with the secret.
  int send_card(const std::string& body, const std::string& secret = sandbox_secrets().of("card webhooks")) {
    const std::string path = "/api/payments/apppay/webhook/default";
    return send(
        {path,
         body,
         {{"x-square-hmacsha256-signature", apppay_signature(std::string(TestSandbox::server) + path, body, secret)}}});
  }

  int send_wallet(const std::string& body) {
    return send(sandbox.sign("wallet", "/api/payments/wallet/webhook/default", body));
  }

  // The card processor's event for a payment of its order. `order_id` is the id of our order in the event.
  static std::string card_completed(const std::string& payment, const std::string& order,
                                    const std::string& order_id = "", const std::string& event_id = "p") {
    return fmt::format(
        R"({{"type":"payment.updated","event_id":"{}","data":{{"object":{{"payment":{{"id":"{}","order_id":"{}",)"
        R"("reference_id":"{}","status":"COMPLETED","amount_money":{{"amount":4900,"currency":"USD"}}}}}}}}}})",
        event_id, payment, order, order_id);
  }

  // The wallet's event for a capture of its order.
  static std::string wallet_captured(const std::string& capture, const std::string& order, const std::string& order_id,
                                     const std::string& amount = "49.00", const std::string& event_id = "WH-1") {
    return fmt::format(
        R"({{"id":"{}","event_type":"PAYMENT.CAPTURE.COMPLETED","note":"AAAAAAAAAAAAAAAA","resource":{{"id":"{}",)"
        R"("status":"COMPLETED","custom_id":"{}","amount":{{"value":"{}","currency_code":"USD"}},)"
        R"("supplementary_data":{{"related_ids":{{"order_id":"{}"}}}}}}}})",
        event_id, capture, order_id, amount, order);
  }

  std::string status(const std::string& id) { return admin->get("/api/data/order/" + id).text("/status"); }

  TestSandbox sandbox;
  std::unique_ptr<TestServer> server;
  std::unique_ptr<CheckedClient> admin;
  std::string page;
  int orders = 0;
};

}  // namespace guildhall::test
