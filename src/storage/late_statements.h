#pragma once

#include <functional>
#include <mutex>

namespace guildhall {

// Statements that are made when one of them is first used: a program has thousands, and most processes use few.
// statement_texts() makes all, so that the test of query plans sees them.
class LateStatements {
 public:
  explicit LateStatements(std::function<void()> make);
  ~LateStatements();
  LateStatements(const LateStatements&) = delete;
  LateStatements& operator=(const LateStatements&) = delete;

  void ensure() const { std::call_once(is_made_, make_); }

 private:
  std::function<void()> make_;
  mutable std::once_flag is_made_;
};

}  // namespace guildhall
