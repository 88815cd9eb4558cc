#include "features/messages/message_template.h"

#include <gtest/gtest.h>

#include "features/messages/message_mail.h"
#include "features/messages/message_settings.h"

namespace guildhall {
namespace {

using Type = MessageValue::Type;

const MessageValues values{{"shop", {Type::text, "A & B <x>"}},
                           {"customer", {Type::text, "@everyone **Ada**\nSubject: x"}},
                           {"link", {Type::link, "https://shop.test/?a=1&b=\"2\""}},
                           {"carrier", {}}};

TEST(MessageTemplate, escapes_values_for_each_medium) {
  const std::string direct = direct_text("Hi {customer} of {shop}", values);
  EXPECT_EQ(direct.find('@'), std::string::npos) << direct;
  EXPECT_EQ(direct.find("**"), std::string::npos) << direct;
  EXPECT_EQ(direct.find('<'), std::string::npos) << direct;
  EXPECT_EQ(email_html("<b>{shop}</b>", values), "&lt;b&gt;A &amp; B &lt;x&gt;&lt;/b&gt;");
  EXPECT_NE(email_html("{link}", values).find("href=\"https://shop.test/?a=1&amp;b=&quot;2&quot;\""), std::string::npos)
      << email_html("{link}", values);
  EXPECT_EQ(subject_line("For {customer}", values), "For @everyone **Ada** Subject: x");
  EXPECT_EQ(email_text("{shop}", values), "A & B <x>");
}

TEST(MessageMail, uses_a_stored_colour_only_if_it_is_one) {
  MessageMail mail;
  mail.link = "https://shop.test";
  mail.button = "Open";
  mail.accent_color = "#ffd400";
  EXPECT_NE(mail_html_of(mail).find("background:#ffd400;color:#000000"), std::string::npos);
  mail.accent_color = "red\"><b>x</b>";
  EXPECT_EQ(mail_html_of(mail).find("<b>"), std::string::npos) << mail_html_of(mail);
}

TEST(MessageTemplate, leaves_out_lines_without_a_value) {
  EXPECT_EQ(email_text("Sent.\n\nBy {carrier}\n\nBye {missing}\nEnd {", values), "Sent.\n\nEnd {");
}

TEST(MessageTemplate, names_unknown_placeholders) {
  EXPECT_EQ(unknown_placeholders(MessageKind::ROLE_GRANTED, "{shop} {order} { x } {} {Shop}"),
            (std::vector<std::string>{"order", "Shop"}));
  for (const MessageKind kind : message_kinds()) {
    for (const Language language : {Language::en, Language::de}) {
      const BuiltInText& text = built_in_text(kind, language);
      for (const std::string_view part : {text.subject, text.direct, text.email}) {
        EXPECT_FALSE(part.empty()) << name_of(kind);
        EXPECT_TRUE(unknown_placeholders(kind, part).empty()) << part;
      }
    }
  }
}

TEST(MessageTemplate, chooses_the_text_in_the_buyers_language) {
  MessageSettings settings;
  settings.locale = "fr";
  settings.texts = {{MessageKind::ORDER_PAID, Locale{"fr"}, SubjectText{"Merci"}, {}, {}},
                    {MessageKind::ORDER_PAID, Locale{"de-AT"}, SubjectText{"Servus"}, {}, {}}};
  const auto subject = [&](const std::string& locale) {
    return chosen_text(settings, MessageKind::ORDER_PAID, locale).subject;
  };
  EXPECT_EQ(subject("de-AT"), "Servus");
  EXPECT_EQ(subject("de-DE"), built_in_text(MessageKind::ORDER_PAID, Language::de).subject);
  EXPECT_EQ(subject("fr-CA"), "Merci");
  EXPECT_EQ(subject("it"), "Merci") << "the shop's language";
  EXPECT_EQ(subject(""), "Merci");
  EXPECT_EQ(chosen_text(settings, MessageKind::ORDER_PAID, "de-AT").language, Language::de);
  EXPECT_TRUE(is_locale("pt-BR") && is_locale("zh-Hant-TW") && !is_locale("D") && !is_locale("de-") &&
              !is_locale("de_AT"));
}

TEST(MessageTemplate, links_to_the_carriers_page) {
  EXPECT_EQ(tracking_link("UPS Ground", "1Z/9"), "https://www.ups.com/track?tracknum=1Z%2F9");
  EXPECT_EQ(tracking_link("Pigeon", "1"), "");
}

}  // namespace
}  // namespace guildhall
