#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/findings.h"
#include "sandbox/world.h"

// The commands of the command line, besides the server itself (app/app.h) and those that move data
// (app/transfer/transfer.h). Each throws std::runtime_error with a sentence for the operator when it cannot do its
// work.
namespace guildhall {

// `guildhall config`: prints every variable with its masked value, then every problem and every variable that looks
// misspelt. Returns false when a value is wrong, so that the server would not start.
bool show_config(const Environment& environment, const std::vector<std::string>& names, bool as_json,
                 std::ostream& out);

// `guildhall doctor`: checks configuration, database, master key, cache, disk, descriptors and clock. It creates,
// changes and locks nothing, so it may run beside a server. `names` are the environment's variables.
Findings run_doctor(const Environment& environment, const std::vector<std::string>& names);

// `guildhall demo`: adds sample customers, products and a payment method to the default tenant. Running it again
// changes nothing.
void fill_demo_shop(const Config& config);

// The next three verify stored data by recomputing it, with or without a running server. Each prints a line per tenant
// to standard output and returns whether it found no problem. Without a tenant they verify all tenants. They also throw
// for an unknown tenant and for a database that cannot be read.

// `guildhall audit verify`: the hash chains of the audit trail.
bool verify_audit_trail(const StorageConfig& config, const std::optional<TenantId>& tenant);

// `guildhall fund verify`: the ledgers of the community fund.
bool verify_fund_ledgers(const StorageConfig& config, const std::optional<TenantId>& tenant);

// `guildhall reports rebuild`: recomputes the totals of the reports and corrects them. Reports that were never built
// are no problem. On SQLite beside a running server it only compares, because that server alone may write.
bool rebuild_all_reports(const StorageConfig& config, const std::optional<TenantId>& tenant);

// `guildhall chat register-commands`: publishes the bot's commands to the chat platform, for all guilds or, if `guild`
// is not empty, for one.
void register_chat_commands(const ChatPlatformConfig& config, const std::string& guild);

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
