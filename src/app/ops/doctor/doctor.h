#pragma once

#include <functional>

#include "app/config.h"
#include "base/function_ref.h"
#include "features/operations/findings.h"
#include "storage/database.h"

// Doctor: a list of checks that look at an installation and create, change and lock nothing. `guildhall doctor` runs
// them beside a server or without one, and a server runs them for the console.
namespace guildhall {

// The parts of an installation that the checks look at.
struct Examined {
  const Config& config;
  std::vector<std::string> variable_names;  // of the environment, to find misspelt ones

  // Calls the function with one snapshot of the database and the engine's name. Throws what the database throws.
  using Reading = std::function<void(FunctionRef<void(Tx&, const std::string& engine)>)>;
  Reading read_database;

  // Returns the name of the cache if it answers. Throws otherwise.
  std::function<std::string()> check_cache;

  bool by_server = false;  // the process that examines is the server itself

  std::string authorities_file{};  // the certificate authorities that are trusted online; empty: those of the machine
};

// With `online`, other servers are called as well: the mail server, the chat platform, the billing provider and the
// payment processors that the environment configures. This takes up to 15 seconds.
Findings examine(const Examined& examined, bool online);

// The checks, each in the file that its comment names.
using Check = void (*)(const Examined& examined, Findings& findings);

// database_checks.cpp: that it answers, that its schema fits this program, that the master key is the one it was used
// with, that its clock agrees with this machine's, and that the replica can be used.
void check_database(const Examined& examined, Findings& findings);

constexpr std::chrono::hours backup_age_max{48};

// machine_checks.cpp
void check_clock(const Examined& examined, Findings& findings);
void check_descriptors(const Examined& examined, Findings& findings);
void check_disks(const Examined& examined, Findings& findings);
void check_backups(const Examined& examined, Findings& findings);

// outgoing_checks.cpp: the certificates that this machine has, and the servers that it calls.
void check_certificates(const Examined& examined, Findings& findings);
void check_other_servers(const Examined& examined, Findings& findings);

}  // namespace guildhall
