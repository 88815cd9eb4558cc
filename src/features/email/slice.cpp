#include "features/slice.h"

#include "features/email/email.h"
#include "features/email/routes.h"

namespace guildhall {
namespace {

void handle_email_topics(outbox::Dispatcher& dispatcher, const EmailConfig& config,
                         const std::optional<SecretBox>& secrets) {
  dispatcher.handle(
      std::string(email_topic),
      [&config, &secrets](const outbox::Delivery& delivery) {
        return deliver_email(config, secrets ? &*secrets : nullptr, delivery);
      },
      email_policy);
}

}  // namespace

Slice email_slice() {
  return Slice("email").routes(email_routes).topics(handle_email_topics);
}

}  // namespace guildhall
