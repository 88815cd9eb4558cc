#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/instant.h"
#include "storage/storage.h"

namespace guildhall {

// Until when the chat platform takes no calls of a kind (a bucket), as it has told any of our nodes. Without a
// database, or when it cannot be asked, what this process knows itself counts. Any thread; blocks.
class ChatLimits {
 public:
  explicit ChatLimits(Storage* storage) : storage_(storage) {}

  // How long to wait before a call of that bucket; nothing: it may be made.
  std::optional<std::chrono::milliseconds> wait_for(const std::string& bucket);

  void close_all(std::chrono::milliseconds wait) { close("", wait); }
  void close(const std::string& bucket, std::chrono::milliseconds wait);

 private:
  Instant known_end(const std::string& bucket, Instant at);

  Storage* storage_;  // may be null
  std::mutex mutex_;
  std::map<std::string, Instant> closed_until_;  // what this node was told, or has learned
};

}  // namespace guildhall
