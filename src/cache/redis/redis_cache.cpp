#include "cache/redis/redis_cache.h"

#include <algorithm>
#include <csignal>
#include <hiredis/hiredis.h>
#include <openssl/evp.h>

#include "base/encoding.h"
#include "base/metrics.h"
#include "base/trace.h"
#include "cache/redis/redis_connection.h"
#include "cache/redis/redis_tracking.h"

namespace guildhall {
namespace {

using std::chrono::milliseconds;

// A script is sent as its hash: hashing the text would be a third of Redis' work for a count.
struct Script {
  explicit Script(std::string_view lines) : text(lines) {
    std::array<unsigned char, 20> digest{};
    EVP_Q_digest(nullptr, "SHA1", nullptr, lines.data(), lines.size(), digest.data(), nullptr);
    sha1 = hex(digest);
  }

  std::string_view text;
  std::string sha1;
};

// Adds to the counter and sets the end of the window in one step, so that no counter is without an end.
const Script& count_script() {
  static const Script script(R"(local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left})");
  return script;
}

const Script& unlock_script() {
  static const Script script(
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0");
  return script;
}

// The end of the window does not change, because DECRBY keeps a key's time to live.
const Script& uncount_script() {
  static const Script script(R"(local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count > tonumber(ARGV[1]) then return redis.call('DECRBY', KEYS[1], ARGV[1]) end
return redis.call('DEL', KEYS[1]))");
  return script;
}

// An expected value is preceded by '=', so that an empty value differs from none. Without a time to live the present
// one is kept.
const Script& replace_script() {
  static const Script script(R"(local present = redis.call('GET', KEYS[1])
if (present and '=' .. present or '') ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1)");
  return script;
}

std::string prefixed(std::string_view key) {
  return std::string("guildhall:").append(key);
}

// Redis refuses a time to live below a millisecond.
std::string ms_text(milliseconds time) {
  return std::to_string(std::max(time, milliseconds(1)).count());
}

// The metrics of all handles of the process.
struct CommandMetrics {
  explicit CommandMetrics(Metrics& metrics)
      : seconds(metrics.histogram("cache_command_seconds", "Time from a command to Redis' reply.")),
        failures(metrics.counter("cache_failures_total", "Commands that Redis did not answer in time.")) {}

  Histogram& seconds;
  Counter& failures;
};

class RedisCache : public Cache {
 public:
  RedisCache(boost::asio::io_context& loop, const RedisUrl& server, milliseconds reply_within, CommandMetrics metrics)
      : metrics_(metrics),
        connection_(std::make_shared<RedisConnection>(loop, server, reply_within)),
        tracking_(std::make_shared<RedisTracking>(loop, server, reply_within, connection_)) {
    tracking_->start();
    connection_->start();
  }

  ~RedisCache() override {
    tracking_->stop();
    connection_->stop();
  }

  Task<std::optional<std::string>> get(std::string_view key) override {
    co_return (co_await send("GET", prefixed(key))).text;
  }

  Task<std::optional<std::string>> get_or_copy(std::string_view key) override {
    const std::string name = prefixed(key);
    if (const std::string* copy = tracking_->find(name)) co_return *copy;
    const auto tracking = tracking_;  // this handle may be destroyed before the reply arrives
    const std::uint64_t read = tracking->reading(name);
    RedisReply reply = co_await send("GET", name);
    if (reply.text) tracking->arrived(name, read, *reply.text);
    co_return std::move(reply.text);
  }

  // Redis reports changes before it reads the next command.
  Task<> wait_until_reported() override { co_await send("PING"); }

  Task<> put(std::string_view key, std::string_view value, milliseconds ttl) override {
    co_await send("SET", prefixed(key), value, "PX", ms_text(ttl));
  }

  Task<> remove(std::string_view key) override { co_await send("DEL", prefixed(key)); }

  Task<bool> replace(std::string_view key, std::optional<std::string_view> expected, std::string_view value,
                     std::optional<milliseconds> ttl) override {
    const std::string wanted = expected ? "=" + std::string(*expected) : "";
    // Only an existing value has a time to live that can be kept.
    const std::string lifetime = ttl || !expected ? ms_text(ttl.value_or(milliseconds(0))) : "";
    const RedisReply reply = co_await evaluate(replace_script(), prefixed(key), wanted, value, lifetime);
    co_return reply.numbers.at(0) == 1;
  }

  Task<std::optional<std::string>> take(std::string_view key) override {
    co_return (co_await send("GETDEL", prefixed(key))).text;
  }

  Task<Window> count(std::string_view key, milliseconds window, std::int64_t by) override {
    const RedisReply reply = co_await evaluate(count_script(), prefixed(key), ms_text(window), std::to_string(by));
    co_return Window{reply.numbers.at(0), milliseconds(reply.numbers.at(1))};
  }

  Task<> uncount(std::string_view key, std::int64_t by) override {
    co_await evaluate(uncount_script(), prefixed(key), std::to_string(by));
  }

  Task<bool> lock(std::string_view key, std::string_view owner, milliseconds ttl) override {
    const RedisReply reply = co_await send("SET", prefixed(key), owner, "NX", "PX", ms_text(ttl));
    co_return reply.text.has_value();
  }

  Task<> unlock(std::string_view key, std::string_view owner) override {
    co_await evaluate(unlock_script(), prefixed(key), owner);
  }

 private:
  template <class... Arguments>
  Task<RedisReply> evaluate(const Script& script, const std::string& key, const Arguments&... arguments) {
    // Copied for the second command, because this handle may be destroyed before the reply to the first one arrives.
    const auto connection = connection_;
    const CommandMetrics metrics = metrics_;
    RedisReply reply = co_await send("EVALSHA", script.sha1, "1", key, arguments...);
    if (!reply.script_unknown) co_return reply;
    const std::array<std::string_view, 4 + sizeof...(arguments)> whole{"EVAL", script.text, "1", key, arguments...};
    co_return co_await measured(metrics, *connection, whole);
  }

  // The texts are valid until the reply has arrived, because they are part of the caller's full expression.
  template <class... Texts>
  Task<RedisReply> send(const Texts&... texts) {
    const std::array<std::string_view, sizeof...(texts)> arguments{texts...};
    co_return co_await measured(metrics_, *connection_, arguments);
  }

  static Task<RedisReply> measured(CommandMetrics metrics, RedisConnection& connection,
                                   std::span<const std::string_view> arguments) {
    const trace::Suspension suspension;
    const HistogramTimer timer(metrics.seconds);
    try {
      co_return co_await connection.command(arguments);
    } catch (...) {
      metrics.failures.add();
      throw;
    }
  }

  CommandMetrics metrics_;
  std::shared_ptr<RedisConnection> connection_;
  std::shared_ptr<RedisTracking> tracking_;
};

using Connection = std::unique_ptr<redisContext, decltype(&redisFree)>;
using Reply = std::unique_ptr<void, decltype(&freeReplyObject)>;

std::runtime_error unusable(const RedisUrl& server, std::string_view reason) {
  return std::runtime_error(fmt::format("Redis at {} cannot be used: {}.", server.place(), reason));
}

void send_now(redisContext& connection, const RedisUrl& server, const std::vector<std::string>& words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  const Reply reply(redisCommandArgv(&connection, static_cast<int>(words.size()), texts.data(), sizes.data()),
                    freeReplyObject);
  if (!reply) throw unusable(server, connection.errstr);
  const auto& answer = *static_cast<redisReply*>(reply.get());
  if (answer.type == REDIS_REPLY_ERROR) throw unusable(server, {answer.str, answer.len});
}

class RedisEngine : public CacheEngine {
 public:
  RedisEngine(const RedisUrl& server, const CacheOptions& options)
      : server_(server), reply_within_(options.reply_within), metrics_(metrics_or_unread(options.metrics)) {
    // hiredis writes to a closed connection without suppressing SIGPIPE, which would end the process.
    std::signal(SIGPIPE, SIG_IGN);
  }

  std::unique_ptr<Cache> open(boost::asio::io_context& loop) override {
    return std::make_unique<RedisCache>(loop, server_, reply_within_, metrics_);
  }

  void check() override {
    constexpr timeval timeout{1, 0};
    const Connection connection(redisConnectWithTimeout(server_.host.c_str(), server_.port, timeout), redisFree);
    if (!connection) throw std::bad_alloc();
    if (connection->err != 0) throw unusable(server_, connection->errstr);
    redisSetTimeout(connection.get(), timeout);
    for (const auto& words : server_.greeting()) send_now(*connection, server_, words);
  }

  std::string name() const override { return "redis"; }

 private:
  const RedisUrl server_;
  const milliseconds reply_within_;
  const CommandMetrics metrics_;
};

}  // namespace

std::unique_ptr<CacheEngine> open_redis_cache(const RedisUrl& server, const CacheOptions& options) {
  return std::make_unique<RedisEngine>(server, options);
}

}  // namespace guildhall
