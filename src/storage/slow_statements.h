#pragma once

#include <atomic>
#include <chrono>
#include <string_view>

namespace guildhall {

// Statements that take at least this long are logged, without the values of their parameters; 0: none are. For the
// whole process.
void log_slow_statements(std::chrono::milliseconds at_least);

inline std::atomic<std::chrono::steady_clock::rep> slow_statement_nanoseconds{0};

// Measures a statement. While slow statements are not logged, it costs one comparison.
class StatementTimer {
 public:
  using Clock = std::chrono::steady_clock;

  StatementTimer() : limit_(slow_statement_nanoseconds.load(std::memory_order_relaxed)) {
    if (limit_ > 0) began_ = Clock::now();
  }

  // Logs the statement if it was slow.
  void ended(std::string_view statement) const {
    if (is_slow()) log(statement);
  }

  bool is_slow() const { return limit_ > 0 && (Clock::now() - began_).count() >= limit_; }
  void log(std::string_view statement) const;

 private:
  Clock::rep limit_;
  Clock::time_point began_{};
};

}  // namespace guildhall
