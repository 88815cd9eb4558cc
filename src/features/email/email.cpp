#include "features/email/email.h"

#include "base/declared.h"
#include "outbound/smtp.h"
#include "outbox/outbox.h"
#include "storage/columns.h"

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

static const Sql queued_sql(R"(
  SELECT tenant_id, id, payload FROM outbox_messages
  WHERE (tenant_id, id) > ($1, $2) AND topic = $3 AND status <> 'DONE' ORDER BY tenant_id, id LIMIT $4)");

std::vector<QueuedEmail> queued_emails_after(Tx& tx, const QueuedEmail& last, std::int64_t limit) {
  return tx.all(Select<QueuedEmail>{
      {&queued_sql, params(last.tenant, last.id, std::string(email_topic), limit)}, [](const Row& row) {
        return QueuedEmail{TenantId(row.text(0)), std::string(row.text(1)), std::string(row.text(2))};
      }});
}

static const Sql reseal_sql(
    "UPDATE outbox_messages SET payload = $4 WHERE tenant_id = $1 AND id = $2 AND payload = $3");

Resealing reseal_email(Tx& tx, const SecretBox& secrets, const QueuedEmail& email) {
  auto message = from_json<EmailMessage>(email.payload);
  if (!message.sealed_text) return Resealing::current;
  const Resealing result = secrets.reseal(*message.sealed_text, seal_context(email.tenant));
  if (result == Resealing::resealed) {
    tx.run({&reseal_sql, params(email.tenant, email.id, email.payload, to_json(message))});
  }
  return result;
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
