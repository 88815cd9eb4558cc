#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/cache.h"
#include "cache/test_support.h"
#include "support/run_task.h"

namespace guildhall::test {

using namespace std::chrono_literals;
using Text = std::optional<std::string>;

// One handle on one loop.
class RedisClient {
 public:
  explicit RedisClient(const std::string& url) : engine(open_cache({.url = url})) {
    on_loop([&] { cache = engine->open(loop.context()); });
  }
  ~RedisClient() { close(); }

  static std::string url(int port) { return "redis://127.0.0.1:" + std::to_string(port); }

  void close() {
    if (cache) on_loop([&] { cache.reset(); });
  }

  template <class Body>
  void on_loop(Body body) {
    loop.run([&]() -> Task<> {
      body();
      co_return;
    });
  }

  // Each is false or empty when the cache is unavailable.
  bool put(std::string_view key, std::string_view value) {
    return loop.run([&] { return test::is_available(cache->put(key, value, 1h)); });
  }
  std::optional<Text> get(std::string_view key) {
    return loop.run([&] { return test::if_available(cache->get(key)); });
  }
  Text get_or_copy(std::string_view key) {
    return loop.run([&] { return test::if_available(cache->get_or_copy(key)); }).value();
  }
  // Puts a value, and returns after the other handles know that it has changed.
  bool put_and_report(std::string_view key, std::string_view value) {
    return put(key, value) && loop.run([&] { return test::is_available(cache->wait_until_reported()); });
  }
  bool works() { return put("works", "yes"); }
  CacheState state() {
    return loop.run([&] { return probe(*cache); });
  }

  std::vector<std::future<std::optional<Text>>> get_at_once(int count) {
    std::vector<std::future<std::optional<Text>>> all;
    for (int i = 0; i < count; ++i) {
      all.push_back(loop.start([this] { return test::if_available(cache->get("a")); }));
    }
    return all;
  }

  test::LoopThread loop;
  std::unique_ptr<CacheEngine> engine;
  std::unique_ptr<Cache> cache;
};

}  // namespace guildhall::test
