#include "base/metrics.h"

#include <fmt/format.h>

namespace guildhall {
namespace {

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

// a="1",b="2"
std::string rendered(const Metrics::Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    out += fmt::format(R"({}{}="{}")", out.empty() ? "" : ",", name, escaped(value));
  }
  return out;
}

std::string braced(std::string_view labels) {
  return labels.empty() ? "" : fmt::format("{{{}}}", labels);
}

void append_head(std::string& out, std::string_view name, std::string_view help, std::string_view type) {
  out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

}  // namespace

void Histogram::observe(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  const auto bucket = std::lower_bound(bounds_seconds.begin(), bounds_seconds.end(), seconds);
  buckets_[static_cast<std::size_t>(bucket - bounds_seconds.begin())].add();
  sum_nanoseconds_.add(static_cast<std::uint64_t>(duration.count()));
}

template <class T>
T& Metrics::series_of(Families<T>& families, std::string_view name, std::string_view help, const Labels& labels) {
  Family<T>& family = families.try_emplace(std::string(name)).first->second;
  family.help = help;
  auto& series = family.series[rendered(labels)];
  if (!series) series = std::make_unique<T>();
  return *series;
}

Counter& Metrics::counter(std::string_view name, std::string_view help, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  return series_of(counters_, name, help, labels);
}

Histogram& Metrics::histogram(std::string_view name, std::string_view help, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  return series_of(histograms_, name, help, labels);
}

void Metrics::gauge(std::string_view name, std::string_view help, std::function<double()> read, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  series_of(gauges_, name, help, labels) = std::move(read);
}

void Metrics::read_counter(std::string_view name, std::string_view help, std::function<double()> read,
                           const Labels& labels) {
  const std::lock_guard lock(mutex_);
  series_of(read_counters_, name, help, labels) = std::move(read);
}

Counter& Metrics::bounded_counter(std::string_view name, std::string_view help, Labels labels, std::string_view label,
                                  const std::string& value, std::size_t values_max) {
  const std::lock_guard lock(mutex_);
  labels.emplace_back(label, value);
  const auto family = counters_.find(name);
  if (family != counters_.end() && family->second.series.size() >= values_max &&
      !family->second.series.contains(rendered(labels))) {
    labels.back().second = "other";
  }
  return series_of(counters_, name, help, labels);
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& [name, family] : counters_) {
    append_head(out, name, family.help, "counter");
    for (const auto& [labels, counter] : family.series) {
      out += fmt::format("{}{} {}\n", name, braced(labels), counter->value());
    }
  }
  const auto append_read = [&](const auto& families, std::string_view type) {
    for (const auto& [name, family] : families) {
      append_head(out, name, family.help, type);
      for (const auto& [labels, read] : family.series) {
        out += fmt::format("{}{} {}\n", name, braced(labels), (*read)());
      }
    }
  };
  append_read(read_counters_, "counter");
  append_read(gauges_, "gauge");
  for (const auto& [name, family] : histograms_) {
    append_head(out, name, family.help, "histogram");
    for (const auto& [labels, histogram] : family.series) {
      const std::string comma = labels.empty() ? "" : labels + ",";
      std::uint64_t total = 0;
      for (std::size_t i = 0; i < histogram->buckets_.size(); ++i) {
        total += histogram->buckets_[i].value();
        const std::string bound =
            i < Histogram::bounds_seconds.size() ? fmt::format("{}", Histogram::bounds_seconds[i]) : "+Inf";
        out += fmt::format("{}_bucket{{{}le=\"{}\"}} {}\n", name, comma, bound, total);
      }
      const double sum = static_cast<double>(histogram->sum_nanoseconds_.value()) / 1e9;
      out += fmt::format("{}_sum{} {}\n{}_count{} {}\n", name, braced(labels), sum, name, braced(labels), total);
    }
  }
  return out;
}

Metrics& metrics_or_unread(Metrics* metrics) {
  static Metrics unread;
  return metrics != nullptr ? *metrics : unread;
}

}  // namespace guildhall
