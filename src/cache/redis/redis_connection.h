#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "cache/redis/redis_url.h"

struct redisAsyncContext;
struct redisReply;

namespace guildhall {

struct RedisReply {
  std::optional<std::string> text;    // the value of a string or status
  std::vector<std::int64_t> numbers;  // the value of an integer or an array of integers
  bool script_unknown = false;        // the server does not know the script of an EVALSHA yet
};

// A loop's connection to Redis, which is restored automatically. The commands of many requests share it: they are sent
// in the order of the calls, and the replies arrive in that order.
class RedisConnection : public std::enable_shared_from_this<RedisConnection> {
 public:
  RedisConnection(boost::asio::io_context& loop, const RedisUrl& server, std::chrono::milliseconds reply_within);

  // Makes the first connection. Resolves the host name before it returns: this happens when the process starts, and
  // commands may follow at once.
  void start();

  // Ends every waiting command with Failure unavailable. Must be called before the last reference is released.
  void stop();

  // Throws Failure unavailable at once while there is no connection or replies are overdue. Also throws it when the
  // reply does not arrive in time; in that case the command may still take effect. The arguments must be valid until
  // the task ends.
  Task<RedisReply> command(std::span<const std::string_view> arguments);

  // Sends a command whose reply is ignored. Does nothing while there is no connection.
  void send_unanswered(std::span<const std::string_view> arguments);

  // Passes on every message of the channel until the connection is lost. It can be used for nothing else until then.
  void subscribe(std::string_view channel, std::function<void(const redisReply&)> receive);

  // True if something has arrived that was not read yet, or the connection is lost.
  bool has_unread() const;

  // The function is called whenever the connection is made (true) or lost (false).
  void on_change(std::function<void(bool connected)> changed) { changed_ = std::move(changed); }

 private:
  using Clock = std::chrono::steady_clock;
  using Executor = boost::asio::io_context::executor_type;
  using Timer = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, Executor>;
  using Resolver = boost::asio::ip::basic_resolver<boost::asio::ip::tcp, Executor>;
  using Token = boost::asio::use_awaitable_t<Executor>;
  using Resume = boost::asio::async_result<Token, void(std::exception_ptr, RedisReply)>::handler_type;

  enum class State {
    first_try,   // connecting for the first time: commands wait until it is connected
    down,        // between two attempts to connect
    connecting,  // connecting again: commands fail at once
    up,
    stopped,
  };

  struct Waiting {
    std::optional<Resume> resume;  // none after the deadline: the late reply is ignored
    Clock::time_point deadline;
  };

  // These functions are in redis_connection_state.cpp.
  void connect(const std::string& address);
  void greet();
  void on_greeting(void* reply, bool last);
  void on_gone(std::string_view reason);
  void drop(std::string_view reason);
  void try_again_later();
  void try_again();

  // These functions are in redis_connection.cpp.
  bool accepts_commands() const;
  void send(std::span<const std::string_view> arguments, Resume resume);
  void on_reply(void* reply);
  void tick();
  void on_tick();
  void finish(Resume resume, std::exception_ptr error, RedisReply reply = {});

  boost::asio::io_context& loop_;
  const RedisUrl server_;
  const std::chrono::milliseconds reply_within_;
  Timer tick_timer_;
  Timer retry_timer_;
  Resolver resolver_;

  State state_ = State::first_try;
  redisAsyncContext* context_ = nullptr;  // null after hiredis has freed it
  Clock::time_point greeting_deadline_;
  int failed_tries_ = 0;
  std::string dropped_because_;  // empty unless we closed the connection ourselves
  std::function<void(bool)> changed_;
  std::function<void(const redisReply&)> receive_;

  std::deque<Waiting> waiting_;  // in the order of the expected replies
  std::size_t overdue_ = 0;      // the number of commands at the front that are past their deadline
  bool ticking_ = false;
};

}  // namespace guildhall
