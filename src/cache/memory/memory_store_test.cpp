#include "cache/memory/memory_store.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/memory/keep_file.h"
#include "cache/test_support.h"
#include "support/run_task.h"
#include "support/test_clock.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;

TEST(MemoryStore, keeps_its_size_limit_under_a_million_puts) {
  constexpr std::size_t bytes_max = 8 << 20;
  MemoryStore store(bytes_max);
  std::size_t most = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    store.put("session:" + std::to_string(i), "a value of the size that a session has, more or less", 8h);
    if (i % 1000 == 0) most = std::max(most, store.bytes());
  }
  EXPECT_LE(most, bytes_max);
  EXPECT_GT(most, bytes_max / 4);  // half of it is for sessions
}

TEST(MemoryStore, a_flood_of_one_kind_of_key_removes_no_other_kind) {
  constexpr std::size_t bytes_max = 4 << 20;
  const std::vector<std::string> kinds{"session:", "signin:attempts:", "rate:sign_in:", "oauth:", "chat:lock:"};
  for (const std::string& flooded : kinds) {
    MemoryStore store(bytes_max);
    for (const std::string& kind : kinds) store.put(kind + "mine", "kept", 1min);
    for (int i = 0; i < 50'000; ++i) store.put(flooded + std::to_string(i), "x", 8h);
    for (const std::string& kind : kinds) {
      EXPECT_EQ(store.get(kind + "mine").has_value(), kind != flooded) << flooded << " floods " << kind;
    }
    EXPECT_LE(store.bytes(), bytes_max);
  }
}

TEST(MemoryStore, removes_the_entries_that_expire_first) {
  MemoryStore store(1 << 20);
  for (int i = 0; i < 100; ++i) store.put("long:" + std::to_string(i), "kept", 8h);
  for (int i = 0; i < 100'000; ++i) store.count("window:" + std::to_string(i), 1min);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(store.get("long:" + std::to_string(i)), "kept") << i;
  EXPECT_LE(store.bytes(), 1U << 20);
}

TEST(MemoryStore, does_not_store_a_value_larger_than_its_limit) {
  MemoryStore store(1 << 20);
  store.put("small", "kept", 8h);
  store.put("large", std::string(1 << 20, 'x'), 8h);
  EXPECT_EQ(store.get("large"), std::nullopt);
  EXPECT_EQ(store.get("small"), "kept");
}

TEST(MemoryStore, removes_expired_entries_while_others_are_written) {
  MemoryStore store(8 << 20);
  for (int i = 0; i < 1000; ++i) store.put(std::to_string(i), "short-lived", 1h);
  test::TestClock clock;
  clock.advance(1h);
  for (int i = 0; i < 100; ++i) store.put("later" + std::to_string(i), "", 1h);
  EXPECT_LT(store.bytes(), 100U * 1024);
}

TEST(MemoryStore, accounts_for_every_byte_of_removed_entries) {
  MemoryStore store(1 << 20);
  store.put("a", "one", 1h);
  store.put("a", "a longer one", 1h);
  for (int i = 0; i < 12; ++i) store.count("b", 1h);
  store.lock("c", "owner", 1h);
  store.remove("a");
  store.take("b");
  store.unlock("c", "owner");
  EXPECT_EQ(store.bytes(), 0U);
}

class KeepFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& content) { std::ofstream(path_, std::ios::binary) << content; }
  std::string read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  CacheOptions options() const { return {.url = "memory:", .keep_file = path_}; }

  const std::filesystem::path folder_ = [] {
    std::string name = (std::filesystem::temp_directory_path() / "guildhall-keep.XXXXXX").string();
    return std::filesystem::path(::mkdtemp(name.data()));
  }();
  const std::string path_ = folder_ / "sessions";
};

TEST_F(KeepFile, restores_entries_after_a_restart_and_is_deleted_after_loading) {
  const std::string odd("\0\n\xff", 3);
  MemoryStore before(1 << 20);
  before.put("session", "ann", 8h);
  before.put(odd, odd, 1h);
  before.put("short", "gone", 1min);
  test::TestClock clock;
  clock.advance(1min);
  save_to_file(before, path_);

  struct stat about {};
  ASSERT_EQ(::stat(path_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);

  MemoryStore after(1 << 20);
  load_from_file(after, path_);
  EXPECT_EQ(after.get("session"), "ann");
  EXPECT_EQ(after.get(odd), odd);
  EXPECT_EQ(after.get("short"), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(path_));
  for (const auto& entry : after.kept()) EXPECT_LE(entry.left, 8h);
}

TEST_F(KeepFile, stores_the_time_of_expiry_not_the_remaining_time) {
  MemoryStore before(1 << 20);
  before.put("session", "ann", 8h);
  save_to_file(before, path_);
  test::TestClock clock;
  clock.advance(8h);
  MemoryStore after(1 << 20);
  load_from_file(after, path_);
  EXPECT_EQ(after.get("session"), std::nullopt);
}

TEST_F(KeepFile, ignores_a_damaged_or_foreign_file) {
  MemoryStore before(1 << 20);
  before.put("session", "ann", 8h);
  save_to_file(before, path_);
  const std::string sound = read();

  std::vector<std::string> bad{"", "something else entirely", sound + "x", "guildhall cache 2\n" + sound.substr(18)};
  for (std::size_t length = 0; length < sound.size(); ++length) bad.push_back(sound.substr(0, length));
  for (std::size_t at = 0; at < sound.size(); ++at) {
    bad.push_back(sound);
    bad.back()[at] ^= 1;
  }
  for (const std::string& content : bad) {
    write(content);
    MemoryStore after(1 << 20);
    load_from_file(after, path_);
    EXPECT_EQ(after.bytes(), 0U);
    EXPECT_EQ(read(), content);
  }
}

TEST_F(KeepFile, is_saved_by_the_destructor_and_loaded_at_start) {
  test::LoopThread loop;
  for (const std::optional<std::string>& expected : {std::optional<std::string>{}, std::optional<std::string>{"ann"}}) {
    const auto engine = open_cache(options());
    const auto cache = engine->open(loop.context());
    EXPECT_EQ(loop.run([&]() -> Task<std::optional<std::string>> { return cache->get("session"); }), expected);
    loop.run([&]() -> Task<> { return cache->put("session", "ann", 8h); });
  }
}

TEST_F(KeepFile, that_cannot_be_written_does_not_stop_the_engine) {
  CacheOptions nowhere{.url = "memory:", .keep_file = folder_ / "missing" / "sessions"};
  open_cache(nowhere).reset();
  EXPECT_FALSE(std::filesystem::exists(nowhere.keep_file));
}

}  // namespace
}  // namespace guildhall
