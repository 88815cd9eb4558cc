#pragma once

#include "base/secret_box.h"
#include "features/email/email_config.h"
#include "features/tenancy/installation_config.h"
#include "outbox/verdict.h"
#include "storage/database.h"

// Emails are sent through the outbox, and no request waits for them.
namespace guildhall {

constexpr std::string_view email_topic = "email";

// If the mail server does not answer, sending is retried for a few hours.
constexpr outbox::RetryPolicy email_policy{.attempts_max = 12};

// How the operator of the platform is reached by email. The emails' outbox messages belong to the default tenant.
struct OperationsContact {
  const EmailConfig& email;
  const InstallationConfig& installation;
};

// Queues an email to the operator of the platform. Does nothing when SMTP_URL or OPERATIONS_EMAIL is not set.
void notify_operations(Tx& tx, const OperationsContact& operations, const std::string& subject, const std::string& text,
                       Instant now);

// An email whose text contains a secret, such as a one-time link.
struct SecretEmail {
  TenantId tenant;
  std::string to;
  std::string subject;
  std::string text;
};

// Queues an email whose text is encrypted until it is sent, because messages of the outbox are kept for a while.
void queue_secret_email(Tx& tx, const SecretBox& secrets, const SecretEmail& email, Instant now);

// An e-mail that is not sent yet, and whose text may be sealed.
struct QueuedEmail {
  TenantId tenant;
  std::string id;
  std::string payload;
};

// The next such e-mails of all tenants after the given one, in the order of tenants and ids. For `guildhall rekey`.
std::vector<QueuedEmail> queued_emails_after(Tx& tx, const QueuedEmail& last, std::int64_t limit);

// Seals the e-mail's text again, unless the message was changed since it was read.
Resealing reseal_email(Tx& tx, const SecretBox& secrets, const QueuedEmail& email);

// The outbox's handler of email_topic. `secrets` may be null.
outbox::Verdict deliver_email(const EmailConfig& config, const SecretBox* secrets, const outbox::Delivery& delivery);

}  // namespace guildhall
