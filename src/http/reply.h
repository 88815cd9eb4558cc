#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/task.h"
#include "http/quota.h"

namespace guildhall::http {

// At most so much may a piece of a streamed reply be.
constexpr std::size_t piece_bytes_max = 1024 * 1024;

struct Reply {
  int status = 200;
  std::string_view content_type = "application/json";  // a constant; empty: no body, no such header
  std::string body{};
  std::vector<std::pair<std::string_view, std::string>> headers{};  // names are constants

  // A long body, made piece by piece while it is sent: appends the next piece and returns true, or returns false
  // at the end. Sent chunked after `body`. A throw breaks the connection, so that the client sees it is incomplete.
  std::function<Task<bool>(std::string& piece)> more{};

  // Given back when the reply has been sent: the server's memory for replies.
  std::shared_ptr<Quota::Hold> held{};

  Reply& with(std::string_view name, std::string value) & {
    headers.emplace_back(name, std::move(value));
    return *this;
  }
  Reply&& with(std::string_view name, std::string value) && {
    headers.emplace_back(name, std::move(value));
    return std::move(*this);
  }
};

}  // namespace guildhall::http
