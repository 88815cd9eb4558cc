#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/declared.h"

// The results of doctor's checks, for `guildhall doctor` and the console. src/app/ops/doctor makes the checks.
namespace guildhall {

// A problem keeps the server from working; a warning does not.
enum class Severity { ok, warning, problem };
BOOST_DESCRIBE_ENUM(Severity, ok, warning, problem)

// The result of one check.
struct Finding {
  Severity level = Severity::ok;
  std::string check;    // "database"
  std::string message;  // the state that was found
  std::string advice;   // what to do; empty for ok
};
BOOST_DESCRIBE_STRUCT(Finding, (), (level, check, message, advice))

struct DoctorReport {
  bool ok = false;  // there is no problem
  std::vector<Finding> findings;
};
BOOST_DESCRIBE_STRUCT(DoctorReport, (), (ok, findings))

class Findings {
 public:
  void ok(std::string check, std::string message) { add(Severity::ok, std::move(check), std::move(message), ""); }
  void warning(std::string check, std::string message, std::string advice) {
    add(Severity::warning, std::move(check), std::move(message), std::move(advice));
  }
  void problem(std::string check, std::string message, std::string advice) {
    add(Severity::problem, std::move(check), std::move(message), std::move(advice));
  }
  void append(Findings others);

  bool has_problem() const;
  DoctorReport report() const { return {!has_problem(), all_}; }
  void print(std::ostream& out) const;  // as text, one or two lines for each

 private:
  void add(Severity level, std::string check, std::string message, std::string advice) {
    all_.push_back({level, std::move(check), std::move(message), std::move(advice)});
  }

  std::vector<Finding> all_;
};

}  // namespace guildhall
