#include "features/email/email_config.h"

#include <stdexcept>

#include "base/config_values.h"
#include "outbound/smtp.h"

namespace guildhall {
namespace {

std::string parse_sender(std::string_view text) {
  if (outbound::parse_sender(text)) return std::string(text);
  throw std::invalid_argument("must be an address, or a name with one: Lantern Guild <shop@example.com>");
}

std::string parse_receiver(std::string_view text) {
  const auto receiver = outbound::parse_sender(text);
  if (receiver && receiver->name.empty()) return receiver->address;
  throw std::invalid_argument("must be an address such as operations@example.com");
}

}  // namespace

std::vector<VariableOf<EmailConfig>> EmailConfig::variables() {
  return {
      {"SMTP_URL", "", &EmailConfig::smtp_url, text_with_prefix({"smtp://", "smtps://"}),
       "The mail server that emails are sent through: `smtp://host:port` or `smtps://user:password@host`.",
       Exposure::url},
      {"SMTP_FROM", "guildhall@localhost", &EmailConfig::smtp_from, parse_sender,
       "The sender of emails: an address, or a name with one, `Lantern Guild <shop@example.com>`."},
      {"OPERATIONS_EMAIL", "", &EmailConfig::operations_email, parse_receiver,
       "The address that is notified of failed payments and of billing that does not work."},
  };
}

}  // namespace guildhall
