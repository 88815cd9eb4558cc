#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

namespace guildhall {

// Where the progress of a command is shown.
struct ProgressOutput {
  std::ostream& out;
  bool terminal;  // one line with a bar that is written again and again; else a new line every few seconds
  std::function<std::chrono::steady_clock::time_point()> clock = std::chrono::steady_clock::now;
};

// Shows no progress from now on, for programs that read the output.
void hide_progress();

// Standard error, so that the progress does not mix with the results on standard output.
ProgressOutput standard_progress();

// The progress of a command that may take long: "exporting: 12,000 of 54,000 rows (22 %), 3,400 rows/s, 12 s left". A
// command that ends within a second shows nothing.
class Progress {
 public:
  enum class Unit { rows, orders, bytes };

  // A total of 0 means that it is not known.
  Progress(std::string action, std::int64_t total, Unit unit = Unit::rows, ProgressOutput output = standard_progress());
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::int64_t amount);
  void clear();  // removes the line from a terminal until the next one, before something else is printed
  std::int64_t done() const { return done_; }

 private:
  std::string line(std::chrono::duration<double> elapsed) const;
  std::string amount(double number) const;
  double share() const;  // that is done, of a known total

  const std::string action_;
  const std::int64_t total_;
  const Unit unit_;
  const ProgressOutput output_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
  std::int64_t done_ = 0;
  bool shown_ = false;
};

}  // namespace guildhall
