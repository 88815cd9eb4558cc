#include "features/entitlements/chat_roles.h"

#include <set>

#include "base/json_lookup.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/entitlement_store.h"
#include "features/tenancy/guild_binding.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

using enum EntitlementStatus;
using Kind = outbox::Verdict::Kind;

const Actor reconciler{ActorKind::SYSTEM, "chat.role", ""};
const std::string no_guild = "No chat server is bound to this shop.";

struct CheckMessage {
  std::string chat_user_id;
};
BOOST_DESCRIBE_STRUCT(CheckMessage, (), (chat_user_id))

bool is_wanted(const std::vector<Entitlement>& entitlements) {
  return std::any_of(entitlements.begin(), entitlements.end(), wants_role);
}

// Records the attempt in the entitlement. A PENDING entitlement that cannot be carried out becomes FAILED; one that was
// GRANTED before stays so and has the reason.
void record_attempt(Entitlement& entitlement, const RoleAttempt& attempt, Instant now) {
  entitlement.last_attempt_at = now;
  entitlement.failure_reason.reset();
  if (attempt.kind != Kind::done) entitlement.failure_reason = attempt.reason;
  if (entitlement.status != PENDING) return;
  if (attempt.kind == Kind::done) move_to(entitlement, GRANTED, now);
  if (attempt.kind == Kind::dead) move_to(entitlement, FAILED, now);
}

// Whether the attempt was made for this entitlement: to grant its role, or to remove it after it was revoked.
bool concerns(const Entitlement& entitlement, bool granting) {
  return granting ? wants_role(entitlement) : entitlement.status == REVOKED;
}

ChatReply change_role(ChatClient& client, const std::string& guild, const MemberRole& role, bool granting) {
  const ChatMember member{guild, role.chat_user_id};
  return client.send(granting ? add_role(member, role.role_id) : remove_role(member, role.role_id));
}

}  // namespace

RoleAttempt judge(const ChatReply& reply, bool granting) {
  if (reply.ok()) return {Kind::done};
  if (reply.wait) return {Kind::retry, "The chat platform asks to wait.", reply.wait};
  if (reply.status == 0) return {Kind::retry, reply.message};
  if (reply.status == 404 && !granting) return {Kind::done};  // the member does not have it
  if (reply.code == 50013) {
    return {Kind::dead,
            "Missing permission (code 50013). Either the bot lacks Manage Roles on the server, or its own highest role "
            "does not stand above this one: correct it on the server, then set the entitlement to PENDING."};
  }
  if (reply.code == 10007 || reply.code == 10013) return {Kind::dead, std::string(buyer_is_no_member)};
  if (reply.code == 10011) return {Kind::dead, "The role does not exist on the chat server any more."};
  if (reply.status == 401) return {Kind::retry, "The chat platform refuses the bot's token: see CHAT_BOT_TOKEN."};
  if (reply.status >= 500 || reply.status == 408) return {Kind::retry, reply.description()};
  return {Kind::dead, reply.description()};
}

ChatRoles::RoleRecords ChatRoles::read_records(const TenantId& tenant, const MemberRole& role) {
  RoleRecords found;
  storage_.read_now([&](Tx& tx) {
    const auto binding = tx.one(guild_of_tenant(tenant));
    found.guild = binding ? std::optional(binding->guild_id) : std::nullopt;
    found.entitlements = tx.all(entitlements_of_role(tenant, role));
  });
  return found;
}

outbox::Verdict ChatRoles::update_role(const outbox::Delivery& delivery) {
  const auto role = from_json<MemberRole>(delivery.payload);
  const RoleRecords records = read_records(delivery.tenant, role);
  const bool granting = is_wanted(records.entitlements);
  RoleAttempt attempt{Kind::retry, no_guild};
  if (records.guild) attempt = judge(change_role(client_, *records.guild, role, granting), granting);
  if (attempt.kind == Kind::retry && delivery.attempts >= chat_role_policy.attempts_max) attempt.kind = Kind::dead;
  const auto write = [&events = events_, tenant = delivery.tenant, role, granting, attempt](Tx& tx) {
    const Instant at = now();
    auto entitlements = tx.all(entitlements_of_role(tenant, role));
    // The entitlements have changed during the call, and the message that they queued may have been delivered before
    // this one: the role has to be updated once more.
    if (is_wanted(entitlements) != granting) return queue_role(tx, tenant, role, at);
    for (Entitlement& entitlement : entitlements) {
      if (!concerns(entitlement, granting)) continue;
      const Entitlement before = entitlement;
      record_attempt(entitlement, attempt, at);
      settle_entitlement({tx, events, tenant, reconciler, at}, before, entitlement);
    }
  };
  return {.kind = attempt.kind, .reason = attempt.reason, .after = attempt.after, .also = write};
}

outbox::Verdict ChatRoles::check(const outbox::Delivery& delivery) {
  const std::string user = from_json<CheckMessage>(delivery.payload).chat_user_id;
  std::optional<std::string> guild;
  std::map<MemberRole, std::vector<Entitlement>> by_role;
  storage_.read_now([&](Tx& tx) {
    const auto binding = tx.one(guild_of_tenant(delivery.tenant));
    guild = binding ? std::optional(binding->guild_id) : std::nullopt;
    by_role.clear();
    for (Entitlement& entitlement : tx.all(entitlements_of_member(delivery.tenant, user))) {
      by_role[*member_role_of(entitlement)].push_back(std::move(entitlement));
    }
  });
  if (!guild || by_role.empty()) return outbox::done();
  const ChatReply reply = client_.send(read_member({*guild, user}));
  if (reply.status == 404) return outbox::done();  // the member has left the chat server
  if (!reply.ok()) {
    const RoleAttempt attempt = judge(reply, true);
    return {.kind = attempt.kind, .reason = attempt.reason, .after = attempt.after};
  }
  std::set<std::string> actual;
  const auto member = JsonLookup::parse(reply.body);
  if (!member) return outbox::retry("The chat platform's reply is not understood.");
  for (std::size_t i = 0; i < member->size("/roles"); ++i) actual.insert(member->text(fmt::format("/roles/{}", i)));
  std::vector<MemberRole> drifted;
  for (const auto& [role, entitlements] : by_role) {
    const bool settled = std::any_of(entitlements.begin(), entitlements.end(), [](const Entitlement& entitlement) {
      return entitlement.status == GRANTED || entitlement.status == REVOKED;
    });
    if (settled && is_wanted(entitlements) != actual.contains(role.role_id)) drifted.push_back(role);
  }
  return outbox::done([tenant = delivery.tenant, drifted](Tx& tx) {
    for (const MemberRole& role : drifted) queue_role(tx, tenant, role, now());
  });
}

std::int64_t queue_checks(Tx& tx, const std::optional<TenantId>& tenant, Instant before, Instant now,
                          std::int64_t rows_max) {
  const std::vector<Member> members = take_unchecked(tx, tenant, before, now, rows_max);
  for (const Member& member : members) {
    outbox::append(tx,
                   {.tenant = member.tenant,
                    .topic = std::string(chat_check_topic),
                    .payload = to_json(CheckMessage{member.chat_user_id}),
                    .due = now},
                   now);
  }
  return static_cast<std::int64_t>(members.size());
}

}  // namespace guildhall
