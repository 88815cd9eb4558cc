#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.h"

namespace guildhall::sandbox {

using Headers = std::vector<std::pair<std::string, std::string>>;

// A request between the server and a party, in either direction, with its reply.
struct Call {
  std::int64_t id = 0;
  Instant at{};
  bool outgoing = false;  // from the party to the server
  std::string party;
  std::string method;
  std::string url;
  Headers request_headers{};
  std::string request_body{};
  int status = 0;  // 0: there was no reply
  std::string response_body{};
  std::chrono::milliseconds took{0};
  std::string signature_header{};  // the name of the header that signs it; empty: none
};

// The newest calls. Bodies are cut.
class CallLog {
 public:
  static constexpr std::size_t calls_max = 500;
  static constexpr std::size_t body_bytes_max = 16 * 1024;

  void add(Call call);
  const Call* find(std::int64_t id) const;  // null: unknown, or too old
  std::string json_after(std::int64_t id) const;
  const std::deque<Call>& all() const { return calls_; }  // oldest first
  void clear() { calls_.clear(); }

 private:
  std::int64_t last_ = 0;
  std::deque<Call> calls_;
};

}  // namespace guildhall::sandbox
