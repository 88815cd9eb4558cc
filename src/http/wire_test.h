#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "base/ascii.h"
#include "http/listener.h"
#include "support/eventually.h"

// For the tests of this module: a listener on a loop of its own, with a service that echoes the request, and a client
// that sends exactly the bytes that it is given.
namespace guildhall::http {

// Echoes the request in its reply. Some paths do more: see answer().
class EchoService : public Service {
 public:
  explicit EchoService(boost::asio::io_context& loop) : gate_(loop) {
    gate_.expires_at(boost::asio::steady_timer::time_point::max());
  }

  std::size_t body_bytes_max(const Request& head) override {
    return head.path == "/small" ? small_body_bytes_max : 1'000'000;
  }

  Task<Reply> answer(Request& request) override {
    ++answered;
    answered.notify_all();
    if (request.path == "/wait") co_await gate_.async_wait(boost::asio::as_tuple(boost::asio::deferred));
    if (request.body_too_large) co_return Reply{.status = 413, .body = "too large"};
    if (request.path == "/204") co_return Reply{.status = 204, .body = "dropped"};
    if (request.path == "/304") co_return Reply{.status = 304, .body = "dropped"};
    if (request.path == "/large") co_return Reply{.body = std::string(8'000'000, 'x')};
    if (request.path == "/medium") co_return Reply{.body = std::string(15'000, 'x')};
    if (request.path == "/stream" && request.query == "wait") co_return waiting_stream();
    if (request.path == "/stream") co_return stream(request);
    if (request.path == "/large-stream") co_return large_stream();
    if (request.path == "/live") co_return live_stream();
    co_return Reply{.body = fmt::format("{} {} [{}] from {}", to_string(request.method), request.target, request.body,
                                        request.peer)};
  }

  Reply timed_out(const Request&) override { return {.status = 503, .content_type = "text/plain", .body = "too late"}; }

  Reply malformed(int status, std::string_view sentence) override {
    return {.status = status, .content_type = "text/plain", .body = std::string(sentence)};
  }

  // Lets the requests to /wait continue. Must be called on the loop's thread.
  void open_gate() { gate_.cancel(); }

  static constexpr std::size_t small_body_bytes_max = 10;
  std::atomic<std::size_t> answered = 0;
  std::atomic<std::size_t> ended = 0;  // live replies

 private:
  // Streams n pieces for `?n`; `?n!` throws after them.
  static Reply stream(const Request& request) {
    Reply reply{.body = "begin "};
    int left = std::stoi(std::string(request.query));
    const bool breaks = request.query.ends_with('!');
    reply.more = [left, breaks](std::string& piece) mutable -> Task<bool> {
      if (left == 0 && breaks) throw std::runtime_error("the source is gone");
      if (left == 0) co_return false;
      piece = fmt::format("piece {} ", left--);
      co_return true;
    };
    return reply;
  }

  // Streams two large pieces after a large first part.
  static Reply large_stream() {
    Reply reply{.body = std::string(100'000, 'y')};
    reply.more = [left = 2](std::string& piece) mutable -> Task<bool> {
      if (left > 0) piece.assign(100'000, 'y');
      co_return left-- > 0;
    };
    return reply;
  }

  Reply waiting_stream() {
    Reply reply{.body = "begin "};
    reply.more = [this, first = true](std::string& piece) mutable -> Task<bool> {
      piece = "piece ";
      if (!std::exchange(first, false)) co_await gate_.async_wait(boost::asio::as_tuple(boost::asio::deferred));
      co_return true;
    };
    return reply;
  }

  // Sends a piece each time the gate is opened, until it is ended.
  Reply live_stream() {
    Reply reply{.body = "begin "};
    const auto open = std::make_shared<bool>(true);
    reply.more = [this, open](std::string& piece) -> Task<bool> {
      if (*open) co_await gate_.async_wait(boost::asio::as_tuple(boost::asio::deferred));
      piece = *open ? "piece " : "";
      co_return *open;
    };
    reply.end = [this, open] {
      if (std::exchange(*open, false)) ++ended;
      gate_.cancel();
    };
    return reply;
  }

  boost::asio::steady_timer gate_;
};

class WireServer {
 public:
  explicit WireServer(const Limits& limits = {}, const std::string& host = "127.0.0.1", std::uint16_t port = 0,
                      Capacity* shared = nullptr)
      : service(loop_),
        listener_(std::make_unique<Listener>(loop_, host, port, service, limits, shared ? *shared : own_capacity_)) {
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~WireServer() {
    on_loop([this] {
      service.open_gate();
      listener_.reset();
    });
    work_.reset();
    thread_.join();
  }

  std::uint16_t port() const { return listener_->port(); }
  std::size_t connections() {
    std::size_t count = 0;
    on_loop([&] { count = listener_->connections(); });
    return count;
  }
  void stop() {
    on_loop([this] { listener_->stop(); });
  }
  void drain() {
    on_loop([this] { listener_->drain(); });
  }
  void abort() {
    on_loop([this] { listener_->abort(); });
  }
  void open_gate() {
    on_loop([this] { service.open_gate(); });
  }
  void wait_for_answers(std::size_t count) {
    for (std::size_t seen = service.answered; seen < count; seen = service.answered) service.answered.wait(seen);
  }
  void wait_for_connections(std::size_t count) {
    EXPECT_TRUE(test::eventually([&] { return connections() == count; })) << connections();
  }

 private:
  void on_loop(const std::function<void()>& work) {
    std::promise<void> done;
    boost::asio::post(loop_, [&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }

  Capacity own_capacity_;
  boost::asio::io_context loop_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_.get_executor()};

 public:
  EchoService service;

 private:
  std::unique_ptr<Listener> listener_;
  std::thread thread_;
};

// A received reply: its head, and its body with the chunk framing.
struct Received {
  int status = 0;
  std::string head;
  std::string body;

  std::string header(std::string_view lower_case_name) const {
    std::size_t at = head.find("\r\n") + 2;
    while (at < head.size()) {
      const std::size_t end = head.find("\r\n", at);
      const std::string_view line = std::string_view(head).substr(at, end - at);
      const std::size_t colon = line.find(':');
      if (colon != line.npos && is_text(line.substr(0, colon), lower_case_name))
        return std::string(trim(line.substr(colon + 1)));
      at = end + 2;
    }
    return {};
  }
};

class WireClient {
 public:
  explicit WireClient(std::uint16_t port, int socket = ::socket(AF_INET, SOCK_STREAM, 0)) : socket_(socket) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    const timeval patience{.tv_sec = 20, .tv_usec = 0};  // a server that hangs fails the test
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  explicit WireClient(WireServer& server) : WireClient(server.port()) {}
  ~WireClient() { ::close(socket_); }
  WireClient(const WireClient&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;  // the server has closed; its last reply can still be read
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void send_byte_by_byte(std::string_view bytes) {
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    for (std::size_t i = 0; i < bytes.size(); ++i) send(bytes.substr(i, 1));
  }
  void finish_sending() { ::shutdown(socket_, SHUT_WR); }

  // Returns exactly the next `count` bytes, or fewer at the end.
  std::string read(std::size_t count) {
    while (buffer_.size() < count && receive()) {
    }
    return take(std::min(count, buffer_.size()));
  }
  std::string read_to_end() {
    while (receive()) {
    }
    return take(buffer_.size());
  }

  Received read_reply(bool to_head = false) {
    Received reply;
    while (buffer_.find("\r\n\r\n") == buffer_.npos) {
      if (!receive()) return reply;
    }
    reply.head = take(buffer_.find("\r\n\r\n") + 4);
    reply.status = std::stoi(reply.head.substr(9, 3));
    if (to_head) return reply;
    if (reply.header("transfer-encoding") == "chunked") {
      while (buffer_.find("0\r\n\r\n") == buffer_.npos && receive()) {
      }
      reply.body = take(std::min(buffer_.find("0\r\n\r\n"), buffer_.size() - 5) + 5);
    } else if (const std::string length = reply.header("content-length"); !length.empty()) {
      reply.body = read(std::stoul(length));
    }
    return reply;
  }

  // True if the server has closed without a reset and sent nothing more.
  bool closed() { return read_to_end().empty() && !was_reset; }

  bool connected = false;
  bool was_reset = false;

 private:
  bool receive() {
    std::array<char, 65536> bytes;
    const ssize_t n = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (n < 0 && errno == ECONNRESET) was_reset = true;
    if (n < 0 && errno == EAGAIN) ADD_FAILURE() << "the server said nothing";
    if (n <= 0) return false;
    buffer_.append(bytes.data(), static_cast<std::size_t>(n));
    return true;
  }
  std::string take(std::size_t count) {
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }

  int socket_;
  std::string buffer_;
};

}  // namespace guildhall::http
