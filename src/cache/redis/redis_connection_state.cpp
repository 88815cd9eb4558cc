#include <algorithm>
#include <hiredis/async.h>
#include <random>

#include "base/log.h"
#include "cache/redis/asio_adapter.h"
#include "cache/redis/redis_connection.h"

// Making, losing and restoring the connection of a RedisConnection.
namespace guildhall {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds greeting_at_least{1000};
constexpr milliseconds first_pause{50};
constexpr milliseconds pause_max{2000};

// The pause is random, so that the loops of many processes do not all reconnect at the same time.
milliseconds pause_after(int failed_tries) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  const auto pause = std::min(first_pause * (1 << std::min(failed_tries, 10)), pause_max);
  return milliseconds(std::uniform_int_distribution<std::int64_t>(pause.count() / 2, pause.count())(random));
}

}  // namespace

RedisConnection::RedisConnection(boost::asio::io_context& loop, const RedisUrl& server, milliseconds reply_within)
    : loop_(loop),
      server_(server),
      reply_within_(reply_within),
      tick_timer_(loop),
      retry_timer_(loop),
      resolver_(loop) {}

void RedisConnection::start() {
  connect(server_.host);
}

void RedisConnection::stop() {
  state_ = State::stopped;
  tick_timer_.cancel();
  retry_timer_.cancel();
  resolver_.cancel();
  if (context_) redisAsyncFree(context_);
}

void RedisConnection::connect(const std::string& address) {
  redisAsyncContext* context = redisAsyncConnect(address.c_str(), server_.port);
  if (!context) throw std::bad_alloc();
  if (context->err != 0) {
    const std::string reason = context->errstr;
    redisAsyncFree(context);
    return on_gone(reason);
  }
  redisEnableKeepAlive(&context->c);  // a listener sends nothing, and would not notice that the server is gone
  context->data = this;
  context_ = context;
  greeting_deadline_ = Clock::now() + std::max(greeting_at_least, reply_within_);
  attach_to_loop(context, loop_, [this](std::string_view reason) { on_gone(reason); });
  greet();
  tick();
}

void RedisConnection::greet() {
  const auto commands = server_.greeting();
  for (const auto& words : commands) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string& word : words) {
      texts.push_back(word.data());
      sizes.push_back(word.size());
    }
    const auto callback = [](redisAsyncContext* context, void* reply, void* last) {
      static_cast<RedisConnection*>(context->data)->on_greeting(reply, last != nullptr);
    };
    redisAsyncCommandArgv(context_, callback, &words == &commands.back() ? this : nullptr,
                          static_cast<int>(words.size()), texts.data(), sizes.data());
  }
}

void RedisConnection::on_greeting(void* reply, bool last) {
  if (!reply) return;  // the connection broke; on_gone follows
  const auto& answer = *static_cast<redisReply*>(reply);
  if (answer.type == REDIS_REPLY_ERROR) return drop({answer.str, answer.len});
  if (!last) return;
  if (failed_tries_ > 0) log::info("Redis is back.", {{"server", server_.place()}});
  failed_tries_ = 0;
  state_ = State::up;
  if (changed_) changed_(true);
}

// Frees the context at once, or after the callback that is running; on_gone follows in both cases.
void RedisConnection::drop(std::string_view reason) {
  dropped_because_ = reason;
  redisAsyncFree(context_);
}

void RedisConnection::on_gone(std::string_view reason) {
  context_ = nullptr;
  if (state_ == State::stopped) return;
  const std::string dropped_because = std::exchange(dropped_because_, "");
  if (failed_tries_ == 0) {
    log::warn("Redis is gone; trying to reach it again.",
              {{"server", server_.place()}, {"reason", dropped_because.empty() ? reason : dropped_because}});
  }
  state_ = State::down;
  if (changed_) changed_(false);
  try_again_later();
}

void RedisConnection::try_again_later() {
  retry_timer_.expires_after(pause_after(failed_tries_++));
  retry_timer_.async_wait([self = shared_from_this()](boost::system::error_code) { self->try_again(); });
}

// Resolves the host name again, not on the loop, because its address may have changed. Each attempt uses the next
// address.
void RedisConnection::try_again() {
  if (state_ == State::stopped) return;
  state_ = State::connecting;
  resolver_.async_resolve(
      server_.host, std::to_string(server_.port),
      [self = shared_from_this()](boost::system::error_code error, const Resolver::results_type& found) {
        if (self->state_ == State::stopped) return;
        if (error || found.empty()) return self->on_gone(error.message());
        const auto turn = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(self->failed_tries_) % found.size());
        self->connect(std::next(found.begin(), turn)->endpoint().address().to_string());
      });
}

}  // namespace guildhall
