#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/test_server.h"

namespace guildhall::test {

struct SampleMaking {
  TestServer& server;
  HttpClient& admin;   // of the tenant, and PlatformAdmin
  std::string tenant;  // where the record is to be
  std::string mark;    // goes into a text of the record, so that a leak can be found by it
};

// Makes a record that a path can name, and returns what goes in place of the path's `:names`, in order.
using MakeSample = std::function<std::vector<std::string>(const SampleMaking&)>;

// By the path up to its last `:name`. Whoever adds a route with a new one adds a line here; the access and isolation
// tests fail until it is there.
const std::map<std::string, MakeSample>& samples();

// /api/data/customer/:id/link → /api/data/customer/:id; empty when there is no `:name`.
std::string sample_key(std::string_view route_path);

// The path with its `:names` replaced.
std::string filled(std::string_view route_path, const std::vector<std::string>& params);

// Routes on which a PlatformAdmin reaches into every tenant, as decided; nobody else does.
bool platform_admin_reaches_everywhere(std::string_view route_path);

}  // namespace guildhall::test
