#include "outbound/smtp.h"

#include <gtest/gtest.h>

#include "outbound/quoted_printable.h"

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

TEST(Mail, has_a_sender_with_a_name) {
  const auto from = [](std::string sender) {
    const std::string text = mail_text({.url = "", .from = std::move(sender)}, {.id = "i"}, {});
    const std::size_t start = text.find("From: ");
    return text.substr(start, text.find("\r\nTo:") - start);
  };
  EXPECT_EQ(from("shop@example.com"), "From: shop@example.com");
  EXPECT_EQ(from("Lantern Guild <shop@example.com>"), "From: \"Lantern Guild\" <shop@example.com>");
  EXPECT_EQ(from("\"Guild, the one\" <shop@localhost>"), "From: \"Guild, the one\" <shop@localhost>");
  EXPECT_EQ(from("L\u00e4den <a@b.example>"), "From: =?UTF-8?Q?=4C=C3=A4=64=65=6E?= <a@b.example>");
  const std::string text = mail_text({.url = "", .from = "Hall <a@b.example>"}, {.id = "id-1"}, {});
  EXPECT_NE(text.find("Message-ID: <id-1@b.example>\r\n"), std::string::npos) << text;
}

TEST(Mail, knows_which_senders_are_possible) {
  EXPECT_EQ(parse_sender(" Lantern Guild <shop@example.com> ")->address, "shop@example.com");
  EXPECT_EQ(parse_sender("guildhall@localhost")->name, "");
  for (const char* wrong : {"", "shop", "shop@", "Lantern Guild", "Guild shop@example.com", "Guild <shop>", "<>",
                            "a <b@c.example> d", "Guild\n<a@b.example>", "a<b <a@b.example>", "a b@c.example"}) {
    EXPECT_FALSE(parse_sender(wrong)) << wrong;
  }
}

TEST(Mail, has_only_ascii_so_that_every_server_takes_it) {
  const std::string plain = mail_text({.url = "", .from = "a@b.example"}, {.id = "i", .text = "1 = 1\n"}, {});
  EXPECT_NE(plain.find("Content-Transfer-Encoding: 7bit\r\n\r\n1 = 1\r\n"), std::string::npos) << plain;
  const std::string long_line(3000, 'x');
  const Mail mail{.id = "i",
                  .to = "c@d.example",
                  .text = "Gr\u00fc\u00dfe = \u20ac5 \n" + long_line + "\nend",
                  .html = "<p>Gr\u00fc\u00dfe</p>"};
  const std::string text = mail_text({.url = "", .from = "a@b.example"}, mail, {});
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
  EXPECT_NE(text.find("Gr=C3=BC=C3=9Fe =3D =E2=82=AC5=20\r\n"), std::string::npos) << text;
  for (std::size_t start = 0, end = 0; (end = text.find("\r\n", start)) != std::string::npos; start = end + 2) {
    EXPECT_LE(end - start, 78u);
  }
  EXPECT_EQ(from_quoted_printable(quoted_printable(mail.text)),
            "Gr\u00fc\u00dfe = \u20ac5 \r\n" + long_line + "\r\nend\r\n");
}

TEST(Mail, to_nobody_listening_is_not_sent) {
  const MailResult result = send_mail({.url = "smtp://127.0.0.1:1", .from = "a@b.example"}, {.to = "c@d.example"});
  EXPECT_FALSE(result.sent);
  EXPECT_FALSE(result.refused);
  EXPECT_FALSE(result.error.empty());
}

}  // namespace
}  // namespace guildhall::outbound
