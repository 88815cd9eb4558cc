#include "features/email/email.h"

#include "base/declared.h"
#include "outbound/smtp.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

struct EmailMessage {
  std::string to;
  std::string subject;
  std::string text;  // empty if it is sealed
  std::optional<std::string> sealed_text = {};
};
BOOST_DESCRIBE_STRUCT(EmailMessage, (), (to, subject, text, sealed_text))

std::string seal_context(const TenantId& tenant) {
  return fmt::format("email/{}", tenant.text());
}

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

void queue_secret_email(Tx& tx, const SecretBox& secrets, const SecretEmail& email, Instant now) {
  const EmailMessage message{email.to, email.subject, "", secrets.seal(email.text, seal_context(email.tenant))};
  outbox::append(tx,
                 {.tenant = email.tenant,
                  .topic = std::string(email_topic),
                  .payload = to_json(message),
                  .due = now,
                  .receiver = {}},
                 now);
}

outbox::Verdict deliver_email(const EmailConfig& config, const SecretBox* secrets, const outbox::Delivery& delivery) {
  auto message = from_json<EmailMessage>(delivery.payload);
  if (message.sealed_text) {
    const auto text =
        secrets == nullptr ? std::nullopt : secrets->open(*message.sealed_text, seal_context(delivery.tenant));
    if (!text) return outbox::dead("the text cannot be decrypted with this SERVICE_MASTER_KEY");
    message.text = *text;
  }
  const outbound::MailResult result =
      outbound::send_mail({.url = config.smtp_url, .from = config.smtp_from},
                          {.id = delivery.id, .to = message.to, .subject = message.subject, .text = message.text});
  if (result.sent) return outbox::done();
  return result.refused ? outbox::dead(result.error) : outbox::retry(result.error);
}

}  // namespace guildhall
