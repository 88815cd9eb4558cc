#pragma once

#include <boost/describe.hpp>
#include <string>

namespace guildhall {

enum class ActorKind {
  USER,      // a user with a session
  TOKEN,     // a program with an API token
  CHAT,      // a member of the chat platform, through the bot
  PROVIDER,  // a webhook of a payment, shipping or billing provider
  SYSTEM,    // the server itself: expiry, reconciliation, the command line
};
BOOST_DESCRIBE_ENUM(ActorKind, USER, TOKEN, CHAT, PROVIDER, SYSTEM)

// The originator of a change, which the audit trail records.
struct Actor {
  ActorKind kind = ActorKind::SYSTEM;
  std::string id;          // a user's id, a token\'s id, a chat user's id, a provider's name, a job's name
  std::string request_id;  // empty where there is no request
};

}  // namespace guildhall
