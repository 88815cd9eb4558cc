#include "cache/cache.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>

#include "base/crypto.h"
#include "base/encoding.h"
#include "cache/test_support.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using test::eventually;

// Tests the contract of cache.h on both engines, through a handle on each of two loops.
class CacheTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    CacheOptions options{.url = "memory:"};
    options.reply_within = 10s;  // long, because these tests check results and the machine may be busy
    if (GetParam() == "redis") {
      const char* url = std::getenv("TEST_REDIS_URL");
      ASSERT_NE(url, nullptr) << "TEST_REDIS_URL is not set; run this under script/with-services";
      options.url = url;
    }
    engine_ = open_cache(options);
    for (std::size_t i : {0, 1}) {
      on_loop(i, [&] { caches_[i] = engine_->open(loops_[i].context()); });
    }
  }

  void TearDown() override {
    for (std::size_t i : {0, 1}) {
      on_loop(i, [&] { caches_[i].reset(); });
    }
  }

  template <class Body>
  void on_loop(std::size_t loop, Body body) {
    loops_[loop].run([&]() -> Task<> {
      body();
      co_return;
    });
  }

  std::string key(std::string_view name) const { return prefix_ + std::string(name); }

  std::optional<std::string> get(const std::string& key, std::size_t loop = 0) {
    return loops_[loop].run([&]() -> Task<std::optional<std::string>> { return caches_[loop]->get(key); });
  }
  std::optional<std::string> take(const std::string& key) {
    return loops_[0].run([&]() -> Task<std::optional<std::string>> { return caches_[0]->take(key); });
  }
  void put(const std::string& key, const std::string& value, std::chrono::milliseconds ttl = 1h) {
    loops_[0].run([&]() -> Task<> { return caches_[0]->put(key, value, ttl); });
  }
  bool replace(const std::string& key, std::optional<std::string_view> expected, const std::string& value,
               std::optional<std::chrono::milliseconds> ttl = 1h) {
    return loops_[0].run([&]() -> Task<bool> { return caches_[0]->replace(key, expected, value, ttl); });
  }
  void remove(const std::string& key) {
    loops_[0].run([&]() -> Task<> { return caches_[0]->remove(key); });
  }
  Cache::Window count(const std::string& key, std::chrono::milliseconds window = 1h) {
    return loops_[0].run([&]() -> Task<Cache::Window> { return caches_[0]->count(key, window); });
  }
  void uncount(const std::string& key) {
    loops_[0].run([&]() -> Task<> { return caches_[0]->uncount(key); });
  }
  bool lock(const std::string& key, const std::string& owner, std::chrono::milliseconds ttl = 1h) {
    return loops_[1].run([&]() -> Task<bool> { return caches_[1]->lock(key, owner, ttl); });
  }
  void unlock(const std::string& key, const std::string& owner) {
    loops_[1].run([&]() -> Task<> { return caches_[1]->unlock(key, owner); });
  }

  // Runs `body` in 50 coroutines at once, spread over both loops.
  template <class Body>
  void fifty_times(Body body) {
    std::vector<std::future<void>> all;
    for (std::size_t i = 0; i < 50; ++i) {
      all.push_back(loops_[i % 2].start([&body, i, cache = caches_[i % 2].get()] { return body(*cache, i); }));
    }
    for (auto& one : all) one.get();
  }

  const std::string prefix_ = "test:" + hex(random_bytes(8)) + ":";
  std::unique_ptr<CacheEngine> engine_;
  std::array<test::LoopThread, 2> loops_;
  std::array<std::unique_ptr<Cache>, 2> caches_;
};

INSTANTIATE_TEST_SUITE_P(Engines, CacheTest, ::testing::Values("memory", "redis"),
                         [](const auto& engine) { return engine.param; });

TEST_P(CacheTest, passes_its_check_and_has_a_name) {
  engine_->check();
  EXPECT_EQ(engine_->name(), GetParam());
}

