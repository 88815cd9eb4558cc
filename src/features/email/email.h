#pragma once

#include "base/config.h"
#include "outbox/verdict.h"
#include "storage/database.h"

// Emails leave through the outbox: best effort, and nobody waits for one.
namespace guildhall {

constexpr std::string_view email_topic = "email";

// A mail server that does not answer is tried for a few hours.
constexpr outbox::RetryPolicy email_policy{.attempts_max = 12};

// To the operator of the platform. Nothing where SMTP_URL or OPERATIONS_EMAIL is not set.
void notify_operations(Tx& tx, const Config& config, const std::string& subject, const std::string& text, Instant now);

// The outbox's handler of email_topic.
outbox::Verdict deliver_email(const Config& config, const outbox::Delivery& delivery);

}  // namespace guildhall
