#pragma once

#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <string_view>

// Structured log on standard error: one JSON object a line in production, readable text on a terminal. Never
// pass it a secret, a cookie, a token, a password or a full email address.
namespace guildhall::log {

enum class Level { debug, info, warn, error };

struct Field {
  template <class T>
  Field(std::string_view key, const T& value) : key(key), value(fmt::format("{}", value)) {}

  std::string_view key;
  std::string value;
};

void configure(Level lowest, bool json);
void write(Level level, std::string_view message, std::initializer_list<Field> fields);

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
