#include "features/identity/link_mail.h"

#include "base/text.h"
#include "features/email/email.h"

namespace guildhall {

constexpr std::int64_t mails_an_hour_max = 100;
constexpr std::size_t name_units_max = 80;

Task<bool> may_mail_link(Auth& auth, const TenantId& tenant) {
  if (auth.email.smtp_url.empty() || auth.secrets == nullptr) co_return false;
  const std::string key = "link-mails:" + tenant.text();
  const Cache::Window mails = co_await auth.cache.count(key, std::chrono::hours(1));
  co_return mails.count <= mails_an_hour_max;
}

void mail_link(Tx& tx, const Auth& auth, const LinkMail& mail, Instant now) {
  queue_secret_email(tx, *auth.secrets, {mail.tenant, mail.to, mail.subject, mail.text}, now);
}

std::string name_for_mail(const std::string& shop) {
  std::string name = shop;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return cut_text(std::move(name), name_units_max);
}

}  // namespace guildhall
