#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/config.h"
#include "features/operations/findings.h"

// The commands of the command line, besides the server itself (app/app.h), those that move data
// (app/ops/transfer/transfer.h) and those of the sandbox (sandbox/commands.h). Each throws std::runtime_error with a
// sentence for the operator when it cannot do its work.
namespace guildhall {

// `guildhall config`: prints every variable with its masked value, then every problem and every variable that looks
// misspelt. Returns false when a value is wrong, so that the server would not start.
bool show_config(const Environment& environment, const std::vector<std::string>& names, bool as_json,
                 std::ostream& out);

// `guildhall migrate --plan`: prints the migrations that `guildhall migrate` would apply, with their statements, and
// those of a newer program. Changes nothing.
void show_migration_plan(const StorageConfig& config, bool json, std::ostream& out);

// `guildhall doctor`: makes the checks of app/ops/doctor/doctor.h. It creates, changes and locks nothing, so it may run
// beside a server. `names` are the environment's variables. With `online`, it also calls other servers.
Findings run_doctor(const Environment& environment, const std::vector<std::string>& names, bool online);

// `guildhall rekey`: seals all stored secrets again with the first of the master keys, in small batches. Running it
// again continues. On PostgreSQL it may run beside servers that know all of the keys; on SQLite the server must be
// stopped. Prints the result; returns false if there are secrets that none of the keys opens.
bool rekey_secrets(const Config& config, std::ostream& out, bool as_json = false);

// A user with a password, for the commands of `guildhall admin`, which help when nobody can sign in.
struct AdminAccount {
  std::string username;
  std::optional<TenantId> tenant;     // nothing: the default tenant
  bool password_from_input = false;   // the first line of the input; else a password is generated and printed
  bool platform = false;              // create: also PlatformAdmin
  bool remove_second_factor = false;  // unlock: for a user who has lost it
  std::string address;                // unlock: the client's address
};

// All three change the database, so on SQLite the server must be stopped. They write to the audit trail.
// `guildhall admin create`: creates a user who is TenantAdmin.
void create_admin(const Config& config, const AdminAccount& account, std::istream& in, std::ostream& out);
// `guildhall admin password`: sets a user's password and ends the user's sessions.
void set_admin_password(const Config& config, const AdminAccount& account, std::istream& in, std::ostream& out);
// `guildhall admin unlock`: forgets wrong codes of the second factor and, with an address, wrong passwords from there.
void unlock_admin(const Config& config, const AdminAccount& account, std::ostream& out);

// `guildhall erase`: deletes all rows and pictures of a tenant, and the contents of its audit trail, whose hash chain
// can still be verified (audit/audit_chain.h). Running it again continues. On SQLite the server must be stopped.
// Returns the certificate: which tables had how many rows, as JSON.
std::string erase_tenant(const Config& config, const TenantId& tenant);

struct Erasure {
  std::string certificate;  // JSON
  bool complete;            // false: the certificate lists rows that still contain the person's data
};

// The same for one customer. The customer's record, the orders, shipments, entitlements and carts lose everything that
// names the person; amounts stay. Copies in webhooks, sent messages and entries of the audit trail are erased. Rows are
// recognised as erased_person.h says. Then it searches all rows of the tenant for what still shows the person.
Erasure erase_customer(const Config& config, const TenantId& tenant, const CustomerId& id);

// The next three verify stored data by recomputing it, with or without a running server. Each prints a line per tenant
// to standard output and returns whether it found no problem. Without a tenant they verify all tenants. They also throw
// for an unknown tenant and for a database that cannot be read. As JSON they print one object in each line.

// `guildhall audit verify`: the hash chains of the audit trail.
bool verify_audit_trail(const StorageConfig& config, const std::optional<TenantId>& tenant, bool as_json = false);

// `guildhall fund verify`: the ledgers of the community fund.
bool verify_fund_ledgers(const StorageConfig& config, const std::optional<TenantId>& tenant, bool as_json = false);

// `guildhall reports rebuild`: recomputes the totals of the reports and corrects them. Reports that were never built
// are no problem. On SQLite beside a running server it only compares, because that server alone may write.
bool rebuild_all_reports(const StorageConfig& config, const std::optional<TenantId>& tenant, bool as_json = false);

// `guildhall chat register-commands`: publishes the bot's commands to the chat platform, for all guilds or, if `guild`
// is not empty, for one.
void register_chat_commands(const ChatPlatformConfig& config, const std::string& guild);

}  // namespace guildhall
