#include "storage/slow_statements.h"

#include "base/log.h"

namespace guildhall {
namespace {

constexpr std::size_t logged_bytes_max = 2000;

// A statement on one line.
std::string logged_text(std::string_view statement) {
  std::string text;
  for (const char c : statement.substr(0, logged_bytes_max)) {
    const bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

}  // namespace

void log_slow_statements(std::chrono::milliseconds at_least) {
  slow_statement_nanoseconds = std::chrono::nanoseconds(at_least).count();
}

void StatementTimer::log(std::string_view statement) const {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
  log::warn("slow statement", {{"milliseconds", took.count()}, {"statement", logged_text(statement)}});
}

}  // namespace guildhall
