#include <gtest/gtest.h>

#include "base/text.h"
#include "features/fund/fund_actions.h"
#include "features/fund/fund_celebration.h"
#include "features/orders/order.h"
#include "outbox/chat_messages.h"

namespace guildhall {
namespace {

FundConfig some_config() {
  FundConfig config = default_fund_config(TenantId(std::string("default")), {1});
  config.enabled = true;
  return config;
}

std::string code_of(FunctionRef<void()> action) {
  try {
    action();
    return "";
  } catch (const Failure& failure) {
    return failure.code;
  }
}

OrderItem line(const std::string& product, std::int64_t quantity, std::int64_t cents) {
  return {ProductId(product), {"Thing"}, {"T"}, {quantity}, Cents(cents), {}};
}

TEST(FundAmounts, are_what_was_paid_for_the_fund_items) {
  const ProductId fund{std::string(community_fund_product)};
  Order order;
  EXPECT_EQ(paid_for(order, fund), Cents());
  order.items = {line("community-fund", 2, 500), line("shirt", 1, 3000), line("community-fund", 1, 1)};
  order.total_cents = Cents(4001);
  EXPECT_EQ(paid_for(order, fund), Cents(1001));

  order.discount_amount_cents = Cents(2000);
  order.total_cents = Cents(2001);
  EXPECT_EQ(paid_for(order, fund), Cents(501)) << "a discount is shared by all items in proportion";
  order.pricing.value.discount = AppliedDiscount{};
  order.pricing.value.discount->item_indexes = {1};
  EXPECT_EQ(paid_for(order, fund), Cents(1001)) << "the discount is for the shirt alone";

  order.total_cents = Cents(700);
  EXPECT_EQ(paid_for(order, fund), Cents(700)) << "nobody gives more than they pay";
  order.items = {line("community-fund", Cents::value_max, 2)};
  EXPECT_EQ(code_of([&] { paid_for(order, fund); }), "AMOUNT_OUT_OF_RANGE");
}

struct Name {
  std::string_view given, shown;
};

class DonorNames : public ::testing::TestWithParam<Name> {};

TEST_P(DonorNames, are_plain_text_in_chat) {
  EXPECT_EQ(plain_in_chat(GetParam().given), GetParam().shown);
}

INSTANTIATE_TEST_SUITE_P(
    Tricks, DonorNames,
    ::testing::Values(Name{"Ada Lovelace", "Ada Lovelace"}, Name{"Zoë 🎉 李", "Zoë 🎉 李"},
                      Name{"O'Brien, Jr", "O'Brien, Jr"}, Name{"@everyone", "＠everyone"},
                      Name{"@\u200beveryone @here", "＠everyone ＠here"},
                      Name{"<@123> <@&4> <#5>", "‹＠123› ‹＠\\&4› ‹\\#5›"},
                      Name{"<https://evil.example>", "‹https\\:\\/\\/evil\\.example›"},
                      Name{"**bold** _it_ ~~s~~ ||spoiler||", R"(\*\*bold\*\* \_it\_ \~\~s\~\~ \|\|spoiler\|\|)"},
                      Name{"`code` ```block```", R"(\`code\` \`\`\`block\`\`\`)"},
                      Name{"[link](https://evil.example)", R"(\[link\]\(https\:\/\/evil\.example\))"},
                      Name{"# heading", "\\# heading"}, Name{"> quote", "› quote"}, Name{"- item", "\\- item"},
                      Name{"1. item", "1\\. item"}, Name{":smile:", "\\:smile\\:"},
                      Name{"back\\slash", "back\\\\slash"}, Name{"two\n\r\n# lines\t.", "two \\# lines \\."},
                      Name{"\u202eevil\u202c", "evil"}, Name{"a\u2028b", "a b"},
                      Name{"\u200b\u200d\ufeff\u2060\u00ad", "A member"}, Name{"   ", "A member"}, Name{"", "A member"},
                      Name{"\u3164\u115f\u2800", "A member"}, Name{"{amount}", "\\{amount\\}"},
                      Name{"x\U000e0041\U000e0042y", "xy"}, Name{"nul\x01\x1b[31mred", "nul\\[31mred"}));

TEST(DonorNames, are_cut_when_they_are_long) {
  const std::string shown = plain_in_chat(std::string(500, 'x'));
  EXPECT_EQ(shown, std::string(80, 'x') + "…");
}

LedgerEntry contribution(bool anonymous) {
  LedgerEntry entry;
  entry.change_cents = 500;
  entry.balance_cents = 123'450;
  entry.anonymous = anonymous;
  return entry;
}

TEST(Celebrations, fill_the_placeholders) {
  FundConfig config = some_config();
  config.celebration_message_template = "{donor}: {amount}, {balance}. {donor}! {other} {";
  config.anonymous_message_template = "Somebody: {amount}, {balance}";
  EXPECT_EQ(celebration(config, contribution(false), "Ada"), "Ada: $5.00, $1,234.50. Ada! {other} {");
  EXPECT_EQ(celebration(config, contribution(true), "Ada"), "Somebody: $5.00, $1,234.50");
  config.currency = "JPY";
  EXPECT_EQ(celebration(config, contribution(true), "Ada"), "Somebody: ¥500, ¥123,450");
}

TEST(Celebrations, do_not_fill_what_a_name_brings) {
  FundConfig config = some_config();
  config.celebration_message_template = "{donor}";
  EXPECT_EQ(celebration(config, contribution(false), "{balance}"), "\\{balance\\}");
}

TEST(Celebrations, never_outgrow_a_message) {
  FundConfig config = some_config();
  for (int i = 0; i < 100; ++i) config.celebration_message_template += "{donor}";
  const std::string message = celebration(config, contribution(false), std::string(80, '*'));
  EXPECT_TRUE(message.ends_with("…"));
  EXPECT_LE(utf16_units(message), chat_message_characters_max);
  EXPECT_GE(utf16_units(message), chat_message_characters_max - 1);
}

LedgerEntry entry(std::int64_t sequence, std::int64_t change, std::int64_t balance) {
  LedgerEntry made;
  made.sequence = sequence;
  made.kind = change > 0 ? LedgerKind::CONTRIBUTION : LedgerKind::DISBURSEMENT;
  made.change_cents = change;
  made.balance_cents = balance;
  return made;
}

std::size_t problems_of(const std::vector<LedgerEntry>& entries, const FundTotals& totals) {
  LedgerAudit audit;
  for (const LedgerEntry& one : entries) audit.add(one);
  audit.compare(totals);
  return audit.problems().size();
}

TEST(LedgerAudits, find_what_does_not_add_up) {
  const FundTotals totals{.currency = "",
                          .sequence = 3,
                          .balance_cents = 60,
                          .contributed_cents = 110,
                          .disbursed_cents = 50,
                          .contributions = 2,
                          .disbursements = 1};
  EXPECT_EQ(problems_of({entry(1, 100, 100), entry(2, -50, 50), entry(3, 10, 60)}, totals), 0u);
  EXPECT_GT(problems_of({entry(1, 100, 100), entry(3, 10, 110)}, totals), 0u) << "a gap";
  EXPECT_GT(problems_of({entry(1, 100, 100), entry(2, -50, 51), entry(3, 10, 60)}, totals), 0u) << "a wrong balance";
  EXPECT_GT(problems_of({entry(1, 10, 10), entry(2, -50, -40), entry(3, 100, 60)}, totals), 0u) << "below zero";
  EXPECT_GT(problems_of({entry(1, 100, 100), entry(2, -50, 50)}, totals), 0u) << "one is missing";
  FundTotals wrong = totals;
  wrong.contributed_cents = 111;
  wrong.disbursed_cents = 51;
  EXPECT_EQ(problems_of({entry(1, 100, 100), entry(2, -50, 50), entry(3, 10, 60)}, wrong), 2u);
  EXPECT_EQ(problems_of({}, {}), 0u);
}

}  // namespace
}  // namespace guildhall
