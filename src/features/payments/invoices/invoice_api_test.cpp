#include <gtest/gtest.h>
#include <thread>

#include "base/crypto.h"
#include "base/encoding.h"
#include "features/payments/invoices/invoice_token.h"
#include "support/eventually.h"
#include "support/paying_shop.h"
#include "support/pictures.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::TestServer;

class InvoiceLinks : public test::PayingShop {};
INSTANTIATE_TEST_SUITE_P(Pairs, InvoiceLinks, test::engines, test::engine_name);

// Everything but what differs between any two replies.
std::string comparable(HttpReply reply) {
  reply.headers.erase("x-request-id");
  reply.headers.erase("date");
  std::string text = std::to_string(reply.status) + reply.body;
  for (const auto& [name, value] : reply.headers) text += name + value;
  return text;
}

TEST_P(InvoiceLinks, the_page_says_what_is_owed) {
  admin.post("/api/data/discount", R"({"code":"TEN","type":"PERCENT","percent":10})");
  const std::string id = order(R"(,"discountCode":"TEN")");
  admin.patch("/api/data/order/" + id, R"({"taxAmountCents":123})");
  const HttpReply page = browser.get(link(id));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.header("cache-control"), "no-store");
  EXPECT_EQ(page.header("referrer-policy"), "no-referrer");
  EXPECT_NE(page.header("x-robots-tag").find("noindex"), std::string::npos);
  EXPECT_NE(page.header("content-security-policy").find("default-src 'none'"), std::string::npos);
  for (const char* text : {"A-1", "Ada &lt;b&gt;", "Sword &amp; shield", "$24.50", "$49.00", "Discount (TEN)", "−$4.90",
                           "Tax", "$1.23", "$45.33", "Pay with Bitcoin", "UTC"}) {
    EXPECT_NE(page.body.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.body.find("<script"), page.body.rfind("<script")) << "the script that shows times, and no other";
  EXPECT_EQ(page.body.find("BTC_MANUAL"), std::string::npos);
  EXPECT_EQ(page.body.find("WALLET"), std::string::npos) << "not enabled";
  ASSERT_EQ(admin.put("/api/admin/settings", R"({"timeZone":"Asia/Kolkata"})").status, 200);
  const std::string there = browser.get(link(id)).body;
  EXPECT_NE(there.find("(Asia/Kolkata)"), std::string::npos);
  EXPECT_EQ(there.find("UTC"), std::string::npos);
  admin.patch("/api/data/order/" + id, R"({"status":"CANCELLED"})");
  EXPECT_EQ(browser.get(link(id)).body.find("<button"), std::string::npos);
}

