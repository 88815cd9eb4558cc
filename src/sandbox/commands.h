#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/config.h"
#include "sandbox/world.h"

// The commands of guildhall-sandbox. Each throws std::runtime_error with a sentence for the operator when it cannot do
// its work.
namespace guildhall {

// `guildhall demo`: makes the demo shop of the default tenant, with products, customers and five months of orders, if
// the tenant is empty. With `orders`, it adds orders until the shop has that many. Running it again changes nothing.
// Progress is written to `out`.
void fill_demo_shop(const Config& config, std::optional<std::size_t> orders, std::ostream& out);
constexpr std::size_t demo_orders = 420;  // without `orders`

struct ChatSimulation {
  std::string sandbox;  // the address of a running sandbox
  std::string member;   // who buys
  std::string channel;
};

// `guildhall chat simulate`: lets a member of the sandbox's guild buy from the bot, and prints the conversation.
// Returns whether an order was created.
bool simulate_chat(const ChatSimulation& simulation, std::ostream& out);

// The options of a sandbox whose secrets are stored in the data folder, where they are generated at the first call.
// Throws if SERVICE_ENV is production.
sandbox::Options sandbox_options(const Environment& environment);

// `guildhall sandbox --print-env`: the variables of a server that uses the sandbox, for a POSIX shell.
void print_sandbox_environment(const sandbox::Options& options, std::ostream& out);

// `guildhall sandbox`: plays all outside parties until SIGTERM or SIGINT, which the caller has blocked.
void run_sandbox(sandbox::Options options, std::ostream& out);

// `guildhall trigger`: makes a running sandbox send an event to its server. Returns whether the server has taken it.
bool trigger_event(const std::string& sandbox, const std::string& name, std::ostream& out);
void list_triggered_events(std::ostream& out);

// `guildhall listen`: prints the webhooks that the server sends to a tenant's endpoint, until SIGTERM or SIGINT, which
// the caller has blocked.
void listen_for_webhooks(std::uint16_t port, const std::vector<std::string>& secrets, const std::string& forward_to,
                         std::ostream& out);

// The guild of the demo shop.
constexpr std::string_view demo_guild = "100000000000000001";

}  // namespace guildhall
