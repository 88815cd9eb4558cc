#pragma once

#include <string>

#include "base/crypto.h"
#include "features/chat_platform/chat_platform_config.h"
#include "features/tenancy/installation_config.h"

// The commands `guildhall chat …`.
namespace guildhall {

// Publishes the bot's commands to the platform, for all guilds or for one. Throws with a sentence for the operator.
void register_chat_commands(const Config& config, const std::string& guild);

// The key with which `chat simulate` signs, in place of the platform's. It is created once and stored in the data
// folder. The server must be configured with its public half.
Ed25519Key development_chat_key(const Config& config);

struct ChatSimulation {
  std::string url;    // of a running server
  std::string guild;  // whose shop is used
  std::string user;   // the customer's chat id
};

// Simulates a purchase and prints it. Returns whether an order was placed.
bool simulate_chat(const Ed25519Key& key, const ChatSimulation& simulation, std::ostream& out);

// The guild of the demo shop.
constexpr std::string_view demo_guild = "100000000000000001";

}  // namespace guildhall
