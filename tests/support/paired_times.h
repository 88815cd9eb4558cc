#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace guildhall::test {

// The durations of two kinds of call that are made in turns, grouped by the call. Only their ratio is meaningful,
// because the load of the machine varies.
class PairedTimes {
 public:
  using Duration = std::chrono::steady_clock::duration;

  void add(const std::string& what, Duration one, Duration other) {
    times_[what].push_back({one, other});
    times_[everything].push_back({one, other});
  }

  struct Ratio {
    std::string what;
    std::size_t samples;
    double of_medians;  // above 1: the first kind took longer
  };

  // The ratio over all calls, and the ratio of each call with at least `samples_min` samples.
  std::vector<Ratio> ratios(std::size_t samples_min) const {
    std::vector<Ratio> found;
    for (const auto& [what, pairs] : times_) {
      if (what != everything && pairs.size() < samples_min) continue;
      const auto ones = median_of(pairs, &Pair::one), others = median_of(pairs, &Pair::other);
      found.push_back({what, pairs.size(), static_cast<double>(ones.count()) / static_cast<double>(others.count())});
    }
    return found;
  }

  static constexpr const char* everything = "everything";

 private:
  struct Pair {
    Duration one, other;
  };

  static Duration median_of(const std::vector<Pair>& pairs, Duration Pair::*side) {
    std::vector<Duration> values;
    for (const Pair& pair : pairs) values.push_back(pair.*side);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  std::map<std::string, std::vector<Pair>> times_;
};

}  // namespace guildhall::test
