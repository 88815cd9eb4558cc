#include "base/metrics.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Metrics, are_shown_as_prometheus_text) {
  Metrics metrics;
  metrics.counter("apples_total", "Apples.", {{"kind", "a \"b\"\n"}}).add(3);
  metrics.gauge("depth", "Depth.", [] { return 2.5; });
  metrics.gauge("depth", "Depth.", [] { return 3.5; }, {{"side", "left"}});
  metrics.read_counter("drops_total", "Drops.", [] { return 4; });
  metrics.histogram("took_seconds", "Took.").observe(std::chrono::milliseconds(2));
  const std::string text = metrics.text();
  EXPECT_NE(text.find("# TYPE apples_total counter\napples_total{kind=\"a \\\"b\\\"\\n\"} 3\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("# TYPE depth gauge\ndepth 2.5\ndepth{side=\"left\"} 3.5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# TYPE drops_total counter\ndrops_total 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("took_seconds_bucket{le=\"0.001\"} 0\n"), std::string::npos);
  EXPECT_NE(text.find("took_seconds_bucket{le=\"0.0025\"} 1\n"), std::string::npos);
  EXPECT_NE(text.find("took_seconds_count 1\n"), std::string::npos);
}

TEST(Metrics, bound_the_values_that_come_from_outside) {
  Metrics metrics;
  for (int i = 0; i < 10; ++i) {
    metrics.bounded_counter("refused_total", "Refused.", {{"endpoint", "e"}}, "source", std::to_string(i), 3).add();
  }
  EXPECT_EQ(metrics.counter("refused_total", "Refused.", {{"endpoint", "e"}, {"source", "0"}}).value(), 1u);
  EXPECT_EQ(metrics.counter("refused_total", "Refused.", {{"endpoint", "e"}, {"source", "other"}}).value(), 7u);
}

}  // namespace
}  // namespace guildhall
