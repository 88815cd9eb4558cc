#include "base/log_repeats.h"

namespace guildhall::log {

bool Repeats::admit(Level level, std::string_view message, Time now, std::vector<Summary>& passed) {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[std::hash<std::string_view>()(message) % slots_.size()];
  if (slot.level != level || slot.message != message || now - slot.start >= window) {
    close(slot, passed);
    slot.level = level;
    slot.message = message;
    slot.start = now;
  }
  return ++slot.lines <= static_cast<std::uint64_t>(repeated_lines_max);
}

std::vector<Repeats::Summary> Repeats::passed_windows(Time now) {
  const std::lock_guard lock(mutex_);
  std::vector<Summary> passed;
  for (Slot& slot : slots_) {
    if (slot.lines > 0 && now - slot.start >= window) close(slot, passed);
  }
  return passed;
}

void Repeats::close(Slot& slot, std::vector<Summary>& passed) {
  constexpr std::uint64_t written = repeated_lines_max;
  if (slot.lines > written) passed.push_back({slot.level, slot.message, slot.lines - written});
  slot.lines = 0;
}

}  // namespace guildhall::log
