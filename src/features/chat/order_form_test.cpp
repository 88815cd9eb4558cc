#include "features/chat/order_form.h"

#include <gtest/gtest.h>

namespace guildhall::chat {
namespace {

TEST(OrderForm, reads_what_was_filled_in) {
  Product mug, song;
  mug.name = "Mug";
  song.is_digital = true;
  const auto filled = [](std::map<std::string, std::string> inputs) {
    Interaction interaction;
    interaction.display_name = "Ada";
    interaction.inputs = std::move(inputs);
    return interaction;
  };
  EXPECT_EQ(read_order_form(song, filled({{"quantity", " 3 "}, {"discount", " TEN "}})).quantity, 3);
  EXPECT_EQ(read_order_form(song, filled({{"discount", " TEN "}})).discount_code, "TEN");
  EXPECT_EQ(read_order_form(song, filled({})).quantity, 1) << "left empty";
  EXPECT_FALSE(read_order_form(song, filled({{"discount", " "}})).discount_code);
  for (const std::string wrong : {"0", "-1", "1.5", "two", "1x", "1000001", "99999999999999999999"}) {
    EXPECT_NE(read_order_form(song, filled({{"quantity", wrong}})).problems, "") << wrong;
  }
  EXPECT_NE(read_order_form(mug, filled({{"address", " \n"}})).problems, "");
  EXPECT_EQ(read_order_form(mug, filled({{"address", "Ada L\nStreet 1\nFlat 2\nLondon, LDN, W1, GB"}}))
                .shipping_address->text,
            R"({"name":"Ada L","line1":"Street 1","line2":"Flat 2","city":"London","state":"LDN","postalCode":"W1",)"
            R"("country":"GB"})");
  EXPECT_EQ(read_order_form(mug, filled({{"address", "Street 1, London"}})).shipping_address->text,
            R"({"name":"Ada","text":"Street 1, London"})")
      << "in another layout it is kept as written";
}

TEST(OrderForm, offers_the_address_that_is_known) {
  Product mug;
  mug.name = "Mug";
  Customer customer;
  customer.addresses.push_back({.address_id = {"home"},
                                .name = {"Ada L"},
                                .line1 = {"Street 1"},
                                .line2 = {},
                                .city = {"London"},
                                .state = {"LDN"},
                                .postal_code = {"W1"},
                                .country = {"GB"},
                                .phone = {}});
  EXPECT_EQ(default_address(customer), nullptr);
  customer.default_address_id = "home";
  const Modal form = order_form(mug, default_address(customer), "f.1");
  EXPECT_EQ(form.inputs.back().value, "Ada L\nStreet 1\nLondon, LDN, W1, GB");
}

}  // namespace
}  // namespace guildhall::chat