TEST_P(CacheTest, returns_a_value_on_another_loop) {
  put(key("a"), "one");
  put(key("b"), std::string("\0\r\n\xff", 4));
  put(key("c"), "");
  EXPECT_EQ(get(key("a"), 1), "one");
  EXPECT_EQ(get(key("b"), 1), std::string("\0\r\n\xff", 4));
  EXPECT_EQ(get(key("c"), 1), "");
  EXPECT_EQ(get(key("d"), 1), std::nullopt);
}

TEST_P(CacheTest, a_second_put_replaces_value_and_ttl) {
  put(key("a"), "one", 1ms);
  put(key("a"), "two", 1h);
  put(key("b"), "gone when a would be", 1ms);
  EXPECT_TRUE(eventually([&] { return !get(key("b")); }));
  EXPECT_EQ(get(key("a")), "two");
}

TEST_P(CacheTest, replaces_only_the_expected_value) {
  EXPECT_FALSE(replace(key("a"), "one", "two"));
  EXPECT_EQ(get(key("a")), std::nullopt);
  EXPECT_TRUE(replace(key("a"), std::nullopt, ""));
  EXPECT_FALSE(replace(key("a"), std::nullopt, "two"));
  EXPECT_FALSE(replace(key("a"), "one", "two"));
  EXPECT_TRUE(replace(key("a"), "", "two"));
  EXPECT_EQ(get(key("a"), 1), "two");
  put(key("b"), "one", 1h);
  EXPECT_TRUE(replace(key("b"), "one", "short", 20ms));
  EXPECT_TRUE(eventually([&] { return !get(key("b")); }));
}

TEST_P(CacheTest, a_replacement_without_a_time_expires_when_the_replaced_value_would_have) {
  put(key("a"), "one", 20ms);
  put(key("b"), "one", 1h);
  EXPECT_FALSE(replace(key("b"), "other", "two", std::nullopt));
  EXPECT_TRUE(replace(key("b"), "one", "two", std::nullopt));
  if (replace(key("a"), "one", "two", std::nullopt)) {
    EXPECT_TRUE(eventually([&] { return !get(key("a")); }));
  }
  EXPECT_EQ(get(key("b")), "two");
}

TEST_P(CacheTest, a_counter_can_be_decremented_but_not_below_zero) {
  count(key("a"));
  count(key("a"));
  uncount(key("a"));
  EXPECT_EQ(count(key("a")).count, 2);
  EXPECT_LE(count(key("a"), 2h).resets_in, 1h) << "the window's end must stay";
  for (int i = 0; i < 5; ++i) uncount(key("a"));
  EXPECT_EQ(get(key("a")), std::nullopt);
  EXPECT_EQ(count(key("a")).count, 1);
}

TEST_P(CacheTest, loses_no_replacement_of_fifty_at_once) {
  put(key("a"), "");
  fifty_times([&](Cache& cache, std::size_t) -> Task<> {
    const std::string name = key("a");
    while (true) {
      const auto present = co_await cache.get(name);
      const std::string longer = *present + "x";
      if (co_await cache.replace(name, *present, longer, 1h)) co_return;
    }
  });
  EXPECT_EQ(get(key("a")), std::string(50, 'x'));
}

TEST_P(CacheTest, a_value_expires_after_its_ttl) {
  put(key("a"), "one", 20ms);
  EXPECT_TRUE(eventually([&] { return !get(key("a")); }));
  EXPECT_EQ(take(key("a")), std::nullopt);
}

TEST_P(CacheTest, a_value_with_a_ttl_of_zero_expires_at_once) {
  put(key("a"), "one", 0ms);
  EXPECT_TRUE(eventually([&] { return !get(key("a")); }));
}

TEST_P(CacheTest, a_removed_value_is_not_found) {
  put(key("a"), "one");
  remove(key("a"));
  remove(key("never there"));
  EXPECT_EQ(get(key("a")), std::nullopt);
}

TEST_P(CacheTest, of_fifty_takers_one_gets_the_value) {
  put(key("a"), "one");
  std::atomic<int> got = 0;
  fifty_times([&](Cache& cache, std::size_t) -> Task<> {
    if (co_await cache.take(key("a")) == "one") ++got;
  });
  EXPECT_EQ(got, 1);
  EXPECT_EQ(get(key("a")), std::nullopt);
}

