#pragma once

#include "features/identity/auth.h"

// Mails one-time links, through the outbox.
namespace guildhall {

struct LinkMail {
  TenantId tenant;
  std::string to;
  std::string subject;
  std::string text;  // contains the link
};

// Whether a link of the tenant can be mailed: SMTP is configured, the server has a master key with which the mail is
// sealed until it is sent, and the tenant has not used up its mails of this hour. Counts as one mail.
Task<bool> may_mail_link(Auth& auth, const TenantId& tenant);

// Queues the mail in the transaction of the link. Call it only if may_mail_link() has returned true.
void mail_link(Tx& tx, const Auth& auth, const LinkMail& mail, Instant now);

// The name of the shop as a mail shows it: in one line, and short.
std::string name_for_mail(const std::string& shop);

}  // namespace guildhall
