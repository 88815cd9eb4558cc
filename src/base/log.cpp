#include "base/log.h"

#include <atomic>
#include <unistd.h>

#include "base/instant.h"
#include "base/json_writer.h"
#include "base/log_repeats.h"

namespace guildhall::log {
namespace {

std::atomic<Level> lowest_level{Level::info};
std::atomic<bool> as_json{false};

Repeats& repeats() {
  static Repeats of_this_process;
  return of_this_process;
}

void append_json(std::string& out, Level level, std::string_view message, std::initializer_list<Field> fields) {
  json::ObjectWriter line(out);
  line.add("time", to_string(now()));
  line.add("level", level_name(level));
  line.add("message", message);
  for (const Field& field : fields) {
    if (field.unquoted) {
      line.key(field.key) += field.value;
    } else {
      line.add(field.key, field.value);
    }
  }
}

void write_line(Level level, std::string_view message, std::initializer_list<Field> fields) {
  std::string line;
  if (is_json()) {
    append_json(line, level, message, fields);
  } else {
    line = fmt::format("{} {:<5} {}", to_string(now()), level_name(level), message);
    for (const Field& field : fields) line += fmt::format("  {}={}", field.key, field.value);
  }
  line += '\n';
  // One write call a line, so that lines of several threads never mix. A log that cannot be written is no
  // reason to fail a request.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

void write_summaries(const std::vector<Repeats::Summary>& summaries) {
  for (const auto& [level, message, suppressed] : summaries) {
    write_line(level, fmt::format("{} (repeated {} times)", message, suppressed), {{"repeated", suppressed}});
  }
}

}  // namespace

std::string_view level_name(Level level) {
  constexpr std::array<std::string_view, 4> names{"debug", "info", "warn", "error"};
  return names[static_cast<std::size_t>(level)];
}

void configure(Level lowest, bool json) {
  lowest_level = lowest;
  as_json = json;
}

bool is_written(Level level) {
  return level >= lowest_level.load(std::memory_order_relaxed);
}

bool is_json() {
  return as_json.load(std::memory_order_relaxed);
}

void write(Level level, std::string_view message, std::initializer_list<Field> fields) {
  if (!is_written(level)) return;
  std::vector<Repeats::Summary> passed;
  const bool admitted = repeats().admit(level, message, std::chrono::steady_clock::now(), passed);
  write_summaries(passed);
  if (admitted) write_line(level, message, fields);
}

void report_repeats(bool all) {
  write_summaries(repeats().passed_windows(all ? Repeats::Time::max() : std::chrono::steady_clock::now()));
}

}  // namespace guildhall::log
