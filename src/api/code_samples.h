#pragma once

#include <string>
#include <vector>

#include "api/route.h"

namespace guildhall::api {

// A parameter and an example of its value as JSON.
struct SampledParameter {
  std::string name;
  std::string value;
};

// The parts of an operation that its code samples show.
struct SampledCall {
  const Route& route;
  std::string path_template;             // /api/data/order/{id}
  std::vector<SampledParameter> params;  // those of the path
  std::vector<SampledParameter> query;   // only those that are required
  std::string body;                      // JSON; empty: no body
  bool is_list;                          // the reply is a page of a list
};

// The value of x-codeSamples: the call with curl and, if its body is JSON and its reply no stream, with the TypeScript
// client.
std::string code_samples(const SampledCall& call, std::string_view base_url);

}  // namespace guildhall::api
