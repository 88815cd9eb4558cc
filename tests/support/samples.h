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
  HttpClient& admin;   // admin of the tenant, and PlatformAdmin
  std::string tenant;  // the tenant of the record
  std::string mark;    // a text that the record contains, to detect leaks
};

// Creates a record that a path can name, and returns the values for the path's `:names`, in order.
using MakeSample = std::function<std::vector<std::string>(const SampleMaking&)>;

// The samples by path, up to its last `:name`. A new route with a new `:name` needs a line here; the access and
// isolation tests fail without it.
const std::map<std::string, MakeSample>& samples();

// Returns /api/data/customer/:id for /api/data/customer/:id/link; empty if there is no `:name`.
std::string sample_key(std::string_view route_path);

// Returns the path with its `:names` replaced.
std::string filled(std::string_view route_path, const std::vector<std::string>& params);

// True for the routes on which a PlatformAdmin, and no other user, has access to every tenant.
bool platform_admin_reaches_everywhere(std::string_view route_path);

}  // namespace guildhall::test
