#include "base/log.h"

#include <unistd.h>

#include "base/instant.h"
#include "base/json_writer.h"

namespace guildhall::log {
namespace {

std::atomic<Level> lowest_level{Level::info};
std::atomic<bool> as_json{false};

constexpr std::string_view level_name(Level level) {
  constexpr std::array<std::string_view, 4> names{"debug", "info", "warn", "error"};
  return names[static_cast<std::size_t>(level)];
}

}  // namespace

void configure(Level lowest, bool json) {
  lowest_level = lowest;
  as_json = json;
}

void write(Level level, std::string_view message, std::initializer_list<Field> fields) {
  if (level < lowest_level.load(std::memory_order_relaxed)) return;
  std::string line;
  if (as_json.load(std::memory_order_relaxed)) {
    line = R"({"time":")" + to_string(now()) + R"(","level":")";
    line.append(level_name(level)).append(R"(","message":)");
    json::append_string(line, message);
    for (const Field& field : fields) {
      line += ',';
      json::append_string(line, field.key);
      line += ':';
      json::append_string(line, field.value);
    }
    line += "}\n";
  } else {
    line = fmt::format("{} {:<5} {}", to_string(now()), level_name(level), message);
    for (const Field& field : fields) line += fmt::format("  {}={}", field.key, field.value);
    line += '\n';
  }
  // One write call a line, so that lines of several threads never mix. A log that cannot be written is no
  // reason to fail a request.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

}  // namespace guildhall::log
