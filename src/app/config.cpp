#include "app/config.h"

namespace guildhall {
namespace {

// Fills in the defaults that depend on other variables.
void add_derived_defaults(Config& config, const Environment& environment) {
  if (config.database_url.empty()) config.database_url = "sqlite:" + config.data_dir + "/guildhall.db";
  if (config.public_base_url.empty()) config.public_base_url = "http://" + config.listen.text();
  if (config.backup_dir.empty()) config.backup_dir = config.data_dir + "/backups";
  if (config.backup_target.empty()) config.backup_target = config.backup_dir;
  if (config.backup_s3_endpoint.empty()) {
    config.backup_s3_endpoint = "https://s3." + config.backup_s3_region + ".amazonaws.com";
  }
  config.metrics_required = environment("METRICS_ADDR").has_value();
}

}  // namespace

std::span<const Variable> config_variables() {
  static const std::vector<Variable> variables = Config::variables();
  return variables;
}

CheckedConfig check_config(const Environment& environment) {
  CheckedConfig checked;
  checked.config.read(environment, checked.problems);
  add_derived_defaults(checked.config, environment);
  if (!checked.config.database_read_url.empty() && checked.config.database_url.starts_with("sqlite:")) {
    checked.problems.push_back({"DATABASE_READ_URL", "needs a DATABASE_URL of PostgreSQL"});
  }
  if (!checked.config.development) Config::check_production_rules(environment, checked.problems);
  return checked;
}

Config read_config(const Environment& environment) {
  CheckedConfig checked = check_config(environment);
  if (checked.problems.empty()) return std::move(checked.config);
  std::string message = "The configuration is not valid:";
  for (const ConfigProblem& problem : checked.problems) message += "\n  " + problem.variable + " " + problem.message;
  throw std::runtime_error(message);
}

}  // namespace guildhall
