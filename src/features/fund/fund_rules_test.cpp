#include <gtest/gtest.h>

#include "base/text_cut.h"
#include "features/fund/fund_celebration.h"
#include "features/fund/fund_orders.h"
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

TEST(FundAmounts, bind_members_to_presets_and_the_custom_range) {
  FundConfig config = some_config();
  const auto verdict = [&](std::int64_t cents) {
    return code_of([&] { check_donation_amount(config, Cents(cents)); });
  };
  EXPECT_EQ(verdict(500), "");
  EXPECT_EQ(verdict(100), "");
  EXPECT_EQ(verdict(100'000), "");
  EXPECT_EQ(verdict(99), "AMOUNT_NOT_ALLOWED");
  EXPECT_EQ(verdict(100'001), "AMOUNT_NOT_ALLOWED");
  config.allowed_amounts_cents = {50, 200'000};
  EXPECT_EQ(verdict(50), "") << "a preset may lie outside the custom range";
  EXPECT_EQ(verdict(200'000), "");
  config.custom_amount_allowed = false;
  EXPECT_EQ(verdict(500), "AMOUNT_NOT_ALLOWED");
  EXPECT_EQ(verdict(50), "");
  config.enabled = false;
  EXPECT_EQ(verdict(50), "COMMUNITY_FUND_DISABLED");
}

TEST(FundApproval, needs_one_of_the_roles) {
  FundConfig config = some_config();
  EXPECT_TRUE(may_approve(config, {"TenantAdmin", "admin.access"}));
  EXPECT_FALSE(may_approve(config, {"admin.access", "data.write"}));
  EXPECT_FALSE(may_approve(config, {}));
  config.disbursement_approval_roles = {"Treasurer", "Elder"};
  EXPECT_FALSE(may_approve(config, {"TenantAdmin"}));
  EXPECT_TRUE(may_approve(config, {"Elder"}));
  EXPECT_TRUE(may_approve(config, {"PlatformAdmin"})) << "implies everything";
}

TEST(FundAmounts, of_orders_are_the_sum_of_their_fund_items) {
  OrderEvent order;
  EXPECT_EQ(fund_amount_of(order), Cents());
  order.items = {
      {"community-fund", "Gift", "G", 2, 500}, {"shirt", "Shirt", "S", 1, 9900}, {"community-fund", "Gift", "G", 1, 1}};
  order.total_cents = 10'901;
  EXPECT_EQ(fund_amount_of(order), Cents(1001));
  order.total_cents = 700;
  EXPECT_EQ(fund_amount_of(order), Cents(700)) << "a discount took the rest: nobody gives more than they pay";
  order.items = {{"community-fund", "Gift", "G", Cents::value_max, 2}};
  EXPECT_EQ(code_of([&] { fund_amount_of(order); }), "AMOUNT_OUT_OF_RANGE");
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
  EXPECT_EQ(celebration(config, contribution(false), "Ada"), "Ada: 5.00 USD, 1,234.50 USD. Ada! {other} {");
  EXPECT_EQ(celebration(config, contribution(true), "Ada"), "Somebody: 5.00 USD, 1,234.50 USD");
  config.currency = "JPY";
  EXPECT_EQ(celebration(config, contribution(true), "Ada"), "Somebody: 500 JPY, 123,450 JPY");
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
