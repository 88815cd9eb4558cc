#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

const std::string path = "/api/admin/community-fund/config";

class FundConfiguration : public test::OnEachPair {
 protected:
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, FundConfiguration, test::engines, test::engine_name);

TEST_P(FundConfiguration, begins_with_the_defaults) {
  const HttpReply config = admin.get(path);
  ASSERT_EQ(config.status, 200);
  EXPECT_FALSE(config.boolean("/enabled"));
  ASSERT_EQ(config.size("/allowedAmountsCents"), 4u);
  EXPECT_EQ(config.integer("/allowedAmountsCents/0"), 500);
  EXPECT_EQ(config.integer("/allowedAmountsCents/3"), 5000);
  EXPECT_TRUE(config.boolean("/customAmountAllowed"));
  EXPECT_EQ(config.integer("/customAmountMinCents"), 100);
  EXPECT_EQ(config.integer("/customAmountMaxCents"), 100000);
  EXPECT_TRUE(config.is_null("/celebrationChannelId"));
  for (const char* placeholder : {"{donor}", "{amount}", "{balance}"}) {
    EXPECT_NE(config.text("/celebrationMessageTemplate").find(placeholder), std::string::npos);
  }
  EXPECT_EQ(config.text("/anonymousMessageTemplate").find("{donor}"), std::string::npos);
  EXPECT_TRUE(config.boolean("/anonymityAllowed"));
  EXPECT_EQ(config.text("/disbursementApprovalRoles/0"), "TenantAdmin");
  EXPECT_FALSE(config.text("/disclaimerText").empty());
  EXPECT_FALSE(config.boolean("/publicViewEnabled"));
  EXPECT_EQ(admin.get(path).body, config.body);
}

TEST_P(FundConfiguration, is_made_once_by_many_first_readers) {
  std::mutex mutex;
  std::set<std::string> bodies;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 12; ++i) {
    readers.emplace_back([&, client = admin]() mutable {
      const HttpReply reply = client.get(path);
      EXPECT_EQ(reply.status, 200) << reply.body;
      const std::lock_guard lock(mutex);
      bodies.insert(reply.body);
    });
  }
  readers.clear();
  EXPECT_EQ(bodies.size(), 1u);
}

TEST_P(FundConfiguration, is_changed_field_by_field) {
  const HttpReply before = admin.get(path);
  const HttpReply changed = admin.put(path, R"({"enabled":true,"allowedAmountsCents":[1,2],"customAmountMinCents":5,
      "customAmountMaxCents":6,"celebrationChannelId":"c-1","disbursementApprovalRoles":["A","B"],"disclaimerText":"",
      "anonymityAllowed":false,"customAmountAllowed":false,"id":"x","unknown":1})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.size("/allowedAmountsCents"), 2u);
  EXPECT_EQ(changed.text("/celebrationChannelId"), "c-1");
  EXPECT_EQ(changed.text("/disbursementApprovalRoles/1"), "B");
  EXPECT_EQ(changed.text("/disclaimerText"), "");
  EXPECT_EQ(changed.text("/id"), before.text("/id"));
  EXPECT_EQ(changed.text("/celebrationMessageTemplate"), before.text("/celebrationMessageTemplate"));
  EXPECT_TRUE(admin.put(path, R"({"celebrationChannelId":null})").is_null("/celebrationChannelId"));
  EXPECT_EQ(admin.put(path, "{}").status, 200);
}

