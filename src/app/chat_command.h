#pragma once

#include <string>

#include "base/crypto.h"
#include "features/chat_platform/chat_platform_config.h"
#include "features/tenancy/installation_config.h"

// The commands `guildhall chat …`.
namespace guildhall {

// Publishes the bot's commands to the chat platform, for all guilds or, if `guild` is not empty, for one. Throws
// std::runtime_error with a sentence for the operator.
void register_chat_commands(const ChatPlatformConfig& config, const std::string& guild);

// A substitute for the chat platform's key, generated once and stored in the data folder. A server that is configured
// with its public key accepts interactions that it has signed.
Ed25519Key development_chat_key(const InstallationConfig& config);

struct ChatSimulation {
  std::string url;    // of a running server
  std::string guild;  // the guild of the shop
  std::string user;   // the member who buys
};

// Simulates a purchase and prints it. Returns whether an order was created.
bool simulate_chat(const Ed25519Key& key, const ChatSimulation& simulation, std::ostream& out);

// The guild of the demo shop.
constexpr std::string_view demo_guild = "100000000000000001";

}  // namespace guildhall
