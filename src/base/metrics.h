#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

// Counters and histograms of one process, in Prometheus' text format. Look a metric up once and keep the reference:
// adding to it is one relaxed atomic operation.
namespace guildhall {

class Counter {
 public:
  void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Durations, counted in fixed buckets from a quarter of a millisecond to ten seconds.
class Histogram {
 public:
  static constexpr std::array<double, 10> bounds_seconds{0.00025, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10};
  void observe(std::chrono::nanoseconds duration);

 private:
  friend class Metrics;
  std::array<Counter, bounds_seconds.size() + 1> buckets_;
  Counter sum_nanoseconds_;
};

// Observes the time from its construction to its destruction.
class HistogramTimer {
 public:
  explicit HistogramTimer(Histogram& histogram) : histogram_(histogram), began_(std::chrono::steady_clock::now()) {}
  ~HistogramTimer() { histogram_.observe(std::chrono::steady_clock::now() - began_); }
  HistogramTimer(const HistogramTimer&) = delete;
  HistogramTimer& operator=(const HistogramTimer&) = delete;

 private:
  Histogram& histogram_;
  std::chrono::steady_clock::time_point began_;
};

class Metrics {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string>>;

  // `help` and the label names must be the same for every call with the same name. The references stay valid as long as
  // the Metrics object.
  Counter& counter(std::string_view name, std::string_view help, const Labels& labels = {});
  Histogram& histogram(std::string_view name, std::string_view help, const Labels& labels = {});

  // A value that is read when the metrics are requested.
  void gauge(std::string_view name, std::string_view help, std::function<double()> read, const Labels& labels = {});

  // The same for a value that only grows.
  void read_counter(std::string_view name, std::string_view help, std::function<double()> read,
                    const Labels& labels = {});

  // A counter with a label whose values come from clients: at most `values_max` different values are counted
  // separately, all further ones as `other`.
  Counter& bounded_counter(std::string_view name, std::string_view help, Labels labels, std::string_view label,
                           const std::string& value, std::size_t values_max);

  std::string text() const;

 private:
  template <class T>
  struct Family {
    std::string help;
    std::map<std::string, std::unique_ptr<T>> series;  // by rendered labels
  };
  template <class T>
  using Families = std::map<std::string, Family<T>, std::less<>>;

  template <class T>
  static T& series_of(Families<T>& families, std::string_view name, std::string_view help, const Labels& labels);

  mutable std::mutex mutex_;
  Families<Counter> counters_;
  Families<Histogram> histograms_;
  Families<std::function<double()>> gauges_, read_counters_;
};

// Returns `metrics`, or, for a command that shows none, an object whose values are not shown.
Metrics& metrics_or_unread(Metrics* metrics);

}  // namespace guildhall
