// The rules of entitlements, and how replies of the chat platform are judged.
#include "features/entitlements/entitlement.h"

#include <gtest/gtest.h>

#include "features/entitlements/chat_roles.h"

namespace guildhall {
namespace {

using enum EntitlementStatus;
using Kind = outbox::Verdict::Kind;

TEST(EntitlementMoves, are_the_contracts) {
  const std::set<std::pair<EntitlementStatus, EntitlementStatus>> allowed{{PENDING, GRANTED}, {PENDING, FAILED},
                                                                          {FAILED, PENDING},  {PENDING, REVOKED},
                                                                          {GRANTED, REVOKED}, {FAILED, REVOKED}};
  for (const EntitlementStatus from : {PENDING, GRANTED, REVOKED, FAILED}) {
    for (const EntitlementStatus to : {PENDING, GRANTED, REVOKED, FAILED}) {
      EXPECT_EQ(may_move(from, to), from == to || allowed.contains({from, to})) << name_of(from) << name_of(to);
    }
  }
}

TEST(RoleAttempts, are_judged_by_what_the_platform_says) {
  struct Case {
    ChatReply reply;
    bool giving;
    Kind kind;
    std::string_view reason;  // a part of it
  };
  const Case table[] = {
      {{.status = 204}, true, Kind::done, ""},
      {{.status = 404, .code = 10011}, false, Kind::done, ""},
      {{.status = 404, .code = 10007}, false, Kind::done, ""},
      {{.status = 404, .code = 10007}, true, Kind::dead, "not a member"},
      {{.status = 404, .code = 10011}, true, Kind::dead, "does not exist"},
      {{.status = 403, .code = 50013}, true, Kind::dead, "lacks Manage Roles"},
      {{.status = 403, .code = 50013}, false, Kind::dead, "does not stand above"},
      {{.status = 403, .code = 50001, .message = "Missing Access"}, true, Kind::dead, "Missing Access"},
      {{.status = 401}, true, Kind::retry, "CHAT_BOT_TOKEN"},
      {{.status = 429, .wait = std::chrono::milliseconds(70)}, true, Kind::retry, "wait"},
      {{.status = 0, .message = "Couldn't connect"}, true, Kind::retry, "connect"},
      {{.status = 502}, true, Kind::retry, "502"},
  };
  for (const Case& line : table) {
    const RoleAttempt attempt = judge(line.reply, line.giving);
    EXPECT_EQ(attempt.kind, line.kind) << line.reply.status << " " << line.reply.code;
    EXPECT_NE(attempt.reason.find(line.reason), std::string::npos) << attempt.reason;
    EXPECT_EQ(attempt.after, line.reply.wait);
  }
}

}  // namespace
}  // namespace guildhall
