#pragma once

#include <atomic>
#include <span>
#include <string>
#include <thread>

#include "base/metrics.h"
#include "base/trace.h"
#include "outbound/tracing_config.h"

namespace guildhall::outbound {

// Sends the spans of the process to an OpenTelemetry collector, in batches, on a thread of its own. While the collector
// does not answer, a batch is sent again after a pause, and the spans that no longer fit into the queue are dropped and
// counted (`trace_spans_total`). There is at most one in a process.
class TraceExporter {
 public:
  TraceExporter(const TracingConfig& config, Metrics& metrics);
  ~TraceExporter();  // sends the remaining spans, if the collector takes them within two seconds
  TraceExporter(const TraceExporter&) = delete;
  TraceExporter& operator=(const TraceExporter&) = delete;

 private:
  void run();
  // Returns false if the batch has to be sent again.
  bool send(std::span<const trace::Span> batch);

  const std::string url_;
  const std::vector<std::pair<std::string, std::string>> headers_;
  Counter& exported_;
  Counter& refused_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

// The body of a request to a collector.
std::string otlp_json(std::span<const trace::Span> spans);

}  // namespace guildhall::outbound
