#pragma once

#include "features/chat_platform/chat_client.h"
#include "features/messages/messages.h"
#include "features/payments/payment_service.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Sends the queued messages to buyers.
namespace guildhall {

// A message that is retried delays the next ones of the same buyer, so that it is given up after half a day.
constexpr outbox::RetryPolicy buyer_message_policy{.attempts_max = 20};

// After this time, direct messages to a member who has refused one are tried again.
constexpr std::chrono::days direct_retry_after{7};

// A tenant's e-mails beyond this number wait, so that a shop cannot use the installation to send mass mail.
constexpr std::int64_t emails_per_hour_max = 1000;

class MessageDelivery {
 public:
  MessageDelivery(Storage& storage, ChatClient& client, const Messages& messages, const PaymentService& payments,
                  const std::optional<SecretBox>& secrets)
      : storage_(storage),
        client_(client),
        media_(messages.media),
        links_(messages.links),
        payments_(payments),
        secrets_(secrets) {}

  // The handler of direct_message_topic. A member who refuses direct messages is noted, and gets an e-mail instead if
  // the shop allows it.
  outbox::Verdict send_direct(const outbox::Delivery& delivery) const;

  // The handler of email_message_topic.
  outbox::Verdict send_email(const outbox::Delivery& delivery) const;

 private:
  struct Prepared;
  Prepared prepare(const outbox::Delivery& delivery, MessageMedium medium) const;
  outbox::Verdict give_to_email(const outbox::Delivery& delivery, const Prepared& prepared, const std::string& reason,
                                bool refused) const;

  Storage& storage_;
  ChatClient& client_;
  const MessageMedia& media_;
  const UnsubscribeLinks& links_;
  const PaymentService& payments_;
  const std::optional<SecretBox>& secrets_;
};

}  // namespace guildhall
