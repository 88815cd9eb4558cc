#pragma once

#include "features/chat_platform/chat_client.h"
#include "features/entitlements/entitlement.h"
#include "outbox/events.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Keeps the roles on the chat server as the records say they should be: desired state, not a list of commands. A
// message only says which role of which member to look at; what to do is decided from the records when it is done.
namespace guildhall {

constexpr std::string_view chat_check_topic = "chat.check";
constexpr outbox::RetryPolicy chat_role_policy{};

class ChatRoles {
 public:
  ChatRoles(Storage& storage, ChatClient& client, const Events& events)
      : storage_(storage), client_(client), events_(events) {}

  // The outbox's handler of chat_role_topic: gives or takes one role, and writes what came of it on the records.
  outbox::Verdict bring_about(const outbox::Delivery& delivery);

  // The outbox's handler of chat_check_topic: compares what a member has with what they should have, and has the
  // differences repaired. Roles of which no record speaks are left alone.
  outbox::Verdict check(const outbox::Delivery& delivery);

 private:
  struct Situation {
    std::optional<std::string> guild;
    std::vector<Entitlement> entitlements;
  };
  Situation situation_of(const TenantId& tenant, const MemberRole& role);

  Storage& storage_;
  ChatClient& client_;
  const Events& events_;
};

// Has the roles of members compared that were last compared before that; of one tenant, or of all. Returns how many.
std::int64_t queue_checks(Tx& tx, const std::optional<TenantId>& tenant, Instant before, Instant now,
                          std::int64_t rows_max);

// What came of a call that gives or takes a role. Pure.
struct RoleAttempt {
  outbox::Verdict::Kind kind;
  std::string reason{};
  std::optional<std::chrono::milliseconds> after{};
};
RoleAttempt judge(const ChatReply& reply, bool giving);

}  // namespace guildhall
