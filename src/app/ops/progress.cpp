#include "app/ops/progress.h"

#include <fmt/ostream.h>
#include <iostream>
#include <unistd.h>

namespace guildhall {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_after{1'000};
constexpr milliseconds terminal_pause{200};
constexpr milliseconds line_pause{5'000};
constexpr double mebibyte = 1 << 20;
constexpr std::size_t bar_length = 20;

bool hidden = false;

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  return whole < 3600 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                      : fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

// [########------------]
std::string bar(double share) {
  const auto full = static_cast<std::size_t>(share * bar_length);
  return fmt::format("[{}{}] ", std::string(full, '#'), std::string(bar_length - full, '-'));
}

}  // namespace

void hide_progress() {
  hidden = true;
}

ProgressOutput standard_progress() {
  return {std::cerr, ::isatty(STDERR_FILENO) != 0};
}

Progress::Progress(std::string action, std::int64_t total, Unit unit, ProgressOutput output)
    : action_(std::move(action)),
      total_(total),
      unit_(unit),
      output_(std::move(output)),
      start_(output_.clock()),
      next_(start_ + first_after) {}

void Progress::clear() {
  if (shown_ && output_.terminal) output_.out << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void Progress::add(std::int64_t amount) {
  done_ += amount;
  const auto now = output_.clock();
  if (hidden || now < next_) return;
  next_ = now + (output_.terminal ? terminal_pause : line_pause);
  shown_ = true;
  std::string text = line(now - start_);
  if (output_.terminal) {
    if (total_ > 0) text.insert(0, bar(share()));
    // A narrow terminal cuts the line: one that continues on the next row could not be replaced.
    text = fmt::format("\r\x1b[?7l{}\x1b[K\x1b[?7h", text);
  } else {
    text += '\n';
  }
  output_.out << text << std::flush;
}

double Progress::share() const {
  return std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
}

std::string Progress::amount(double number) const {
  return unit_ == Unit::bytes ? fmt::format("{:.1f} MiB", number / mebibyte)
                              : grouped(static_cast<std::int64_t>(number));
}

std::string Progress::line(std::chrono::duration<double> elapsed) const {
  const auto done = static_cast<double>(done_), total = static_cast<double>(total_);
  const double rate = done / elapsed.count();
  constexpr std::string_view names[] = {" rows", " orders", ""};
  const std::string_view unit = names[static_cast<std::size_t>(unit_)];
  std::string text = fmt::format("{}: {}", action_, amount(done));
  if (total_ > 0) text += fmt::format(" of {}{} ({:.0f} %)", amount(total), unit, 100 * share());
  if (total_ == 0) text += unit;
  text += fmt::format(", {}{}/s", amount(rate), unit);
  if (total_ > done_ && rate > 0) text += fmt::format(", {} left", duration((total - done) / rate));
  return text;
}

}  // namespace guildhall
