#pragma once

#include <cstdlib>

#include "support/test_server.h"

namespace guildhall::test {

// Returns the number of round trips that transactions have made to PostgreSQL.
inline std::int64_t round_trips(const TestServer& server) {
  constexpr std::string_view name = "\npostgres_round_trips_total ";
  const std::string text = HttpClient(server.metrics_port()).get("/metrics").body;
  const std::size_t found = text.find(name);
  return found == std::string::npos ? 0 : std::atoll(text.c_str() + found + name.size());
}

// Returns the fewest round trips of several runs. Background jobs may add some to a run.
inline std::int64_t fewest_round_trips(const TestServer& server, FunctionRef<void()> prepare, FunctionRef<void()> run) {
  constexpr int runs = 5;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < runs; ++i) {
    prepare();
    const std::int64_t before = round_trips(server);
    run();
    fewest = std::min(fewest, round_trips(server) - before);
  }
  return fewest;
}

}  // namespace guildhall::test
