#include "app/ops/erase/erased_person.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

Customer peter() {
  Customer customer;
  customer.id = CustomerId(std::string("01993c4e-a2b4-7d55-9f32-6e708b9cad12"));
  customer.chat_id = "300000000000000001";
  customer.chat_username = "peter.p";
  customer.chat_display_name = "Peter";
  customer.email = "peter@example.org";
  customer.phone = "+46 70 123";
  return customer;
}

TEST(ErasedPerson, is_recognised_by_whole_fields_that_identify_somebody) {
  const ErasedPerson person(peter());
  const struct {
    const char *column, *text;
    bool named;
  } cases[] = {
      {"customer_id", "01993c4e-a2b4-7d55-9f32-6e708b9cad12", true},
      {"customer_id", "01993c4e-a2b4-7d55-9f32-6e708b9cad120", false},
      {"notes", "for 01993c4e-a2b4-7d55-9f32-6e708b9cad12", false},
      {"chat_user_id", "300000000000000001", true},
      {"role_id", "300000000000000001", false},
      {"to", "peter@example.org", true},
      {"to", "not-peter@example.org", false},
      {"customer", R"({"name":"Peter","email":null,"chatId":null})", false},
      {"customer", R"({"name":"Peter Panther"})", false},
      {"payload", R"({"orders":[{"customer":{"chatId":"300000000000000001"}}]})", true},
      {"payload", R"({"member":{"user":{"id":"300000000000000001"}}})", true},
      {"payload", R"({"guild":{"id":"300000000000000001"}})", false},
      {"payload", R"({"discount":{"customerIds":["01993c4e-a2b4-7d55-9f32-6e708b9cad12"]}})", true},
      {"payload", R"({"payload":"{\"to\":\"peter@example.org\"}"})", true},
      {"payload", R"({"text":"{peter@example.org"})", false},
      {"changes", R"({"chatUserId":{"before":null,"after":"300000000000000001"}})", true},
      {"changes", R"({"roleId":{"before":null,"after":"300000000000000001"}})", false},
      {"lane", "message.send:chat/300000000000000001", true},
      {"lane", "message.send", false},
  };
  for (const auto& each : cases) EXPECT_EQ(person.is_named_in(each.column, each.text), each.named) << each.text;
}

TEST(ErasedPerson, is_not_everybody_whatever_the_names_are) {
  for (const char* name : {"\"name\":", "PAID", "USD", "{}", "Peter"}) {
    Customer customer = peter();
    customer.chat_id = customer.chat_username = customer.chat_display_name = name;
    customer.phone = name;
    customer.email.reset();
    const ErasedPerson person(customer);
    for (const char* text : {"PAID", "USD", "{}", R"({"name":"Peter","status":"PAID","currency":"USD"})",
                             R"({"status":{"before":null,"after":"PAID"}})", R"({"id":"PAID"})"}) {
      EXPECT_FALSE(person.is_named_in("changes", text)) << name << " in " << text;
      EXPECT_FALSE(person.has_ordered(nullptr, R"({"name":"Peter Panther","chatId":null})")) << name;
    }
  }
}

TEST(ErasedPerson, has_placed_the_orders_of_the_customer_and_of_the_chat_id) {
  const ErasedPerson person(peter());
  const std::string own = "01993c4e-a2b4-7d55-9f32-6e708b9cad12", other = "01993c4e-a2b4-7d55-9f32-6e708b9cad13";
  EXPECT_TRUE(person.has_ordered(&own, R"({"name":"n"})"));
  EXPECT_TRUE(person.has_ordered(nullptr, R"({"name":"n","chatId":"300000000000000001"})"));
  EXPECT_FALSE(person.has_ordered(&other, R"({"name":"Peter","email":"peter@example.org"})"));
  Customer nobody = peter();
  nobody.chat_id.clear();
  EXPECT_FALSE(ErasedPerson(nobody).has_ordered(nullptr, R"({"name":"n","chatId":""})"));
}

TEST(ErasedPerson, is_searched_in_what_remains) {
  const ErasedPerson person(peter());
  EXPECT_TRUE(person.can_be_reached_by("payload", R"({"phone":"+46 70 123"})"));
  EXPECT_FALSE(person.can_be_reached_by("payload", R"({"name":"Peter"})"));
  EXPECT_TRUE(person.resembles("customer", R"({"name":"Peter"})"));
  EXPECT_FALSE(person.resembles("customer", R"({"name":"Peter Panther"})"));
}

// Documents inside documents do not decide the depth of a recursion.
TEST(ErasedPerson, is_found_in_a_deep_document) {
  std::string text = R"({"chatId":"300000000000000001"})";
  for (int i = 0; i < 200; ++i) text = "[" + text + "]";
  EXPECT_TRUE(ErasedPerson(peter()).is_named_in("payload", text));
  EXPECT_FALSE(ErasedPerson(peter()).is_named_in("payload", std::string(1'000'000, '[')));
}

}  // namespace
}  // namespace guildhall
