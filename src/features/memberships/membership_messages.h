#pragma once

#include "features/chat_platform/chat_platform_config.h"
#include "features/email/email_config.h"
#include "features/payments/payment_service.h"
#include "outbox/events.h"

namespace guildhall {

// How members are reached.
struct MembershipMessages {
  const ChatPlatformConfig& chat;
  const EmailConfig& email;
  const SecretBox* secrets;  // may be null: then no e-mails are sent
  const PaymentService& payments;
};

// Sends a direct message and an e-mail for each MembershipEnding and for each gift, through the outbox and in the
// transaction of the event.
void subscribe_membership_messages(Events& events, const MembershipMessages& messages);

}  // namespace guildhall
