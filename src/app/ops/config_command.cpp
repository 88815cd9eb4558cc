#include <ostream>

#include "app/ops/commands.h"
#include "base/declared.h"
#include "base/misspelt_variables.h"

namespace guildhall {
namespace {

struct ShownVariable {
  std::string name;
  std::string value;  // masked
  bool is_default = false;
};
BOOST_DESCRIBE_STRUCT(ShownVariable, (), (name, value, is_default))

struct Remark {
  std::string variable;
  std::string message;
};
BOOST_DESCRIBE_STRUCT(Remark, (), (variable, message))

struct ConfigReport {
  bool valid = false;
  std::vector<ShownVariable> variables;
  std::vector<Remark> problems;
  std::vector<Remark> warnings;
};
BOOST_DESCRIBE_STRUCT(ConfigReport, (), (valid, variables, problems, warnings))

std::vector<ShownVariable> variables_of(const Environment& environment) {
  std::vector<ShownVariable> variables;
  for (const Variable& variable : config_variables()) {
    variables.push_back({std::string(variable.name), shown_value(variable, value_of(variable, environment)),
                         !environment(variable.name)});
  }
  return variables;
}

ConfigReport report_of(const Environment& environment, const std::vector<std::string>& names) {
  ConfigReport report{.variables = variables_of(environment)};
  for (const ConfigProblem& problem : check_config(environment).problems) {
    report.problems.push_back({problem.variable, problem.message});
  }
  for (const UnknownVariable& unknown : misspelt_variables(config_variables(), names)) {
    report.warnings.push_back({unknown.name, misspelling_sentence(unknown)});
  }
  report.valid = report.problems.empty();
  return report;
}

}  // namespace

bool show_config(const Environment& environment, const std::vector<std::string>& names, bool as_json,
                 std::ostream& out) {
  const ConfigReport report = report_of(environment, names);
  if (as_json) {
    out << to_json(report) << "\n";
    return report.valid;
  }
  out << config_listing(config_variables(), environment);
  for (const Remark& problem : report.problems)
    out << "PROBLEM  " << problem.variable << " " << problem.message << "\n";
  for (const Remark& warning : report.warnings)
    out << "warning  " << warning.variable << " " << warning.message << "\n";
  return report.valid;
}

}  // namespace guildhall
