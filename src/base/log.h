#pragma once

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <string_view>

// Structured log on standard error: one JSON object per line in production, readable text on a terminal. Never log a
// secret, a cookie, a token, a password or a full email address.
namespace guildhall::log {

enum class Level { debug, info, warn, error };

struct Field {
  template <class T>
  Field(std::string_view key, const T& value)
      : key(key), value(fmt::format("{}", value)), unquoted(is_json_literal(value)) {}

  std::string_view key;
  std::string value;
  bool unquoted;  // the value is a JSON number or boolean

 private:
  template <class T>
  static bool is_json_literal(const T& value) {
    if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
    return std::is_integral_v<T> && !std::is_same_v<T, char>;
  }
};

std::string_view level_name(Level level);

void configure(Level lowest, bool json);
bool is_written(Level level);
bool is_json();

// Writes one line. At most repeated_lines_max lines with the same message are written within Repeats::window; the
// rest is counted, and one line "message (repeated N times)" follows when the window has passed.
void write(Level level, std::string_view message, std::initializer_list<Field> fields);

constexpr int repeated_lines_max = 20;

// Writes the "repeated N times" lines of windows that have passed, or of all windows. The LineWriter calls this every
// second; without it, they are written together with the next line of the same message.
void report_repeats(bool all = false);

inline void debug(std::string_view message, std::initializer_list<Field> fields = {}) {
  write(Level::debug, message, fields);
}
inline void info(std::string_view message, std::initializer_list<Field> fields = {}) {
  write(Level::info, message, fields);
}
inline void warn(std::string_view message, std::initializer_list<Field> fields = {}) {
  write(Level::warn, message, fields);
}
inline void error(std::string_view message, std::initializer_list<Field> fields = {}) {
  write(Level::error, message, fields);
}

}  // namespace guildhall::log
