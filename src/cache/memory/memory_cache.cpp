#include "cache/memory/memory_cache.h"

#include "base/log.h"
#include "cache/memory/keep_file.h"
#include "cache/memory/memory_store.h"

namespace guildhall {
namespace {

class MemoryCache : public Cache {
 public:
  explicit MemoryCache(MemoryStore& store) : store_(store) {}

  Task<std::optional<std::string>> get(std::string_view key) override { co_return store_.get(key); }

  Task<> put(std::string_view key, std::string_view value, std::chrono::milliseconds ttl) override {
    store_.put(key, value, ttl);
    co_return;
  }

  Task<> remove(std::string_view key) override {
    store_.remove(key);
    co_return;
  }

  Task<bool> replace(std::string_view key, std::optional<std::string_view> expected, std::string_view value,
                     std::optional<std::chrono::milliseconds> ttl) override {
    co_return store_.replace(key, expected, value, ttl);
  }

  Task<std::optional<std::string>> take(std::string_view key) override { co_return store_.take(key); }

  Task<Window> count(std::string_view key, std::chrono::milliseconds window, std::int64_t by) override {
    co_return store_.count(key, window, by);
  }

  Task<> uncount(std::string_view key, std::int64_t by) override {
    store_.uncount(key, by);
    co_return;
  }

  Task<bool> lock(std::string_view key, std::string_view owner, std::chrono::milliseconds ttl) override {
    co_return store_.lock(key, owner, ttl);
  }

  Task<> unlock(std::string_view key, std::string_view owner) override {
    store_.unlock(key, owner);
    co_return;
  }

 private:
  MemoryStore& store_;
};

class MemoryEngine : public CacheEngine {
 public:
  explicit MemoryEngine(const CacheOptions& options) : store_(options.bytes_max), keep_file_(options.keep_file) {
    if (!keep_file_.empty()) load_from_file(store_, keep_file_);
  }

  ~MemoryEngine() override {
    if (keep_file_.empty()) return;
    try {
      save_to_file(store_, keep_file_);
    } catch (const std::exception& error) {
      log::error("The cache could not be kept; everyone will have to sign in again.", {{"reason", error.what()}});
    }
  }

  std::unique_ptr<Cache> open(boost::asio::io_context&) override { return std::make_unique<MemoryCache>(store_); }
  void check() override {}
  std::string name() const override { return "memory"; }

 private:
  MemoryStore store_;
  const std::string keep_file_;
};

}  // namespace

std::unique_ptr<CacheEngine> open_memory_cache(const CacheOptions& options) {
  return std::make_unique<MemoryEngine>(options);
}

}  // namespace guildhall
