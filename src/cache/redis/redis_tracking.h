#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cache/redis/redis_connection.h"
#include "cache/redis/redis_copies.h"

struct redisReply;

namespace guildhall {

// Keeps copies of values that a loop reads. Redis remembers which keys were read (CLIENT TRACKING) and reports their
// changes on a second connection. While one of the two connections is missing, there are no copies.
class RedisTracking : public std::enable_shared_from_this<RedisTracking> {
 public:
  // The reader is the connection on which the values are read.
  RedisTracking(boost::asio::io_context& loop, const RedisUrl& server, std::chrono::milliseconds reply_within,
                std::shared_ptr<RedisConnection> reader);

  void start();
  // Must be called before the last reference is released.
  void stop();

  // Null if there is no copy, or reports have arrived that were not read yet: the copy may be one of those.
  const std::string* find(std::string_view key) const;

  // Call it directly before a GET of the key is sent, and arrived() with the number that it returns and the value.
  std::uint64_t reading(std::string_view key);
  void arrived(std::string_view key, std::uint64_t read, const std::string& value) {
    copies_.arrived(key, read, value);
  }

 private:
  void listener_changed(bool connected);
  void reader_changed(bool connected);
  void on_message(const redisReply& message);
  Task<> subscribe();
  Task<> track();
  void run(Task<> (RedisTracking::*step)());
  void stop_tracking();

  boost::asio::io_context& loop_;
  const std::shared_ptr<RedisConnection> reader_;
  const std::shared_ptr<RedisConnection> listener_;
  std::string listener_id_;
  bool is_listening_ = false;  // the listener is connected
  bool subscribed_ = false;
  bool tracking_ = false;
  std::uint64_t losses_ = 0;  // of either connection
  RedisCopies::Clock::time_point next_try_;
  RedisCopies copies_;
};

}  // namespace guildhall
