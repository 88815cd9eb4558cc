#include "outbound/smtp.h"

#include <gtest/gtest.h>

namespace guildhall::outbound {
namespace {

TEST(Mail, is_one_message_whatever_is_put_into_it) {
  const MailServer server{.url = "smtp://127.0.0.1:1", .from = "hall@example.com"};
  const Mail mail{
      .id = "id-1", .to = "ops@example.com\r\nBcc: x@example.com", .subject = "a\nb", .text = "one\n.\ntwo"};
  const std::string text = mail_text(server, mail, std::chrono::system_clock::time_point(std::chrono::seconds(0)));
  EXPECT_EQ(text.find("\r\nBcc:"), std::string::npos);
  EXPECT_NE(text.find("Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Subject: a b\r\n"), std::string::npos);
  EXPECT_NE(text.find("Message-ID: <id-1@example.com>\r\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\n\r\none\r\n.\r\ntwo\r\n"));
}

TEST(Mail, subject_beyond_ascii_is_encoded_without_cutting_a_character) {
  const std::string text =
      mail_text({.url = "", .from = "a@b.example"}, {.subject = "Zahlung \u00fcber 5 \u20ac ist fehlgeschlagen"}, {});
  const std::size_t start = text.find("Subject: =?UTF-8?Q?");
  ASSERT_NE(start, std::string::npos) << text;
  EXPECT_NE(text.find("=E2=82=AC"), std::string::npos);
  EXPECT_EQ(text.substr(0, text.find("Message-ID")).find("\u20ac"), std::string::npos);
}

TEST(Mail, to_nobody_listening_is_not_sent) {
  const MailResult result = send_mail({.url = "smtp://127.0.0.1:1", .from = "a@b.example"}, {.to = "c@d.example"});
  EXPECT_FALSE(result.sent);
  EXPECT_FALSE(result.refused);
  EXPECT_FALSE(result.error.empty());
}

}  // namespace
}  // namespace guildhall::outbound