TEST_P(FundConfiguration, is_judged_field_by_field_and_as_a_whole) {
  const std::pair<std::string, std::string> wrong[] = {
      {R"({"enabled":"yes"})", "enabled"},
      {R"({"enabled":null})", "enabled"},
      {R"({"allowedAmountsCents":[]})", "allowedAmountsCents"},
      {R"({"allowedAmountsCents":5})", "allowedAmountsCents"},
      {R"({"allowedAmountsCents":[5,0]})", "allowedAmountsCents[1]"},
      {R"({"allowedAmountsCents":[5,5]})", "allowedAmountsCents[1]"},
      {R"({"allowedAmountsCents":[1.5]})", "allowedAmountsCents[0]"},
      {R"({"allowedAmountsCents":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]})",
       "allowedAmountsCents"},
      {R"({"customAmountAllowed":1})", "customAmountAllowed"},
      {R"({"customAmountMinCents":0})", "customAmountMinCents"},
      {R"({"customAmountMinCents":"100"})", "customAmountMinCents"},
      {R"({"customAmountMaxCents":9007199254740992})", "customAmountMaxCents"},
      {R"({"customAmountMinCents":100000})", "customAmountMaxCents"},
      {R"({"customAmountMaxCents":100})", "customAmountMaxCents"},
      {R"({"customAmountMinCents":7,"customAmountMaxCents":7})", "customAmountMaxCents"},
      {R"({"celebrationChannelId":"../users"})", "celebrationChannelId"},
      {R"({"celebrationChannelId":5})", "celebrationChannelId"},
      {R"({"celebrationMessageTemplate":" "})", "celebrationMessageTemplate"},
      {R"({"celebrationMessageTemplate":null})", "celebrationMessageTemplate"},
      {fmt::format(R"({{"celebrationMessageTemplate":"{}"}})", std::string(1001, 'x')), "celebrationMessageTemplate"},
      {R"({"anonymousMessageTemplate":"by {donor}"})", "anonymousMessageTemplate"},
      {R"({"anonymousMessageTemplate":""})", "anonymousMessageTemplate"},
      {R"({"anonymityAllowed":"no"})", "anonymityAllowed"},
      {R"({"disbursementApprovalRoles":[]})", "disbursementApprovalRoles"},
      {R"({"disbursementApprovalRoles":["A",""]})", "disbursementApprovalRoles[1]"},
      {R"({"disbursementApprovalRoles":["A","A"]})", "disbursementApprovalRoles[1]"},
      {R"({"disbursementApprovalRoles":["two words"]})", "disbursementApprovalRoles[0]"},
      {R"({"disclaimerText":null})", "disclaimerText"},
      {fmt::format(R"({{"disclaimerText":"{}"}})", std::string(10001, 'x')), "disclaimerText"},
      {R"({"currency":"usd"})", "currency"},
      {R"({"currency":"XXX"})", "currency"},
      {R"({"publicViewEnabled":0})", "publicViewEnabled"},
  };
  const std::string before = admin.get(path).body;
  for (const auto& [json, field] : wrong) {
    const HttpReply reply = admin.put(path, json);
    EXPECT_EQ(reply.status, 400) << json;
    EXPECT_EQ(reply.wrong_fields(), std::vector<std::string>{field}) << json;
  }
  EXPECT_EQ(admin.get(path).body, before);
  EXPECT_EQ(admin.put(path, R"({"celebrationChannelId":" "})").status, 200) << "blank optional text is null";
  EXPECT_EQ(admin.put(path, R"({"customAmountMinCents":200000,"customAmountMaxCents":200001})").status, 200);
}

TEST_P(FundConfiguration, leaves_the_approval_roles_to_those_who_approve) {
  CheckedClient clerk = server.member("default", "admin.access", "clerk");
  CheckedClient treasurer = server.member("default", "admin.access", "treasurer");
  CheckedClient boss = server.member("default", "TenantAdmin");
  EXPECT_EQ(clerk.put(path, R"({"disbursementApprovalRoles":["clerk"]})").status, 403);
  EXPECT_EQ(clerk.put(path, R"({"disbursementApprovalRoles":["TenantAdmin","clerk"]})").code(), "PERMISSION_DENIED");
  EXPECT_EQ(clerk.put(path, R"({"enabled":true,"disbursementApprovalRoles":["TenantAdmin"]})").status, 200)
      << "that changes nothing about the roles";
  EXPECT_EQ(boss.put(path, R"({"disbursementApprovalRoles":["treasurer"]})").status, 200);
  EXPECT_EQ(boss.put(path, R"({"disbursementApprovalRoles":["TenantAdmin"]})").status, 403);
  EXPECT_EQ(treasurer.put(path, R"({"disbursementApprovalRoles":["treasurer","clerk"]})").status, 200);
  EXPECT_EQ(admin.put(path, R"({"disbursementApprovalRoles":["TenantAdmin"]})").status, 200);
}

TEST_P(FundConfiguration, is_guarded_by_its_etag) {
  const std::string tag = admin.get(path).header("etag");
  EXPECT_EQ(admin.put(path, R"({"enabled":true})", {{"If-Match", tag}}).status, 200);
  EXPECT_EQ(admin.put(path, R"({"enabled":false})", {{"If-Match", tag}}).status, 412);
  EXPECT_TRUE(admin.get(path).boolean("/enabled"));
}

TEST_P(FundConfiguration, keeps_its_currency_once_there_is_money) {
  EXPECT_EQ(admin.put(path, R"({"currency":"EUR","enabled":true})").status, 200);
  EXPECT_EQ(admin.put(path, R"({"currency":"JPY"})").status, 200);
  EXPECT_EQ(admin.post("/api/admin/community-fund/contributions", R"({"customerId":"c","amountCents":100})").status,
            201);
  const HttpReply refused = admin.put(path, R"({"currency":"EUR"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "FUND_CURRENCY_FIXED");
  EXPECT_EQ(admin.put(path, R"({"currency":"JPY","enabled":false})").status, 200);
}

TEST_P(FundConfiguration, may_forbid_anonymity) {
  ASSERT_EQ(admin.put(path, R"({"enabled":true,"anonymityAllowed":false})").status, 200);
  const HttpReply refused =
      admin.post("/api/admin/community-fund/contributions", R"({"customerId":"c","amountCents":100,"anonymous":true})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "ANONYMITY_NOT_ALLOWED");
}

}  // namespace
}  // namespace guildhall
