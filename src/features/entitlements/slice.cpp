#include "features/slice.h"

#include "features/entitlements/chat_roles.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/routes.h"

namespace guildhall {
namespace {

void handle_role_topics(outbox::Dispatcher& dispatcher, Storage& storage, ChatClient& chat, const Events& events) {
  const auto roles = std::make_shared<ChatRoles>(storage, chat, events);
  dispatcher.handle(
      std::string(chat_role_topic), [roles](const outbox::Delivery& delivery) { return roles->update_role(delivery); },
      chat_role_policy);
  dispatcher.handle(std::string(chat_check_topic),
                    [roles](const outbox::Delivery& delivery) { return roles->check(delivery); });
}

}  // namespace

Slice entitlements_slice() {
  return Slice("entitlements")
      .table({.name = "entitlements",
              .other = "user_id order_id product_id type role_id status customer_id source_key reason "
                       "membership_id",
              .personal = "chat_user_id metadata failure_reason",
              .erased = "chat_user_id = NULL, metadata = '{}', failure_reason = NULL, version = version + 1",
              .not_about = {"order_id"}})
      .routes(entitlement_routes)
      .events<EntitlementGranted, EntitlementRevoked, EntitlementDelayed, EntitlementDeleted, ItemDue, MembershipPaid>()
      .subscribes(subscribe_entitlements)
      .topics(handle_role_topics);
}

}  // namespace guildhall
