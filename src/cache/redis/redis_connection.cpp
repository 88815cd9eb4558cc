#include "cache/redis/redis_connection.h"

#include <boost/asio/post.hpp>
#include <hiredis/async.h>
#include <sys/socket.h>

#include "base/failure.h"
#include "base/log.h"

namespace guildhall {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

constexpr milliseconds overdue_for_max{1000};  // after this time the connection is closed
constexpr milliseconds tick_every{10};

std::exception_ptr no_answer() {
  return std::make_exception_ptr(unavailable("The cache does not answer."));
}

RedisReply converted(const redisReply& reply) {
  RedisReply result;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      result.text.emplace(reply.str, reply.len);
      break;
    case REDIS_REPLY_INTEGER:
      result.numbers.push_back(reply.integer);
      break;
    case REDIS_REPLY_ARRAY:
      for (std::size_t i = 0; i < reply.elements; ++i) result.numbers.push_back(reply.element[i]->integer);
      break;
    case REDIS_REPLY_ERROR:
      result.script_unknown = std::string_view(reply.str, reply.len).starts_with("NOSCRIPT");
      break;
    default:
      break;
  }
  return result;
}

bool send_to(redisAsyncContext* context, std::span<const std::string_view> arguments, redisCallbackFn* callback) {
  constexpr std::size_t arguments_max = 8;
  std::array<const char*, arguments_max> texts{};
  std::array<std::size_t, arguments_max> sizes{};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    texts.at(i) = arguments[i].data();
    sizes.at(i) = arguments[i].size();
  }
  return redisAsyncCommandArgv(context, callback, nullptr, static_cast<int>(arguments.size()), texts.data(),
                               sizes.data()) == REDIS_OK;
}

}  // namespace

Task<RedisReply> RedisConnection::command(std::span<const std::string_view> arguments) {
  Token token;
  return asio::async_initiate<Token, void(std::exception_ptr, RedisReply)>(
      [self = shared_from_this(), arguments](Resume resume) {
        if (self->accepts_commands()) {
          self->send(arguments, std::move(resume));
        } else {
          self->finish(std::move(resume), no_answer());
        }
      },
      token);
}

// An overdue reply means that the server or the network is stuck. Replies arrive in order, so a command sent now would
// only wait behind it.
bool RedisConnection::accepts_commands() const {
  return context_ && overdue_ == 0 && (state_ == State::up || state_ == State::first_try);
}

void RedisConnection::send(std::span<const std::string_view> arguments, Resume resume) {
  const auto callback = [](redisAsyncContext* context, void* reply, void*) {
    static_cast<RedisConnection*>(context->data)->on_reply(reply);
  };
  if (!send_to(context_, arguments, callback)) return finish(std::move(resume), no_answer());
  waiting_.push_back({std::move(resume), Clock::now() + reply_within_});
  tick();
}

void RedisConnection::send_unanswered(std::span<const std::string_view> arguments) {
  if (accepts_commands()) send_to(context_, arguments, nullptr);
}

void RedisConnection::subscribe(std::string_view channel, std::function<void(const redisReply&)> receive) {
  if (!accepts_commands()) return;
  receive_ = std::move(receive);
  const auto callback = [](redisAsyncContext* context, void* message, void*) {
    const auto* self = static_cast<RedisConnection*>(context->data);
    if (message) self->receive_(*static_cast<redisReply*>(message));
  };
  send_to(context_, std::array<std::string_view, 2>{"SUBSCRIBE", channel}, callback);
}

bool RedisConnection::has_unread() const {
  char byte = 0;
  return !context_ || ::recv(context_->c.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

void RedisConnection::on_reply(void* reply) {
  std::optional<Resume> resume = std::move(waiting_.front().resume);
  waiting_.pop_front();
  if (!resume) {
    --overdue_;
    return;
  }
  if (!reply) return finish(*std::move(resume), no_answer());  // the connection broke
  const auto& answer = *static_cast<redisReply*>(reply);
  RedisReply result = converted(answer);
  if (answer.type == REDIS_REPLY_ERROR && !result.script_unknown) {
    log::warn("Redis refused a command.", {{"reason", std::string_view(answer.str, answer.len)}});
    return finish(*std::move(resume), std::make_exception_ptr(unavailable("The cache refused a command.")));
  }
  finish(*std::move(resume), nullptr, std::move(result));
}

// One timer serves all commands, and runs only while commands are waiting.
void RedisConnection::tick() {
  if (ticking_ || state_ == State::stopped) return;
  ticking_ = true;
  tick_timer_.expires_after(tick_every);
  tick_timer_.async_wait([self = shared_from_this()](boost::system::error_code) {
    self->ticking_ = false;
    self->on_tick();
  });
}

void RedisConnection::on_tick() {
  if (!context_) return;
  const auto now = Clock::now();
  const bool greeting = state_ == State::first_try || state_ == State::connecting;
  if (greeting && now >= greeting_deadline_) return drop("it accepts the connection but does not answer");

  while (overdue_ < waiting_.size() && waiting_[overdue_].deadline <= now) {
    Waiting& late = waiting_[overdue_++];
    finish(*std::exchange(late.resume, std::nullopt), no_answer());
  }
  if (overdue_ > 0 && now >= waiting_.front().deadline + overdue_for_max) return drop("it no longer answers");
  if (greeting || !waiting_.empty()) tick();
}

// Never resumes the coroutine directly: the caller may be inside hiredis, and the coroutine may close this connection.
void RedisConnection::finish(Resume resume, std::exception_ptr error, RedisReply reply) {
  asio::post(loop_, [resume = std::move(resume), error = std::move(error), reply = std::move(reply)]() mutable {
    resume(std::move(error), std::move(reply));
  });
}

}  // namespace guildhall
