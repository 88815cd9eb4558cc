#pragma once

#include "features/chat_platform/chat_client.h"
#include "features/messages/messages.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Sends the queued alerts.
namespace guildhall {

// With these values an alert is tried for about a day.
constexpr outbox::RetryPolicy alert_policy{.attempts_max = 25};

class AlertDelivery {
 public:
  AlertDelivery(Storage& storage, ChatClient& client, const Messages& messages)
      : storage_(storage), client_(client), messages_(messages) {}

  // The handlers of direct_alert_topic and email_alert_topic. An alert is left out if the person does not want it any
  // more, may not read the shop's data any more, cannot be reached, or got very many in this hour.
  outbox::Verdict send_direct(const outbox::Delivery& delivery) const;
  outbox::Verdict send_email(const outbox::Delivery& delivery) const;

  // The handler of push_alert_topic. A message for a person becomes one for each browser, which is retried by itself.
  outbox::Verdict send_push(const outbox::Delivery& delivery) const;

 private:
  struct Prepared;
  std::optional<Prepared> prepare(const outbox::Delivery& delivery, bool AlertSwitch::*medium) const;

  Storage& storage_;
  ChatClient& client_;
  const Messages& messages_;
};

}  // namespace guildhall