TEST_P(CacheTest, a_window_counts_and_starts_again_at_its_end) {
  const auto first = count(key("a"), 300ms);
  EXPECT_EQ(first.count, 1);
  EXPECT_GT(first.resets_in, 0ms);
  EXPECT_LE(first.resets_in, 300ms);
  EXPECT_TRUE(eventually([&] { return !get(key("a")); }));
  EXPECT_EQ(count(key("a")).count, 1);
  EXPECT_EQ(count(key("a")).count, 2);
  EXPECT_LE(count(key("a"), 2h).resets_in, 1h) << "a later call must not move the window's end";
}

TEST_P(CacheTest, a_counter_can_be_read_and_reset) {
  count(key("a"));
  count(key("a"));
  EXPECT_EQ(get(key("a")), "2");
  remove(key("a"));
  EXPECT_EQ(count(key("a")).count, 1);
}

TEST_P(CacheTest, a_window_never_loses_a_count) {
  constexpr std::size_t each = 40;
  std::array<std::array<std::int64_t, each>, 50> seen{};
  fifty_times([&](Cache& cache, std::size_t i) -> Task<> {
    for (std::int64_t& count : seen[i]) count = (co_await cache.count(key("a"), 1h)).count;
  });
  std::vector<std::int64_t> all;
  for (const auto& counts : seen) all.insert(all.end(), counts.begin(), counts.end());
  std::sort(all.begin(), all.end());
  std::vector<std::int64_t> expected(50 * each);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(all, expected);
}

TEST_P(CacheTest, counting_a_value_that_is_not_a_number_is_refused) {
  put(key("a"), "no number");
  const std::string a = key("a");
  EXPECT_FALSE(loops_[0].run([&] { return test::if_available(caches_[0]->count(a, 1h)); }));
  EXPECT_EQ(get(key("a")), "no number");
}

TEST_P(CacheTest, a_lock_has_one_owner_who_alone_can_unlock_it) {
  EXPECT_TRUE(lock(key("a"), "ann"));
  EXPECT_FALSE(lock(key("a"), "bob"));
  EXPECT_FALSE(lock(key("a"), "ann")) << "a lock is not reentrant";
  unlock(key("a"), "bob");
  EXPECT_FALSE(lock(key("a"), "bob"));
  unlock(key("a"), "ann");
  EXPECT_TRUE(lock(key("a"), "bob"));
}

TEST_P(CacheTest, a_lock_expires_and_its_former_owner_cannot_unlock_the_next_one) {
  EXPECT_TRUE(lock(key("a"), "ann", 20ms));
  EXPECT_TRUE(eventually([&] { return lock(key("a"), "bob"); }));
  unlock(key("a"), "ann");
  EXPECT_FALSE(lock(key("a"), "cid"));
}

TEST_P(CacheTest, of_fifty_lockers_one_gets_the_lock) {
  std::atomic<int> got = 0;
  fifty_times([&](Cache& cache, std::size_t i) -> Task<> {
    if (co_await cache.lock(key("a"), std::to_string(i), 1h)) ++got;
  });
  EXPECT_EQ(got, 1);
}

TEST_P(CacheTest, many_values_at_once_reach_their_own_callers) {
  fifty_times([&](Cache& cache, std::size_t i) -> Task<> {
    for (int turn = 0; turn < 20; ++turn) {
      const std::string name = key(std::to_string(i));
      const std::string value = std::to_string(i * 1000) + "." + std::to_string(turn);
      co_await cache.put(name, value, 1h);
      EXPECT_EQ(co_await cache.get(name), value);
    }
  });
}

TEST(OpenCache, refuses_a_wrong_url_without_showing_it) {
  for (const char* url : {"", "memory", "http://u:secret@h", "redis:/h", "rediss://u:secret@h", "redis://u:secret@"}) {
    try {
      open_cache({.url = url});
      FAIL() << url;
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("CACHE_URL")) << error.what();
      EXPECT_EQ(std::string_view(error.what()).find("secret"), std::string_view::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace guildhall
