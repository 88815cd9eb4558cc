#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/task.h"
#include "base/worker_pool.h"

// Requests to other servers, through libcurl: with time limits, a limit on the size of the reply, and without
// redirects.
namespace guildhall::outbound {

// Signs requests with AWS Signature Version 4, for storage that is compatible with S3.
struct S3Credentials {
  std::string region;
  std::string access_key;
  std::string secret_key;
};

struct Request {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::chrono::milliseconds total_ms_max{10'000};
  std::size_t reply_bytes_max = 1 << 20;
  bool url_from_tenant = false;  // only public addresses are called if true
  std::optional<S3Credentials> s3{};
};

struct Reply {
  int status = 0;                              // 0: there was no reply; `error` says why
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string error;  // for the log and the operator; names no secret

  bool ok() const { return status >= 200 && status < 300; }
};

// Sends the request and blocks until the reply; for the threads of the outbox. Errors of the other server are never
// thrown. A request with a control character in its method, URL or headers is not sent (status 0), because a line break
// there would begin a second request.
Reply send_now(const Request& request);

// Like send_now(), for a loop: runs on a thread of the pool. Throws Failure unavailable when the pool is full.
Task<Reply> send(WorkerPool& workers, Request request);

// False for the addresses that a tenant's URL must not reach: loopback, private, link-local, multicast and other
// special ranges.
bool is_public_address(std::string_view address);

// For development only: allows tenants' URLs to reach this machine, where the stand-ins of tests are.
void allow_private_targets(bool allowed);

}  // namespace guildhall::outbound
