#include "base/environment_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace guildhall {
namespace {

constexpr std::string_view whitespace = " \t\n\r", newlines = "\n\r", escaped_in_quotes = "\"\\`$";

bool is_one_of(std::string_view characters, char c) {
  return characters.find(c) != std::string_view::npos;
}

bool is_variable_name(std::string_view name) {
  const bool first_is_digit = !name.empty() && name.front() >= '0' && name.front() <= '9';
  return !name.empty() && !first_is_digit && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void trim_end(std::string& text) {
  text.erase(text.find_last_not_of(whitespace) + 1);
}

// Reads the format that systemd.exec(5) describes under EnvironmentFile=, one character at a time. Where versions of
// systemd differ (a comment that ends with a backslash continues on the next line), it does what Debian 12's does.
class EnvironmentParser {
 public:
  void take(char c) {
    switch (state_) {
      case State::before_name:
        return begin_name(c);
      case State::name:
        return in_name(c);
      case State::before_value:
        return begin_value(c);
      case State::value:
        return in_value(c);
      case State::value_escape:
        state_ = State::value;
        if (!is_one_of(newlines, c)) append(c, true);
        return;
      case State::single_quoted:
        return c == '\'' ? enter(State::before_value) : append(c, true);
      case State::double_quoted:
        return in_double_quotes(c);
      case State::double_quoted_escape:
        return after_backslash_in_quotes(c);
      case State::comment:
        return in_comment(c);
      case State::comment_escape:
        return enter(State::comment);
    }
  }

  Assignments finish() {
    const bool has_value = state_ != State::before_name && state_ != State::name && state_ != State::comment &&
                           state_ != State::comment_escape;
    if (has_value) add_assignment();
    return std::move(found_);
  }

 private:
  enum class State {
    before_name,
    name,
    before_value,
    value,
    value_escape,
    single_quoted,
    double_quoted,
    double_quoted_escape,
    comment,
    comment_escape,
  };

  void enter(State state) { state_ = state; }

  // Unquoted white space at the end of a value does not belong to it.
  void append(char c, bool belongs) {
    value_ += c;
    if (belongs || !is_one_of(whitespace, c)) value_size_ = value_.size();
  }

  void begin_name(char c) {
    if (is_one_of("#;", c)) return enter(State::comment);
    if (is_one_of(whitespace, c)) return;
    name_ = c;
    enter(State::name);
  }

  void in_name(char c) {
    if (is_one_of(newlines, c)) return enter(State::before_name);
    if (c != '=') {
      name_ += c;
      return;
    }
    value_.clear();
    value_size_ = 0;
    enter(State::before_value);
  }

  void begin_value(char c) {
    if (is_one_of(newlines, c)) return add_assignment();
    if (c == '\'') return enter(State::single_quoted);
    if (c == '"') return enter(State::double_quoted);
    if (c == '\\') return enter(State::value_escape);
    if (is_one_of(whitespace, c)) return;
    append(c, true);
    enter(State::value);
  }

  void in_value(char c) {
    if (is_one_of(newlines, c)) return add_assignment();
    if (c == '\\') {
      value_size_ = value_.size();
      return enter(State::value_escape);
    }
    append(c, false);
  }

  void in_double_quotes(char c) {
    if (c == '"') return enter(State::before_value);
    if (c == '\\') return enter(State::double_quoted_escape);
    append(c, true);
  }

  void after_backslash_in_quotes(char c) {
    enter(State::double_quoted);
    if (c == '\n') return;
    if (!is_one_of(escaped_in_quotes, c)) append('\\', true);
    append(c, true);
  }

  void in_comment(char c) {
    if (c == '\\') return enter(State::comment_escape);
    if (is_one_of(newlines, c)) enter(State::before_name);
  }

  void add_assignment() {
    trim_end(name_);
    value_.resize(value_size_);
    if (is_variable_name(name_)) found_.emplace_back(name_, value_);
    enter(State::before_name);
  }

  State state_ = State::before_name;
  std::string name_, value_;
  std::size_t value_size_ = 0;  // without white space at the end
  Assignments found_;
};

}  // namespace

Assignments parse_environment_file(std::string_view text) {
  EnvironmentParser parser;
  for (const char c : text) parser.take(c);
  return parser.finish();
}

void load_environment_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw std::runtime_error(fmt::format("--env-file: {} cannot be read: {}.", path, std::strerror(errno)));
  }
  for (const auto& [name, value] : parse_environment_file(text.str())) ::setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace guildhall
