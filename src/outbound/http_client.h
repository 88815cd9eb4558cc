#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/task.h"
#include "base/worker_pool.h"

// Calls to other servers, through libcurl: with time-outs, a cap on the reply, and no redirects.
namespace guildhall::outbound {

struct Request {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::chrono::milliseconds total_ms_max{10'000};
  std::size_t reply_bytes_max = 1 << 20;
  bool url_from_tenant = false;  // then only public addresses are called
};

struct Reply {
  int status = 0;                              // 0: there was no reply; `error` says why
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string error;  // for the log and the operator; names no secret

  bool ok() const { return status >= 200 && status < 300; }
};

// Blocks; for the outbox's threads. Never throws for what the other side does. A request with a control character in
// its method, address or headers is not sent (status 0): a line break there would begin a second request.
Reply send_now(const Request& request);

// The same for a loop: on a thread of the pool. Throws Failure unavailable when the pool is full.
Task<Reply> send(WorkerPool& workers, Request request);

// False for what a tenant's URL must not lead to: loopback, private, link-local, multicast and other special ranges.
bool is_public_address(std::string_view address);

// Development only: lets tenants' URLs lead to this machine, where the stand-ins of tests are.
void allow_private_targets(bool allowed);

}  // namespace guildhall::outbound
