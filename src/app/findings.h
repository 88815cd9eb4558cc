#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/config.h"
#include "base/declared.h"

// The checks of `guildhall doctor`.
namespace guildhall {

// A problem keeps the server from working; a warning does not.
enum class Severity { ok, warning, problem };
BOOST_DESCRIBE_ENUM(Severity, ok, warning, problem)

// The result of one of doctor's checks.
struct Finding {
  Severity level;
  std::string check;    // "database"
  std::string message;  // the state that was found
  std::string advice;   // what to do; empty for ok
};
BOOST_DESCRIBE_STRUCT(Finding, (), (level, check, message, advice))

class Findings {
 public:
  void ok(std::string check, std::string message) { add(Severity::ok, std::move(check), std::move(message), ""); }
  void warning(std::string check, std::string message, std::string advice) {
    add(Severity::warning, std::move(check), std::move(message), std::move(advice));
  }
  void problem(std::string check, std::string message, std::string advice) {
    add(Severity::problem, std::move(check), std::move(message), std::move(advice));
  }

  bool has_problem() const;
  void print(std::ostream& out) const;       // as text, one or two lines for each
  void print_json(std::ostream& out) const;  // {"ok", "findings": [{"level", "check", "message", "advice"}]}

 private:
  void add(Severity level, std::string check, std::string message, std::string advice) {
    all_.push_back({level, std::move(check), std::move(message), std::move(advice)});
  }

  std::vector<Finding> all_;
};

// Checks the database: that it answers, that its schema fits this program, that the master key is the one
// it was used with, and that its clock agrees with this machine's. It only reads.
void check_database(const Config& config, Findings& findings);

}  // namespace guildhall
