#include "features/email/email.h"

#include "base/declared.h"
#include "outbound/smtp.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

struct EmailMessage {
  std::string to;
  std::string subject;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(EmailMessage, (), (to, subject, text))

}  // namespace

void notify_operations(Tx& tx, const OperationsContact& operations, const std::string& subject, const std::string& text,
                       Instant now) {
  const EmailConfig& email = operations.email;
  if (email.smtp_url.empty() || email.operations_email.empty()) return;
  outbox::append(tx,
                 {.tenant = operations.installation.default_tenant,
                  .topic = std::string(email_topic),
                  .payload = to_json(EmailMessage{email.operations_email, subject, text}),
                  .due = now},
                 now);
}

outbox::Verdict deliver_email(const EmailConfig& config, const outbox::Delivery& delivery) {
  const auto message = from_json<EmailMessage>(delivery.payload);
  const outbound::MailResult result =
      outbound::send_mail({.url = config.smtp_url, .from = config.smtp_from},
                          {.id = delivery.id, .to = message.to, .subject = message.subject, .text = message.text});
  if (result.sent) return outbox::done();
  return result.refused ? outbox::dead(result.error) : outbox::retry(result.error);
}

}  // namespace guildhall
