#include "features/orders/order_pricing.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace guildhall {
namespace {

OrderItem priced(std::string product, std::int64_t quantity, std::int64_t cents) {
  return {ProductId(std::move(product)), {"Thing"}, {"T"}, {quantity}, Cents(cents), Currency()};
}

struct Shopper {
  std::vector<OrderItem> items;
  std::optional<CustomerId> customer_id;
  std::vector<std::string> roles;

  Basket basket() const { return {items, Currency(), customer_id, roles}; }
};

Discount percent_off(std::int64_t hundredths) {
  Discount discount;
  discount.percent = Percent{hundredths};
  return discount;
}

Discount amount_off(std::int64_t cents) {
  Discount discount;
  discount.type = DiscountType::AMOUNT;
  discount.amount_cents = Cents(cents);
  return discount;
}

std::string code_of(FunctionRef<void()> action) {
  try {
    action();
  } catch (const Failure& failure) {
    return failure.code;
  }
  return "ok";
}

std::vector<OrderItem> some_items() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 8);
  std::vector<OrderItem> items;
  for (std::size_t i = 0; i < count; ++i) {
    items.push_back(priced(std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 4))),
                           *rc::gen::inRange<std::int64_t>(1, 1000), *rc::gen::inRange<std::int64_t>(0, 10'000'000)));
  }
  return items;
}

