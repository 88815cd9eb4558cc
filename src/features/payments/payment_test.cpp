#include "features/payments/payment.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Payment, pays_an_order_only_in_full_and_in_its_currency) {
  using enum Attention;
  const struct {
    const char* what;
    OrderStatus status;
    std::int64_t received;
    const char* currency;
    std::optional<Attention> hint;
    bool was_over;
    bool pays;
    std::optional<Attention> attention;
  } rows[] = {
      {"in full", OrderStatus::PENDING_PAYMENT, 4900, "USD", {}, false, true, {}},
      {"a cent less", OrderStatus::PENDING_PAYMENT, 4899, "USD", {}, false, false, UNDERPAID},
      {"a cent more", OrderStatus::PENDING_PAYMENT, 4901, "USD", {}, false, true, OVERPAID},
      {"another currency", OrderStatus::PENDING_PAYMENT, 4900, "EUR", {}, false, false, CURRENCY_MISMATCH},
      {"after its expiry", OrderStatus::PENDING_PAYMENT, 4900, "USD", {}, true, true, LATE},
      {"the processor says it came late", OrderStatus::PENDING_PAYMENT, 4900, "USD", LATE, false, true, LATE},
      {"the processor says it is too little", OrderStatus::PENDING_PAYMENT, 4900, "USD", UNDERPAID, false, false,
       UNDERPAID},
      {"the processor says it is too much", OrderStatus::PENDING_PAYMENT, 4900, "USD", OVERPAID, false, true, OVERPAID},
      {"paid before", OrderStatus::PAID, 4900, "USD", {}, false, false, DUPLICATE},
      {"shipped before", OrderStatus::SHIPPED, 4900, "USD", {}, false, false, DUPLICATE},
      {"cancelled", OrderStatus::CANCELLED, 4900, "USD", {}, false, false, LATE},
      {"refunded", OrderStatus::REFUNDED, 4900, "USD", {}, false, false, LATE},
  };
  for (const auto& row : rows) {
    const Owed owed{row.status, Cents(4900), *Currency::parse("USD")};
    const Judgement judged = judge(&owed, Cents(row.received), row.currency, row.hint, row.was_over);
    EXPECT_EQ(judged.pays, row.pays) << row.what;
    EXPECT_EQ(judged.attention, row.attention) << row.what;
  }
}

TEST(Payment, without_an_order_or_an_amount_pays_nothing) {
  EXPECT_EQ(judge(nullptr, Cents(1), "USD", {}, false).attention, Attention::UNKNOWN_ORDER);
  const Owed owed{OrderStatus::PENDING_PAYMENT, Cents(0), *Currency::parse("USD")};
  EXPECT_FALSE(judge(&owed, std::nullopt, "USD", {}, false).pays);
}

}  // namespace
}  // namespace guildhall
