#pragma once

#include "base/json_writer.h"
#include "features/tenancy/guild_binding.h"
#include "support/chat_user.h"
#include "support/shop.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall::test {

// A shop that is bound to the chat server of a sandbox, with the members 5 and 6 and the channels 77 and 78, and that
// takes payments through the crypto gateway.
class ChatShop {
 public:
  explicit ChatShop(Engine engine, const std::map<std::string, std::string>& more = {})
      : server(engine, environment(more)), admin(server.admin()) {
    for (const char* member : {"5", "6"}) sandbox.add_member(member);
    for (const char* channel : {"77", "78"}) sandbox.add_channel(channel);
    server.write([](Tx& tx) { bind_guild(tx, TenantId(std::string("default")), "9001", now()); });
    set_methods(R"({"method":"CASH","enabled":true,"settings":{"instructions":"Pay at the bar."}},)"
                R"({"method":"BTC_GATEWAY","enabled":true})");
  }

  void set_methods(const std::string& methods) {
    const HttpReply reply = admin.put("/api/admin/payment-methods", fmt::format(R"({{"methods":[{}]}})", methods));
    if (reply.status != 200) throw std::runtime_error(reply.body);
  }

  void open_fund(const std::string& rest = "") {
    const HttpReply reply = admin.put("/api/admin/community-fund/config", R"({"enabled":true)" + rest + "}");
    if (reply.status != 200) throw std::runtime_error(reply.body);
  }

  // `rest` begins with a comma.
  std::string product(const std::string& name, const std::string& rest = R"(,"isDigital":true)") {
    return created(admin, "product",
                   fmt::format(R"({{"name":"{}","sku":"{}","priceCents":1500{}}})", name, name, rest));
  }

  ChatUser user(const std::string& id) const {
    ChatUser user(server.port(), id);
    user.sandbox = &sandbox;
    return user;
  }

  // Selects the product, opens the form and submits it; returns the message that asks how to pay.
  HttpReply fill_cart(ChatUser& user, const std::string& product, const ChatUser::Inputs& inputs = {}) {
    const HttpReply card = user.choose(component(user.command("shop"), "pick"), product);
    const HttpReply form = user.press(component(card, "buy"));
    return user.submit(component(form, "form"), inputs);
  }

  std::int64_t orders() { return static_cast<std::int64_t>(admin.get("/api/data/order").size("/items")); }

  // The calls that edited the answer to an interaction.
  std::vector<sandbox::Call> edits() const { return sandbox.calls("chat", "/webhooks/*/*/messages/@original"); }

  TestSandbox sandbox;
  TestServer server;
  CheckedClient admin;

 private:
  std::map<std::string, std::string> environment(std::map<std::string, std::string> more) {
    more.insert({"INVOICE_LINK_SIGNING_SECRET", "0123456789abcdef0123456789abcdef"});
    more.merge(sandbox.environment("CRYPTO_GATEWAY_"));
    more.merge(sandbox.environment("CHAT_"));
    return more;
  }
};

}  // namespace guildhall::test