Discount some_discount() {
  Discount discount = *rc::gen::arbitrary<bool>() ? percent_off(*rc::gen::inRange<std::int64_t>(100, 10'001))
                                                  : amount_off(*rc::gen::inRange<std::int64_t>(1, 5'000'000'000));
  if (*rc::gen::arbitrary<bool>()) {
    discount.scope.applies_to_all = false;
    discount.scope.product_ids = {"a", "b"};
  }
  return discount;
}

TEST(Pricing, adds_up_and_never_takes_off_more_than_the_items_cost) {
  EXPECT_TRUE(rc::check([] {
    const Shopper shopper{some_items(), std::nullopt, {}};
    const Discount discount = some_discount();
    std::int64_t subtotal = 0, eligible = 0;
    for (const OrderItem& item : shopper.items) {
      const std::int64_t line = item.quantity * item.unit_price_cents.value();
      subtotal += line;
      if (discount.scope.applies_to_all || item.product_id.text() <= "b") eligible += line;
    }
    RC_ASSERT(subtotal_of(shopper.items).value() == subtotal);
    try {
      const AppliedDiscount applied = apply_discount(discount, shopper.basket());
      RC_ASSERT(applied.eligible_subtotal_cents.value() == eligible);
      RC_ASSERT(applied.discount_cents.value() <= eligible);
      if (discount.type == DiscountType::AMOUNT) {
        RC_ASSERT(applied.discount_cents == std::min(*discount.amount_cents, applied.eligible_subtotal_cents));
      } else {  // half up: 2 × exact − 1 < 2 × rounded ≤ 2 × exact + 1, in ten-thousandths
        const std::int64_t exact = eligible * discount.percent->hundredths;
        RC_ASSERT(2 * applied.discount_cents.value() * 10'000 <= 2 * exact + 10'000);
        RC_ASSERT(2 * applied.discount_cents.value() * 10'000 > 2 * exact - 10'000);
        RC_ASSERT(exact == applied.discount_cents.value() * 10'000 + applied.rest_ten_thousandths);
      }
    } catch (const Failure& failure) {
      RC_ASSERT(failure.code == "DISCOUNT_NOT_ELIGIBLE");
      RC_ASSERT(eligible == 0);
    }
  }));
}

TEST(Pricing, is_the_same_in_any_order_of_the_items) {
  EXPECT_TRUE(rc::check([] {
    Shopper shopper{some_items(), std::nullopt, {}};
    shopper.items.push_back(priced("a", 1, 1));
    const Discount discount = some_discount();
    const Cents before = apply_discount(discount, shopper.basket()).discount_cents;
    for (std::size_t i = shopper.items.size() - 1; i > 0; --i) {
      std::swap(shopper.items[i], shopper.items[*rc::gen::inRange<std::size_t>(0, i + 1)]);
    }
    RC_ASSERT(apply_discount(discount, shopper.basket()).discount_cents == before);
  }));
}

TEST(Pricing, refuses_what_is_too_large_and_never_wraps) {
  EXPECT_TRUE(rc::check([] {
    Shopper shopper;
    const auto count = *rc::gen::inRange<std::size_t>(1, 6);
    __extension__ __int128 exact = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto quantity = *rc::gen::inRange<std::int64_t>(1, safe_integer_max);
      const auto price = *rc::gen::inRange<std::int64_t>(0, Cents::value_max);
      shopper.items.push_back(priced("a", quantity >> *rc::gen::inRange(0, 50), price >> *rc::gen::inRange(0, 50)));
      OrderItem& item = shopper.items.back();
      if (item.quantity == 0) item.quantity.value = 1;
      exact += static_cast<__int128>(item.quantity.value) * item.unit_price_cents.value();
    }
    const bool fits = exact <= Cents::value_max;
    const std::string code = code_of([&] {
      RC_ASSERT(subtotal_of(shopper.items).value() == static_cast<std::int64_t>(exact));
      const auto hundredths = *rc::gen::inRange<std::int64_t>(100, 10'001);
      RC_ASSERT(apply_discount(percent_off(hundredths), shopper.basket()).discount_cents.value() <=
                static_cast<std::int64_t>(exact));
    });
    RC_ASSERT(code == (fits ? "ok" : "AMOUNT_OUT_OF_RANGE"));
  }));
}

TEST(Pricing, rounds_half_up) {
  struct Case {
    std::int64_t cents, hundredths, expected;
  };
  const Case cases[] = {{100, 1000, 10},
                        {105, 1000, 11},
                        {104, 1000, 10},
                        {1, 5000, 1},
                        {1, 4999, 0},
                        {333, 3333, 111},
                        {Cents::value_max, 10'000, Cents::value_max},
                        {2001, 1250, 250},
                        {999'999, 1, 100},
                        {0, 10'000, 0}};
  for (const Case& c : cases) {
    EXPECT_EQ(share_of(Cents(c.cents), Percent{c.hundredths}).cents.value(), c.expected)
        << c.cents << " × " << c.hundredths;
  }
}

TEST(Eligibility, asks_every_list_that_is_given) {
  const Shopper ada{{priced("a", 1, 100), priced("b", 2, 50)}, CustomerId(std::string("ada")), {"r1", "r2"}};
  const auto judged = [&](const char* scope) {
    Discount discount = amount_off(1000);
    discount.scope = from_json<DiscountScope>(scope);
    try {
      return std::to_string(apply_discount(discount, ada.basket()).discount_cents.value());
    } catch (const Failure& failure) {
      return failure.code;
    }
  };
  const auto scoped = [](const char* products, const char* roles, const char* customers, bool all = false) {
    return fmt::format(R"({{"appliesToAll":{},"productIds":[{}],"roleIds":[{}],"customerIds":[{}]}})", all, products,
                       roles, customers);
  };
  EXPECT_EQ(judged(scoped(R"("b")", "", "").c_str()), "100");
  EXPECT_EQ(judged(scoped(R"("c")", "", "").c_str()), "DISCOUNT_NOT_ELIGIBLE");
  EXPECT_EQ(judged(scoped("", R"("r2","r3")", "").c_str()), "200");
  EXPECT_EQ(judged(scoped("", R"("r3")", "").c_str()), "DISCOUNT_NOT_ELIGIBLE");
  EXPECT_EQ(judged(scoped("", "", R"("ada")").c_str()), "200");
  EXPECT_EQ(judged(scoped("", "", R"("bob")").c_str()), "DISCOUNT_NOT_ELIGIBLE");
  EXPECT_EQ(judged(scoped(R"("a")", R"("r1")", R"("ada")").c_str()), "100");
  EXPECT_EQ(judged(scoped(R"("a")", R"("r1")", R"("bob")").c_str()), "DISCOUNT_NOT_ELIGIBLE");
  EXPECT_EQ(judged(scoped(R"("c")", R"("r9")", R"("bob")", true).c_str()), "200");
}

TEST(Eligibility, of_an_amount_in_a_currency_is_for_orders_in_it) {
  const Shopper ada{{priced("a", 1, 100)}, std::nullopt, {}};
  Discount discount = amount_off(10);
  discount.currency = Currency::parse("EUR");
  EXPECT_EQ(code_of([&] { apply_discount(discount, ada.basket()); }), "DISCOUNT_NOT_ELIGIBLE");
  discount = percent_off(1000);
  discount.currency = Currency::parse("EUR");
  EXPECT_EQ(code_of([&] { apply_discount(discount, ada.basket()); }), "ok");
}

}  // namespace
}  // namespace guildhall
