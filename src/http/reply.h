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

// The maximum size of one piece of a streamed reply.
constexpr std::size_t piece_bytes_max = 1024 * 1024;

struct Reply {
  int status = 200;
  std::string_view content_type = "application/json";  // a constant; empty: neither a body nor this header
  std::string body{};
  std::vector<std::pair<std::string_view, std::string>> headers{};  // names are constants

  // Makes a long body piece by piece while it is sent: appends the next piece and returns true, or returns false at the
  // end. The pieces are sent after `body`. An exception breaks the connection, so that the client notices that the body
  // is incomplete.
  std::function<Task<bool>(std::string& piece)> more{};

  // Set for a live reply, which stays open until the client or the server ends it (Server-Sent Events). `more` may then
  // wait for any time, and this function makes it return false. Called on the loop's thread when the client has closed
  // the connection, and when the server drains or stops; `more` may still be running.
  std::function<void()> end{};

  // The memory of this reply in the server's quota; released when the reply has been sent.
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
