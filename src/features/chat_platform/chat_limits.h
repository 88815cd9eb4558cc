#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/instant.h"
#include "storage/storage.h"

namespace guildhall {

// The rate limits that the chat platform has announced to any node: for each bucket of calls, the time until which it
// accepts none. Nodes share them through the database; without it, a node knows only its own. Thread-safe; blocks.
class ChatLimits {
 public:
  explicit ChatLimits(Storage* storage) : storage_(storage) {}

  // The time to wait before a call of that bucket. Nothing if the call can be made now.
  std::optional<std::chrono::milliseconds> wait_for(const std::string& bucket);

  void block_all(std::chrono::milliseconds wait) { block("", wait); }
  void block(const std::string& bucket, std::chrono::milliseconds wait);

 private:
  Instant local_end(const std::string& bucket, Instant at);

  Storage* storage_;  // may be null
  std::mutex mutex_;
  std::map<std::string, Instant> blocked_until_;  // as announced to this node
};

}  // namespace guildhall
