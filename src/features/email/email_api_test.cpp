#include "support/smtp_stand_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpReply;

const std::string path = "/api/admin/email/test";

class EmailTest : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::SmtpStandIn mail_server;
  test::TestServer server{GetParam(), {{"SMTP_URL", mail_server.url()}}};
  test::CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, EmailTest, test::engines, test::engine_name);

TEST_P(EmailTest, sends_an_email_at_once) {
  const HttpReply reply = admin.post(path, R"({"to":"ada@example.com"})");
  EXPECT_TRUE(reply.boolean("/ok")) << reply.body;
  ASSERT_TRUE(mail_server.wait_for_mails(1));
  EXPECT_EQ(mail_server.mails().front().to.front(), "ada@example.com");
}

TEST_P(EmailTest, says_that_the_server_refuses_it) {
  mail_server.refuse_receivers("550 no such user");
  EXPECT_FALSE(admin.post(path, R"({"to":"nobody@example.com"})").boolean("/ok"));
  EXPECT_EQ(admin.post(path, R"({"to":"not an address"})").status, 400);
}

TEST_P(EmailTest, is_for_the_platforms_admins) {
  EXPECT_EQ(server.member("default", "TenantAdmin").post(path, R"({"to":"ada@example.com"})").status, 403);
}

}  // namespace
}  // namespace guildhall
