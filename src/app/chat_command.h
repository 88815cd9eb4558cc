#pragma once

#include <string>

#include "base/crypto.h"
#include "features/chat_platform/chat_platform_config.h"
#include "features/tenancy/installation_config.h"

// `guildhall chat …`
namespace guildhall {

// Publishes the bot's commands to the platform: everywhere, or in one guild. Throws with a sentence for the operator.
void register_chat_commands(const ChatPlatformConfig& config, const std::string& guild);

// A key that stands for the platform's, made once and kept in the data folder: what it signs is believed by a server
// that is configured with its public half.
Ed25519Key development_chat_key(const InstallationConfig& config);

struct ChatSimulation {
  std::string url;    // of a running server
  std::string guild;  // whose shop is visited
  std::string user;   // who visits
};

// Plays a purchase in the terminal. Returns whether it came to an order.
bool simulate_chat(const Ed25519Key& key, const ChatSimulation& simulation, std::ostream& out);

// The demo shop's.
constexpr std::string_view demo_guild = "100000000000000001";

}  // namespace guildhall