TEST_P(InvoiceLinks, the_page_is_in_the_buyers_language) {
  const std::string id = order(), page = link(id);
  const auto read = [&](const std::string& path, const std::string& languages) {
    return browser.send("GET", path, "", {{"Accept-Language", languages}}).body;
  };
  const std::string german = read(page, "de-AT,de;q=0.9,en;q=0.8");
  for (const char* text :
       {"<html lang=\"de\">", "Rechnung A-1", "Zwischensumme", "49,00\u00a0$", "Mit Bitcoin bezahlen"}) {
    EXPECT_NE(german.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(german.find("Subtotal"), std::string::npos);
  for (const char* english : {"en-GB,de;q=0.5", "fr", ""}) {
    EXPECT_NE(read(page, english).find("<html lang=\"en\">"), std::string::npos) << english;
  }
  EXPECT_NE(read("/orders/invoice/x", "de").find("Rechnung nicht gefunden"), std::string::npos);
  admin.patch("/api/data/order/" + id, R"({"status":"PAID"})");
  const std::string receipt = "/orders/receipt/" + page.substr(page.rfind('/') + 1);
  EXPECT_NE(read(page, "de").find(receipt + "\">Quittung ansehen"), std::string::npos);
  EXPECT_NE(read(page, "en").find(receipt + "\">Show the receipt"), std::string::npos);
  EXPECT_NE(read(receipt, "de").find("Bezahlt. Danke!"), std::string::npos);
}

TEST_P(InvoiceLinks, the_page_shows_the_shop_and_its_products) {
  const std::string bytes = test::png_of(test::quarters(40, 40));
  const auto put = [&](const std::string& path) {
    return admin.send("PUT", path, bytes, {{"Content-Type", "image/png"}});
  };
  const std::string plain = browser.get(link(order())).body;
  EXPECT_EQ(plain.find("<img"), std::string::npos);
  const std::string product =
      admin.post("/api/data/product", R"({"name":"Sword","sku":"S","priceCents":100})").text("/id");
  const std::string image = put("/api/data/product/" + product + "/image").text("/image/thumbnailUrl");
  const std::string logo = put("/api/admin/branding/logo").text("/logo/thumbnailUrl");
  admin.put("/api/admin/branding", R"({"name":"Blades & Co","accentColor":"#ffd400"})");
  const std::string id =
      admin
          .post("/api/data/order", fmt::format(R"({{"orderNumber":"B-1","customer":{{"name":"Ada"}},"items":[)"
                                               R"({{"productId":"{}","name":"Sword","sku":"S","quantity":1,)"
                                               R"("unitPriceCents":100}}]}})",
                                               product))
          .text("/id");
  const HttpReply page = browser.get(link(id));
  const std::string style = ":root{--brand:#ffd400;--brand-ink:#000000}";
  for (const std::string& text : {image, logo, style, std::string("Blades &amp; Co")}) {
    EXPECT_NE(page.body.find(text), std::string::npos) << text;
  }
  const Sha256 digest = sha256(style);
  const std::string policy = page.header("content-security-policy");
  EXPECT_NE(policy.find(base64(digest)), std::string::npos) << policy;
  EXPECT_NE(policy.find("img-src 'self' data:;"), std::string::npos) << policy;
}

// The API refuses such a colour. The page does not depend on that.
TEST_P(InvoiceLinks, the_page_uses_a_stored_colour_only_if_it_is_one) {
  admin.put("/api/admin/branding", R"({"accentColor":"#ffd400"})");
  const std::string path = link(order());
  static const Sql recolor("UPDATE branding SET accent_color = '</style><b>x</b>'");
  server.write([](Tx& tx) { tx.run({&recolor, {}}); });
  const HttpReply page = browser.get(path);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body.find("<b>x"), std::string::npos);
}

TEST_P(InvoiceLinks, the_page_offers_what_can_be_paid_with) {
  admin.put("/api/admin/payment-methods",
            R"({"methods":[{"method":"WALLET","enabled":true},{"method":"P2P","enabled":true},)"
            R"({"method":"CASH","enabled":true,"settings":{"instructions":"At the <b>service</b>.\nUntil 6 pm."}}]})");
  const std::string without = browser.get(link(order())).body;
  for (const char* hidden : {"Cash", "At the", "Bitcoin transfer", "Direct transfer"}) {
    EXPECT_EQ(without.find(hidden), std::string::npos) << "manual methods are not on the page by default";
  }
  const HttpReply shown =
      admin.put("/api/admin/payment-methods", R"({"methods":[{"method":"P2P","settings":{"showOnInvoice":true}},)"
                                              R"({"method":"BTC_MANUAL","settings":{"showOnInvoice":true}},)"
                                              R"({"method":"CASH","settings":{"showOnInvoice":true}}]})");
  EXPECT_TRUE(shown.boolean("/methods/6/settings/showOnInvoice")) << shown.body;
  const std::string page = browser.get(link(order())).body;
  EXPECT_NE(page.find("/pay/BTC_GATEWAY"), std::string::npos);
  EXPECT_EQ(page.find("/pay/WALLET"), std::string::npos) << "enabled, and cannot open a payment";
  EXPECT_NE(page.find("<h3>Cash</h3><p>At the &lt;b&gt;service&lt;/b&gt;.\nUntil 6 pm.</p>"), std::string::npos)
      << page;
  EXPECT_NE(page.find("<h3>Bitcoin transfer</h3><p>Please ask the shop"), std::string::npos) << "no instructions";
  EXPECT_NE(page.find("<h3>Direct transfer</h3>"), std::string::npos);
  for (const char* method : {"BTC_MANUAL", "P2P", "CASH"}) {
    EXPECT_EQ(page.find(fmt::format("/pay/{}", method)), std::string::npos) << "text, no button";
  }
  admin.put("/api/admin/payment-methods", R"({"methods":[{"method":"BTC_GATEWAY","enabled":false}]})");
  const std::string manual_only = browser.get(link(order())).body;
  EXPECT_EQ(manual_only.find("<button"), std::string::npos);
  EXPECT_EQ(manual_only.find("cannot be paid online"), std::string::npos);
  EXPECT_NE(manual_only.find("<h3>Cash</h3>"), std::string::npos);
}

TEST_P(InvoiceLinks, every_bad_link_gets_the_same_page) {
  const std::string id = order(), good = link(id);
  EXPECT_EQ(browser.get(good).status, 200);
  const std::string nowhere = comparable(browser.get("/orders/invoice/x"));
  EXPECT_EQ(nowhere.substr(0, 3), "404");
  std::string tampered = good;
  tampered[tampered.size() - 5] = tampered[tampered.size() - 5] == 'A' ? 'B' : 'A';
  EXPECT_EQ(comparable(browser.get(tampered)), nowhere);
  EXPECT_EQ(comparable(browser.get(tampered + "/return")), nowhere);
  for (const char* broken : {"%", "%zz", "%00", "%ff.x"}) {
    EXPECT_EQ(comparable(browser.get(std::string("/orders/invoice/") + broken)), nowhere) << broken;
  }
  EXPECT_EQ(comparable(browser.send("POST", tampered + "/pay/BTC_GATEWAY", "", {})), nowhere);
  for (const char* method : {"WALLET", "BTC_MANUAL", "CASH", "nonsense"}) {
    EXPECT_EQ(comparable(browser.send("POST", good + "/pay/" + method, "", {})), nowhere) << method;
  }
  EXPECT_EQ(admin.del("/api/orders/" + id + "/invoice-link").status, 204);
  EXPECT_EQ(comparable(browser.get(good)), nowhere) << "revoked";
  const std::string fresh = link(id);
  EXPECT_EQ(browser.get(fresh).status, 200);
  admin.del("/api/data/order/" + id);
  EXPECT_EQ(comparable(browser.get(fresh)), nowhere) << "deleted";
  server.add_tenant("other");
  const InvoiceSigner signer("2026:an invoice secret of the tests");
  const std::string kept = order();
  const Instant later = now() + std::chrono::hours(1);
  EXPECT_EQ(
      browser.get("/orders/invoice/" + signer.sign({TenantId(std::string("default")), OrderId(kept), later, 0})).status,
      200);
  for (const InvoiceLink& bad : {InvoiceLink{TenantId(std::string("other")), OrderId(kept), later, 0},
                                 InvoiceLink{TenantId(std::string("nobody")), OrderId(kept), later, 0},
                                 InvoiceLink{TenantId(std::string("default")), OrderId(kept), now(), 0},
                                 InvoiceLink{TenantId(std::string("default")), OrderId(kept), later, 1}}) {
    EXPECT_EQ(comparable(browser.get("/orders/invoice/" + signer.sign(bad))), nowhere);
  }
}

TEST_P(InvoiceLinks, links_are_made_by_admins_within_bounds) {
  const std::string path = "/api/orders/" + order() + "/invoice-link";
  EXPECT_TRUE(admin.post(path, "{}").text("/url").starts_with("https://shop.test/orders/invoice/"));
  EXPECT_EQ(admin.send("POST", path, "", {}).status, 200);
  for (const char* wrong : {"0", "31536001", "1.5", "\"60\""}) {
    EXPECT_EQ(admin.post(path, fmt::format(R"({{"expiresInSeconds":{}}})", wrong)).status, 400) << wrong;
  }
  EXPECT_EQ(admin.post("/api/orders/unknown/invoice-link", "{}").status, 404);
  const test::HttpHeaders key{{"Idempotency-Key", "link"}};
  const auto first = admin.post(path, "{}", key), again = admin.post(path, "{}", key);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("idempotent-replayed"), "true");
  EXPECT_EQ(admin.post(path, R"({"expiresInSeconds":60})", key).status, 409);
  EXPECT_EQ(server.member("default", "data.read", "data.write").post(path, "{}").status, 403);
  TestServer without(GetParam(), {{"INVOICE_LINK_SIGNING_SECRET", ""}});
  EXPECT_EQ(without.admin().post("/api/orders/unknown/invoice-link", "{}").status, 503);
}

TEST_P(InvoiceLinks, a_double_click_opens_one_payment) {
  sandbox.fail("gateway", sandbox::FaultKind::held);
  const std::string page = link(order());
  std::vector<std::string> targets(4);
  std::vector<std::thread> threads;
  for (std::string& target : targets) {
    threads.emplace_back(
        [&] { target = HttpClient(server.port()).send("POST", page + "/pay/BTC_GATEWAY", "", {}).header("location"); });
  }
  EXPECT_TRUE(test::eventually([&] { return sandbox.arrived("gateway") > 0; }));
  sandbox.recover("gateway");
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sandbox.payments("gateway"), 1);
  for (const std::string& target : targets) EXPECT_EQ(target, sandbox.checkout_url(sandbox.last_payment("gateway")));
}

TEST_P(InvoiceLinks, a_processor_that_is_down_costs_nothing_but_a_retry) {
  const std::string id = order(), page = link(id);
  sandbox.fail("gateway", sandbox::FaultKind::error);
  const HttpReply sorry =
      browser.send("POST", page + "/pay/BTC_GATEWAY", "x=1", {{"Content-Type", "application/x-www-form-urlencoded"}});
  EXPECT_EQ(sorry.status, 503);
  EXPECT_NE(sorry.body.find("Nothing was paid"), std::string::npos);
  EXPECT_NE(sorry.body.find("Try again"), std::string::npos);
  sandbox.recover("gateway");
  EXPECT_EQ(browser.send("POST", page + "/pay/BTC_GATEWAY", "", {}).header("location"),
            sandbox.checkout_url(sandbox.last_payment("gateway")));
  EXPECT_EQ(admin.get("/api/admin/payments").size("/items"), 1U) << "the same payment, tried again";
}

TEST_P(InvoiceLinks, are_described_with_the_form_that_pays) {
  const HttpReply description = browser.get("/openapi.json");
  EXPECT_TRUE(
      description.has("/paths/~1orders~1invoice~1{token}~1pay~1{method}/post/requestBody/content/"
                      "application~1x-www-form-urlencoded"));
}

TEST_P(InvoiceLinks, cannot_be_guessed) {
  const int tries = std::getenv("GUILDHALL_LONG") != nullptr ? 100'000 : 500;
  const std::string good = link(order()), payload = good.substr(0, good.find('.') + 1);
  const std::string nowhere = comparable(browser.get("/orders/invoice/x"));
  for (int i = 0; i < tries; ++i) {
    const std::string guess = i % 2 == 0 ? payload : "/orders/invoice/" + base64url(random_bytes(60)) + ".";
    ASSERT_EQ(comparable(browser.get(guess + base64url(random_bytes(32)))), nowhere) << "try " << i;
  }
}

}  // namespace
}  // namespace guildhall
