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

// For co_await: returns the result of an operation as a tuple that begins with its error code. Deferred operations
// start inside the awaiting coroutine and need no coroutine frame of their own.
inline constexpr boost::asio::as_tuple_t<boost::asio::deferred_t> outcome{};

// The state that the connections of one listener share. It outlives them.
struct ListenerState {
  Service& service;
  Limits limits;
  Capacity& capacity;
  std::string date;       // the Date header, updated by the listener's sweep
  bool draining = false;  // every connection is closed after its next reply
  bool stopping = false;  // running requests are answered, then their connections are closed
};

// Returns the monotonic time with a resolution of a few milliseconds; a call costs almost nothing.
std::chrono::milliseconds coarse_now();

// One client's connection: reads requests, has them answered one after the other, and sends the replies to pipelined
// requests together. It is a local object of the coroutine that runs serve(), and an element of the listener's list,
// whose sweep checks its deadline.
class Connection : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  Connection(ListenerState& state, Socket socket, std::string peer);

  // Serves requests until the connection ends.
  Task<void> serve();

  // Called by the sweep: ends the current phase if its deadline has passed.
  void expire_if_due(std::chrono::milliseconds now);

  // The time at which the connection is closed for being idle; nullopt while it is not idle.
  std::optional<std::chrono::milliseconds> idle_deadline() const;
  const std::string& source() const { return source_; }

  // Closes the connection if it waits between two requests; otherwise it closes itself after the current reply.
  void stop();
  void abort();

  // Ends a live reply. Without one, this does nothing.
  void end_live_reply() const;

 private:
  enum class Phase { idle, head, body, answering, streaming, writing, abandoned, lingering };
  using Milliseconds = std::chrono::milliseconds;

  void enter(Phase phase, Milliseconds time_max = Milliseconds::max());
  bool enter_waiting();

  // `co_await receive()` reads as many bytes as fit into the buffer. add_received() then adds them to the unread bytes
  // and returns false if the connection has failed.
  auto receive() {
    const std::span<char> room = input_.room();
    return socket_.async_read_some(boost::asio::buffer(room.data(), room.size()), outcome);
  }
  bool add_received(const std::tuple<boost::system::error_code, std::size_t>& received);

  void prepare_request();
  BodyFraming append(const Reply& reply);
  Task<bool> stream(const Reply& reply, BodyFraming framing);
  Task<bool> send_piece(std::string_view piece, BodyFraming framing);
  Task<bool> begin_live(const Reply& reply);
  void end_live_when_client_closes();
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
  const std::string source_;  // the peer as limits count it (see counted_address)
  ReadBuffer input_;
  HeadParser parser_;
  Request request_;
  std::string body_;  // used if the body did not arrive together with the head
  std::size_t body_bytes_max_ = 0;
  Quota::Hold body_hold_;
  std::string output_;     // replies that are not sent completely
  std::string_view tail_;  // the body of the last reply if it is large; sent without being copied
  std::size_t sent_ = 0;   // the number of bytes of output_ and tail_ that are sent
  Phase phase_ = Phase::idle;
  Milliseconds deadline_ = Milliseconds::max();
  bool expired_ = false;
  bool closing_ = false;                               // the connection is closed after the replies in output_
  std::shared_ptr<const std::function<void()>> live_;  // ends the live reply that is being sent
};

}  // namespace guildhall::http
