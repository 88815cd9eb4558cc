#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <span>
#include <string>
#include <tuple>

#include "base/task.h"
#include "http/head_parser.h"
#include "http/read_buffer.h"
#include "http/service.h"
#include "http/write_reply.h"

namespace guildhall::http {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

// For co_await: the outcome of an operation as a tuple that begins with its error code. Deferred operations start
// inside the awaiting coroutine and need no frame of their own.
inline constexpr boost::asio::as_tuple_t<boost::asio::deferred_t> outcome{};

// What the connections of one listener share. Outlives them.
struct ListenerState {
  Service& service;
  Limits limits;
  Capacity& capacity;
  std::string date;       // the Date line, refreshed by the sweep
  bool draining = false;  // every reply is the last of its connection
  bool stopping = false;  // answer what runs, then close
};

// Time since some start, a few milliseconds coarse; reading it costs next to nothing.
std::chrono::milliseconds coarse_now();

// One client: reads requests, has each answered in turn, and writes the replies of all that had arrived at
// once. Lives in the coroutine that runs it and in the listener's list, where the sweep looks at its
// deadline.
class Connection : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  Connection(ListenerState& state, Socket socket, std::string peer);

  // Until the connection is over.
  Task<void> serve();

  // The sweep's look: gives up on a client that is over its time.
  void expire_if_due(std::chrono::milliseconds now);

  // When the connection will have been idle for too long; nothing while it is not idle.
  std::optional<std::chrono::milliseconds> idle_deadline() const;
  const std::string& peer() const { return peer_; }

  // Wakes it to close if it waits between two requests; otherwise it closes itself after the reply it is
  // making.
  void stop();
  void abort();

 private:
  enum class Phase { idle, head, body, answering, streaming, writing, abandoned, lingering };
  using Milliseconds = std::chrono::milliseconds;

  void enter(Phase phase, Milliseconds time_max = Milliseconds::max());
  bool enter_waiting();

  // `co_await receive()` reads what the room takes; took() books it and says whether the connection still lives.
  auto receive() {
    const std::span<char> room = input_.room();
    return socket_.async_read_some(boost::asio::buffer(room.data(), room.size()), outcome);
  }
  bool took(const std::tuple<boost::system::error_code, std::size_t>& received);

  void prepare_request();
  BodyFraming append(const Reply& reply);
  Task<bool> stream(const Reply& reply, BodyFraming framing);
  Task<bool> send_piece(std::string_view piece, BodyFraming framing);
  void refuse(Refusal refusal);
  void abandon();

  bool take_arrived_body();
  Task<bool> read_body();
  Task<bool> read_sized_body();
  Task<bool> read_chunked_body();
  Task<bool> receive_body_part();

  std::string_view unsent() const;
  bool send_now();
  Task<bool> send_rest();
  Task<void> linger();
  void reset();

  ListenerState& state_;
  Socket socket_;
  const std::string peer_;
  ReadBuffer input_;
  HeadParser parser_;
  Request request_;
  std::string body_;  // of a request whose body did not arrive together with its head
  std::size_t body_bytes_max_ = 0;
  Quota::Hold body_held_;
  std::string output_;     // replies on their way out
  std::string_view tail_;  // the body of the last of them, if it is large: it is sent from where it is
  std::size_t sent_ = 0;   // bytes of output_ and tail_
  Phase phase_ = Phase::idle;
  Milliseconds deadline_ = Milliseconds::max();
  bool expired_ = false;
  bool closing_ = false;  // nothing more is read after the replies in output_
};

}  // namespace guildhall::http
