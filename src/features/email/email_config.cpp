#include "features/email/email_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<EmailConfig>> EmailConfig::variables() {
  return {
      {"SMTP_URL", "", &EmailConfig::smtp_url, text_with_prefix({"smtp://", "smtps://"}),
       "The mail server that emails are sent through: `smtp://host:port` or `smtps://user:password@host`.",
       Exposure::url},
      {"SMTP_FROM", "guildhall@localhost", &EmailConfig::smtp_from, parse_text, "The sender's address of emails."},
      {"OPERATIONS_EMAIL", "", &EmailConfig::operations_email, parse_text,
       "The address that is notified of failed payments and of billing that does not work."},
  };
}

}  // namespace guildhall
