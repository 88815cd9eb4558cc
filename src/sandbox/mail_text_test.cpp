#include "sandbox/mail_text.h"

#include <gtest/gtest.h>

#include "outbound/smtp.h"

namespace guildhall::sandbox {
namespace {

const outbound::MailServer mail_server{.url = "smtp://127.0.0.1", .from = "shop@example.com"};

TEST(SandboxMail, is_read_as_the_server_writes_it) {
  const std::string sent = outbound::mail_text(mail_server,
                                               {.id = "1",
                                                .to = "ada@example.com",
                                                .subject = "Quittung für Grüße – 24,90 €",
                                                .text = "Hällo\nAda",
                                                .html = "<p>ä</p>"},
                                               {});
  const ReadMail mail = read_mail(sent);
  EXPECT_EQ(mail.subject, "Quittung für Grüße – 24,90 €") << sent;
  EXPECT_EQ(mail.text.substr(0, 12), "Hällo\r\nAda") << sent;
  EXPECT_EQ(mail.html.substr(0, 9), "<p>ä</p>") << sent;
  EXPECT_TRUE(read_mail(outbound::mail_text(mail_server, {.id = "1", .to = "a@b.c", .subject = "s", .text = "t"}, {}))
                  .html.empty());
}

TEST(SandboxMail, may_have_other_encodings) {
  EXPECT_EQ(read_mail("Subject: =?utf-8?B?R3LDvMOfZQ==?=\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
                      "Gr=C3=BC=C3=9Fe =\r\nzwei")
                .text,
            "Grüße zwei");
  EXPECT_EQ(read_mail("Subject: =?utf-8?B?R3LDvMOfZQ==?=\r\n\r\n").subject, "Grüße");
  for (const char* rubbish :
       {"", "\r\n", "Subject", "Subject: =?x?", "Content-Type: multipart/mixed; boundary=\"",
        "Content-Type: multipart/x; boundary=\"b\"\r\n\r\n--b\r\n--b\r\n--b\r\n=", "=\r\n\r\n=4"}) {
    read_mail(rubbish);
  }
}

}  // namespace
}  // namespace guildhall::sandbox
