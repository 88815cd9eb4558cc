#include "features/memberships/membership_texts.h"

#include <fmt/format.h>

#include "features/fund/fund_celebration.h"
#include "features/identity/link_mail.h"

namespace guildhall {
namespace {

// Each client shows it in its reader's language and time zone.
std::string chat_date(Instant instant) {
  return fmt::format("<t:{}:D>", instant.ms / 1000);
}

std::string mail_date(Instant instant) {
  return to_string(instant).substr(0, 10) + " (UTC)";
}

}  // namespace

MembershipText ending_text(const MembershipTextValues& values) {
  const std::string product = name_for_mail(values.product), shop = name_for_mail(values.shop);
  MembershipText text;
  text.subject = fmt::format("Your membership {} ends on {}", product, mail_date(values.expires_at));
  text.chat = fmt::format("Your membership **{}** of {} ends on {}. {}", plain_in_chat(values.product),
                          plain_in_chat(values.shop), chat_date(values.expires_at),
                          values.link.empty() ? "Renew it with `/membership` on the server."
                                              : "You can renew it with the button below, or with `/membership`.");
  text.email = fmt::format("Your membership {} of {} ends on {}.\n\n{}\n", product, shop, mail_date(values.expires_at),
                           values.link.empty() ? "You can renew it on the chat server with the command /membership."
                                               : "You can pay for the next period here:\n" + values.link);
  return text;
}

MembershipText gift_text(const MembershipTextValues& values) {
  const std::string product = name_for_mail(values.product), shop = name_for_mail(values.shop),
                    giver = name_for_mail(values.giver);
  MembershipText text;
  text.subject = fmt::format("{} has given you the membership {}", giver, product);
  text.chat = fmt::format("{} has given you the membership **{}** of {}. It is paid until {}; see `/membership`.",
                          plain_in_chat(values.giver), plain_in_chat(values.product), plain_in_chat(values.shop),
                          chat_date(values.expires_at));
  text.email = fmt::format("{} has given you the membership {} of {}. It is paid until {}.\n", giver, product, shop,
                           mail_date(values.expires_at));
  return text;
}

}  // namespace guildhall
