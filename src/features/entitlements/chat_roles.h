#pragma once

#include "features/chat_platform/chat_client.h"
#include "features/entitlements/entitlement.h"
#include "outbox/events.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Brings the roles on the chat server in line with the entitlements. An outbox message only names a role of a member;
// whether the role is granted or removed is decided from the entitlements when the message is delivered.
namespace guildhall {

constexpr std::string_view chat_check_topic = "chat.check";
constexpr outbox::RetryPolicy chat_role_policy{};

class ChatRoles {
 public:
  ChatRoles(Storage& storage, ChatClient& client, const Events& events)
      : storage_(storage), client_(client), events_(events) {}

  // The handler of chat_role_topic: grants or removes one role and records the result in the entitlements.
  outbox::Verdict update_role(const outbox::Delivery& delivery);

  // The handler of chat_check_topic: compares a member's roles on the chat server with the entitlements and queues an
  // update for each difference. Roles that no entitlement names are left alone.
  outbox::Verdict check(const outbox::Delivery& delivery);

 private:
  struct RoleRecords {
    std::optional<std::string> guild;
    std::vector<Entitlement> entitlements;
  };
  RoleRecords read_records(const TenantId& tenant, const MemberRole& role);

  Storage& storage_;
  ChatClient& client_;
  const Events& events_;
};

// Queues a check for each member who was last checked before `before`, of one tenant or of all. Returns how many.
std::int64_t queue_checks(Tx& tx, const std::optional<TenantId>& tenant, Instant before, Instant now,
                          std::int64_t rows_max);

// The result of a call that grants or removes a role. `judge` is pure.
struct RoleAttempt {
  outbox::Verdict::Kind kind;
  std::string reason{};
  std::optional<std::chrono::milliseconds> after{};
};
RoleAttempt judge(const ChatReply& reply, bool granting);

}  // namespace guildhall
