#include "cache/redis/redis_tracking.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <hiredis/async.h>

#include "base/failure.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds try_every{10};
constexpr std::string_view changes_channel = "__redis__:invalidate";

std::string_view text_of(const redisReply& reply) {
  return reply.type == REDIS_REPLY_STRING ? std::string_view(reply.str, reply.len) : std::string_view();
}

}  // namespace

RedisTracking::RedisTracking(boost::asio::io_context& loop, const RedisUrl& server,
                             std::chrono::milliseconds reply_within, std::shared_ptr<RedisConnection> reader)
    : loop_(loop),
      reader_(std::move(reader)),
      listener_(std::make_shared<RedisConnection>(loop, server, reply_within)) {}

void RedisTracking::start() {
  // Both connections are stopped before this object is destroyed, and then change no more.
  reader_->on_change([this](bool connected) { reader_changed(connected); });
  listener_->on_change([this](bool connected) { listener_changed(connected); });
  listener_->start();
}

void RedisTracking::stop() {
  reader_->on_change({});
  listener_->on_change({});
  listener_->stop();
  stop_tracking();
}

const std::string* RedisTracking::find(std::string_view key) const {
  const std::string* copy = tracking_ ? copies_.find(key, RedisCopies::Clock::now()) : nullptr;
  return copy == nullptr || listener_->has_unread() ? nullptr : copy;
}

std::uint64_t RedisTracking::reading(std::string_view key) {
  const auto now = RedisCopies::Clock::now();
  if (!tracking_) {
    if (is_listening_ && now >= next_try_) run(subscribed_ ? &RedisTracking::track : &RedisTracking::subscribe);
    return 0;
  }
  reader_->send_unanswered(std::array<std::string_view, 3>{"CLIENT", "CACHING", "YES"});
  return copies_.reading(key, now);
}

void RedisTracking::listener_changed(bool connected) {
  stop_tracking();
  subscribed_ = false;
  is_listening_ = connected;
  // A server that refuses the subscription closes the connection; then it is not asked again at once.
  if (connected && RedisCopies::Clock::now() >= next_try_) run(&RedisTracking::subscribe);
}

void RedisTracking::reader_changed(bool connected) {
  stop_tracking();
  if (connected && subscribed_) run(&RedisTracking::track);
}

void RedisTracking::stop_tracking() {
  ++losses_;
  tracking_ = false;
  copies_.drop_all();
}

// Starts a step of the preparation. One that fails is tried again when the connections change and after a while. Until
// then there are no copies.
void RedisTracking::run(Task<> (RedisTracking::*step)()) {
  next_try_ = RedisCopies::Clock::now() + try_every;
  const auto task = [](std::shared_ptr<RedisTracking> self, Task<> (RedisTracking::*chosen)()) -> Task<> {
    try {
      co_await (*self.*chosen)();
    } catch (const Failure&) {
      // The connection has logged the reason.
    }
  };
  boost::asio::co_spawn(loop_, task(shared_from_this(), step), boost::asio::detached);
}

Task<> RedisTracking::subscribe() {
  const std::array<std::string_view, 2> ask_id{"CLIENT", "ID"};
  const RedisReply id = co_await listener_->command(ask_id);
  listener_id_ = std::to_string(id.numbers.at(0));
  listener_->subscribe(changes_channel, [this](const redisReply& message) { on_message(message); });
}

Task<> RedisTracking::track() {
  const std::uint64_t losses = losses_;
  const std::array<std::string_view, 6> start{"CLIENT", "TRACKING", "ON", "REDIRECT", listener_id_, "OPTIN"};
  co_await reader_->command(start);
  tracking_ = losses == losses_;
  if (tracking_) next_try_ = {};
}

// ["subscribe", channel, number] once, then ["message", channel, keys]. The keys are nil when all were removed.
void RedisTracking::on_message(const redisReply& message) {
  if (message.type != REDIS_REPLY_ARRAY || message.elements != 3) return;
  if (text_of(*message.element[0]) == "subscribe") {
    subscribed_ = true;
    return run(&RedisTracking::track);
  }
  const redisReply& keys = *message.element[2];
  if (keys.type != REDIS_REPLY_ARRAY) return copies_.drop_all();
  for (std::size_t i = 0; i < keys.elements; ++i) copies_.drop(text_of(*keys.element[i]));
}

}  // namespace guildhall
