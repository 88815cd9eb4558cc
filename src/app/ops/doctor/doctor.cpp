#include "app/ops/doctor/doctor.h"

#include "app/ops/commands.h"
#include "base/misspelt_variables.h"
#include "cache/cache.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

void check_names(const Examined& examined, Findings& findings) {
  for (const UnknownVariable& unknown : misspelt_variables(config_variables(), examined.variable_names)) {
    findings.warning("configuration", unknown.name + " " + misspelling_sentence(unknown),
                     "Correct the name, or remove the variable. `guildhall config` lists all.");
  }
}

void check_values(const Examined& examined, Findings& findings) {
  findings.ok("configuration", "every variable is valid");
  for (const ConfigWarning& warning : config_warnings(examined.config)) {
    findings.warning("configuration", std::string(warning.message), std::string(warning.advice));
  }
}

void check_cache(const Examined& examined, Findings& findings) {
  try {
    findings.ok("cache", fmt::format("{} answers", examined.check_cache()));
  } catch (const std::exception& error) {
    findings.problem("cache", error.what(), "Check CACHE_URL, and that Redis is running.");
  }
}

// The first of them need no valid configuration.
constexpr Check checks_of_machine[] = {check_clock, check_descriptors, check_names};
constexpr Check checks_of_installation[] = {check_values, check_database, check_cache,
                                            check_disks,  check_backups,  check_certificates};

// A check that fails itself does not keep the others from being made.
void make(std::span<const Check> checks, const Examined& examined, Findings& findings) {
  for (const Check check : checks) {
    try {
      check(examined, findings);
    } catch (const std::exception& error) {
      findings.problem("doctor", fmt::format("a check could not be made: {}", error.what()),
                       "Run `guildhall doctor` as the server's user.");
    }
  }
}

// Reads the database of a configuration without a server.
Examined::Reading read_only_reading(const std::string& url) {
  return [&url](FunctionRef<void(Tx&, const std::string&)> body) {
    const auto database = open_read_only(url);
    database->read([&](Tx& tx) { body(tx, database->name()); });
  };
}

}  // namespace

Findings examine(const Examined& examined, bool online) {
  Findings findings;
  make(checks_of_machine, examined, findings);
  make(checks_of_installation, examined, findings);
  if (online) check_other_servers(examined, findings);
  return findings;
}

Findings run_doctor(const Environment& environment, const std::vector<std::string>& names, bool online) {
  const CheckedConfig checked = check_config(environment);
  const Config& config = checked.config;
  Examined examined{.config = config,
                    .variable_names = names,
                    .read_database = read_only_reading(config.database_url),
                    .check_cache = [&config] {
                      const auto cache = open_cache({.url = config.cache_url, .keep_file = ""});
                      cache->check();
                      return cache->name();
                    }};
  if (checked.problems.empty()) return examine(examined, online);

  Findings findings;
  make(checks_of_machine, examined, findings);
  for (const ConfigProblem& problem : checked.problems) {
    findings.problem("configuration", problem.variable + " " + problem.message,
                     "docs/configuration.md lists every variable; `guildhall config` shows the values in force.");
  }
  return findings;
}

}  // namespace guildhall
