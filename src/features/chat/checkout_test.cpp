// The total that a member sees before the payment, and the number of the order.
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

#include "support/chat_shop.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::HttpReply;

class ChatCheckout : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::ChatShop shop{GetParam()};
  ChatUser ada = shop.user("5");
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatCheckout, test::engines, test::engine_name);

// The number of the order that the reply is about.
std::string order_number_in(const HttpReply& placed) {
  const std::string title = placed.text("/data/embeds/0/title");
  EXPECT_TRUE(title.starts_with("Order ")) << placed.body;
  return title.substr(title.find(' ') + 1);
}

TEST_P(ChatCheckout, is_refused_at_another_total_than_the_shown_one) {
  const std::string song = shop.product("Song");
  const std::string discount =
      test::created(shop.admin, "discount", R"({"code":"HALF","type":"PERCENT","percent":50})");
  const HttpReply pay = shop.fill_cart(ada, song, {{"discount", "HALF"}});
  shop.admin.patch("/api/data/discount/" + discount, R"({"percent":10})");
  EXPECT_NE(ada.choose(component(pay, "pay"), "CASH").text("/data/content").find("it is $13.50 now"),
            std::string::npos);
  EXPECT_EQ(shop.orders(), 0);
  shop.admin.patch("/api/data/discount/" + discount, R"({"percent":50})");
  EXPECT_EQ(ada.choose(component(pay, "pay"), "CASH").text("/data/embeds/0/fields/0/value"), "$7.50");
}

TEST_P(ChatCheckout, has_the_shops_next_order_number) {
  const std::string song = shop.product("Song");
  const auto number = [&](ChatUser& buyer) {
    return order_number_in(buyer.choose(component(shop.fill_cart(buyer, song, {}), "pay"), "CASH"));
  };
  EXPECT_EQ(number(ada).size(), 11u) << "random without a prefix";
  ASSERT_EQ(shop.admin.put("/api/admin/settings", R"({"orderNumberPrefix":"LG-","orderNumberNext":1421})").status, 200);
  EXPECT_EQ(number(ada), "LG-1421");
  test::created(shop.admin, "order",
                R"({"orderNumber":"LG-1422","customer":{"name":"Bob"},"items":[{"productId":"p","name":"n","sku":"s",)"
                R"("quantity":1,"unitPriceCents":1}]})");
  EXPECT_EQ(number(ada), "LG-1423") << "a number that was given by hand is skipped";
  EXPECT_EQ(shop.admin.get("/api/admin/settings").integer("/orderNumberNext"), 1424);
}

TEST_P(ChatCheckout, at_the_same_time_as_others_has_a_number_of_its_own) {
  constexpr int buyers = 6, orders_each = 4;
  const std::string song = shop.product("Song");
  ASSERT_EQ(shop.admin.put("/api/admin/settings", R"({"orderNumberPrefix":"LG-"})").status, 200);
  std::mutex mutex;
  std::vector<std::string> numbers;
  std::vector<std::thread> threads;
  for (int i = 0; i < buyers; ++i) {
    threads.emplace_back([&, i] {
      ChatUser buyer = shop.user(std::to_string(50 + i));
      for (int n = 0; n < orders_each; ++n) {
        const HttpReply done = buyer.choose(component(shop.fill_cart(buyer, song, {}), "pay"), "CASH");
        const std::lock_guard lock(mutex);
        numbers.push_back(order_number_in(done));
      }
    });
  }
  // Somebody enters orders by hand with the same numbers at the same time.
  int by_hand = 0;
  auto staff = shop.server.admin();
  for (int n = 1001; n < 1001 + 2 * buyers * orders_each; n += 2) {
    by_hand +=
        staff
            .post("/api/data/order",
                  fmt::format(R"({{"orderNumber":"LG-{}","customer":{{"name":"Bob"}},"items":[{{"productId":"p",)"
                              R"("name":"n","sku":"s","quantity":1,"unitPriceCents":1}}]}})",
                              n))
            .status == 201;
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(buyers * orders_each));
  for (const std::string& number : numbers) EXPECT_TRUE(number.starts_with("LG-")) << number;
  EXPECT_EQ(std::set<std::string>(numbers.begin(), numbers.end()).size(), numbers.size());
  EXPECT_EQ(shop.orders(), buyers * orders_each + by_hand);
}

}  // namespace
}  // namespace guildhall
