// The platform allows the bot three seconds for its first answer. This must also hold when many members buy at the same
// time and the payment gateway takes longer.
#include <gtest/gtest.h>
#include <thread>

#include "features/chat/cart.h"
#include "features/chat/custom_id.h"
#include "support/chat_shop.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr int members = 320, rounds = 2;
constexpr auto apart = 5ms;              // 200 requests per second
constexpr auto platform_waits = 3000ms;  // the platform's own time limit

class ChatLoad : public ::testing::TestWithParam<test::Engine> {
 protected:
  // Stores a full cart and returns the custom id with which its member pays.
  std::string cart_of(const std::string& user, const std::string& product) {
    const chat::Cart cart{.tenant_id = tenant,
                          .id = make_uuid(now()),
                          .chat_user_id = user,
                          .product_id = ProductId(product),
                          .quantity = 1,
                          .unit_price_cents = Cents(1500),
                          .currency = {},
                          .discount_code = {},
                          .shipping_address = {},
                          .anonymous = false,
                          .order_id = {},
                          .expires_at = now() + std::chrono::hours(1)};
    shop.server.write([&](Tx& tx) { chat::insert_cart(tx, cart); });
    return ids.sign({"pay", cart.id}, {tenant, user}, now());
  }

  const TenantId tenant{std::string("default")};
  test::ChatShop shop{GetParam()};
  chat::CustomIds ids{shop.server.config.session_signing_secrets};
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatLoad, test::engines, test::engine_name);

TEST_P(ChatLoad, is_answered_in_time_while_the_gateway_is_slow) {
  shop.sandbox.fail("gateway", sandbox::FaultKind::held);
  const std::string product = shop.product("Song");
  std::vector<std::string> carts;
  for (int i = 0; i < members * rounds; ++i) carts.push_back(cart_of(std::to_string(1000 + i), product));
  std::vector<steady_clock::duration> durations(carts.size());
  const auto begin = steady_clock::now() + 500ms;
  std::vector<std::thread> threads;
  for (int member = 0; member < members; ++member) {
    threads.emplace_back([&, member] {
      for (int i = member; i < members * rounds; i += members) {
        test::ChatUser user = shop.user(std::to_string(1000 + i));
        std::this_thread::sleep_until(begin + i * apart);
        const auto sent = steady_clock::now();
        EXPECT_EQ(user.choose(carts[static_cast<std::size_t>(i)], "BTC_GATEWAY").status, 200);
        durations[static_cast<std::size_t>(i)] = steady_clock::now() - sent;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  shop.sandbox.recover("gateway");
  EXPECT_LT(*std::max_element(durations.begin(), durations.end()), steady_clock::duration(platform_waits));
  EXPECT_EQ(shop.admin.get("/api/data/order/open/summary").integer("/totalOpen"), members * rounds);
}

}  // namespace
}  // namespace guildhall
