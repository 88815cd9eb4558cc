#pragma once

#include <string>

#include "api/route.h"

namespace guildhall::api {

// The parts of an operation that its code samples show.
struct SampledCall {
  const Route& route;
  std::string path;       // with an example in the place of each parameter
  std::string body;       // JSON; empty: no body
  std::string reply;      // the name of the reply's type; empty: no JSON
  std::string page_item;  // for a list: the name of the type of its items; empty: not a list with a cursor
};

// The value of x-codeSamples: the call with curl and, if its body and reply are JSON, with the TypeScript client.
std::string code_samples(const SampledCall& call, std::string_view base_url);

}  // namespace guildhall::api
