#include "http/connection.h"

#include <algorithm>
#include <boost/asio/write.hpp>
#include <ctime>

#include "base/failure.h"
#include "base/ids.h"
#include "base/log.h"

namespace guildhall::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr std::size_t body_buffer_bytes = 4 * 1024;  // space after the largest head, to receive a body
constexpr std::size_t output_bytes_max = 64 * 1024;  // replies to pipelined requests are sent when they reach this
constexpr std::size_t write_bytes_max = 64 * 1024;   // a client must receive this many within write_ms_max
constexpr std::size_t copied_bytes_max = 16 * 1024;  // a larger body is sent without being copied
constexpr std::size_t kept_bytes_max = 64 * 1024;    // a string with more capacity is freed after the request
constexpr std::size_t linger_bytes_max = 1024 * 1024;
constexpr int live_send_buffer_bytes = 32 * 1024;  // in the kernel, so that a client that does not read is soon noticed
constexpr auto linger_ms_max = 1000ms;

bool is_request_id(std::string_view text) {
  constexpr std::size_t size_max = 64;
  return !text.empty() && text.size() <= size_max && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

// True if no byte of the next request has arrived, except the empty line that the parser accepts before it.
bool is_between_requests(std::string_view unread) {
  return unread.empty() || unread == "\r" || unread == "\r\n";
}

void clear_and_trim(std::string& text) {
  text.clear();
  if (text.capacity() > kept_bytes_max) text.shrink_to_fit();
}

}  // namespace

std::chrono::milliseconds coarse_now() {
  std::timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

Connection::Connection(ListenerState& state, Socket socket, std::string peer)
    : state_(state),
      socket_(std::move(socket)),
      peer_(std::move(peer)),
      source_(counted_address(peer_)),
      input_(state.limits.head_bytes_max + body_buffer_bytes),
      parser_(state.limits.head_bytes_max, state.limits.header_fields_max) {}

Task<void> Connection::serve() {
  while (!closing_) {
    const HeadParser::State head = parser_.parse(input_.unread(), request_);
    if (head == HeadParser::State::refused) {
      refuse(parser_.refusal());
    } else if (head == HeadParser::State::incomplete) {
      if (!send_now() && !co_await send_rest()) co_return;
      if (!enter_waiting()) co_return;
      if (!add_received(co_await receive())) {
        if (phase_ != Phase::head || !expired_) co_return;
        refuse({408, "The request did not arrive in time."});
      }
    } else {
      prepare_request();
      if (!take_arrived_body() && !co_await read_body()) {
        if (!closing_) co_return;
        break;
      }
      enter(Phase::answering, state_.limits.answer_ms_max);
      const Reply reply = co_await state_.service.answer(request_);
      if (request_.abandoned) co_return;
      const BodyFraming framing = append(reply);
      if (framing != BodyFraming::whole && !co_await stream(reply, framing)) co_return;
      const bool send = !tail_.empty() || output_.size() >= output_bytes_max;
      if (send && !send_now() && !co_await send_rest()) co_return;
    }
  }
  if (send_now() || co_await send_rest()) co_await linger();
}

void Connection::enter(Phase phase, Milliseconds time_max) {
  phase_ = phase;
  expired_ = false;
  deadline_ = time_max == Milliseconds::max() ? time_max : coarse_now() + time_max;
}

void Connection::expire_if_due(Milliseconds now) {
  if (now < deadline_) return;
  if (phase_ == Phase::answering || phase_ == Phase::streaming) return abandon();
  expired_ = true;
  error_code ignored;
  if (phase_ == Phase::abandoned) {
    deadline_ = Milliseconds::max();
    socket_.close(ignored);
  } else {
    socket_.cancel(ignored);
  }
}

// Answers 503 while the service still runs. The service uses the request, so this object is kept until it has finished.
// The reply is sent without waiting: it fits into the socket's buffer unless the client does not read at all.
void Connection::abandon() {
  const bool begun = phase_ == Phase::streaming;
  request_.abandoned = true;
  enter(Phase::abandoned, linger_ms_max);
  error_code ignored;
  if (!begun) {
    append_reply(output_, state_.service.timed_out(request_),
                 {.request_id = request_.request_id,
                  .date_line = state_.date,
                  .head_only = request_.method == Method::head,
                  .close = true});
  }
  if (begun || !send_now()) return reset();
  socket_.shutdown(Socket::shutdown_send, ignored);
}

std::optional<std::chrono::milliseconds> Connection::idle_deadline() const {
  return phase_ == Phase::idle ? std::optional(deadline_) : std::nullopt;
}

void Connection::stop() {
  end_live_reply();
  if (phase_ != Phase::idle) return;
  phase_ = Phase::lingering;  // no longer idle, so it is not closed a second time
  error_code ignored;
  socket_.cancel(ignored);
}

void Connection::abort() {
  error_code ignored;
  socket_.close(ignored);
}

// Frees buffer space and sets the deadline for the next bytes. Returns false if the connection is to be closed instead.
bool Connection::enter_waiting() {
  input_.move_to_front();
  if (is_between_requests(input_.unread())) {
    if (state_.stopping) return false;
    enter(Phase::idle, state_.limits.idle_ms_max);
  } else if (phase_ != Phase::head) {  // the whole head has one deadline, however many pieces it has
    enter(Phase::head, state_.limits.head_ms_max);
  }
  return true;
}

bool Connection::add_received(const std::tuple<error_code, std::size_t>& received) {
  const auto& [error, bytes] = received;
  input_.received(bytes);
  return !error;
}

void Connection::prepare_request() {
  request_.peer = peer_;
  request_.body = {};
  request_.body_too_large = false;
  request_.abandoned = false;
  const std::string_view given = request_.header("x-request-id");
  if (is_request_id(given)) {
    request_.request_id = given;
  } else {
    request_.request_id = make_uuid(now());
  }
}

BodyFraming Connection::append(const Reply& reply) {
  closing_ = !request_.keep_alive || request_.body_too_large || state_.draining || state_.stopping ||
             (reply.more && request_.http_1_0);
  clear_and_trim(body_);
  body_hold_ = {};
  const bool body_apart = reply.body.size() > copied_bytes_max;
  const ReplyForm form{.request_id = request_.request_id,
                       .date_line = state_.date,
                       .http_1_0 = request_.http_1_0,
                       .head_only = request_.method == Method::head,
                       .close = closing_,
                       .body_apart = body_apart};
  const BodyFraming framing = append_reply(output_, reply, form);
  if (body_apart && framing == BodyFraming::whole && has_body(reply, form)) tail_ = reply.body;
  return framing;
}

// Sends a streamed body. Each piece is sent before the next one is made. Returns false if the connection has ended.
Task<bool> Connection::stream(const Reply& reply, BodyFraming framing) {
  if (reply.body.size() > copied_bytes_max && !co_await send_piece(reply.body, framing)) co_return false;
  if (reply.end && !co_await begin_live(reply)) co_return false;
  std::string piece;
  bool more = true;
  bool broken = false;
  while (more && !broken) {
    enter(Phase::streaming, live_ ? Milliseconds::max() : state_.limits.answer_ms_max);
    piece.clear();
    if (live_) {  // it may wait for long, and keeps no buffers meanwhile
      piece.shrink_to_fit();
      output_.shrink_to_fit();
    }
    try {
      more = co_await reply.more(piece);
    } catch (const Failure& failure) {  // a limit, or a database that does not answer
      log::warn("A reply ended early.", {{"requestId", request_.request_id}, {"reason", failure.sentence}});
      broken = true;
    } catch (const std::exception& error) {
      log::error("A reply broke off while it was sent.", {{"requestId", request_.request_id}, {"error", error.what()}});
      broken = true;
    }
    if (request_.abandoned) co_return false;
    if (!piece.empty() && !co_await send_piece(piece, framing)) co_return false;
  }
  live_.reset();
  if (framing == BodyFraming::chunked && !broken) append_chunk(output_, {});
  // Without chunks the client would take an ordinary close for the end of the body.
  if (broken && framing == BodyFraming::until_close) reset();
  co_return !broken;
}

// Sends the head, since the first piece may come much later.
Task<bool> Connection::begin_live(const Reply& reply) {
  live_ = std::make_shared<const std::function<void()>>(reply.end);
  error_code ignored;
  socket_.set_option(asio::socket_base::send_buffer_size(live_send_buffer_bytes), ignored);
  end_live_when_client_closes();
  if (state_.draining || state_.stopping) end_live_reply();
  co_return send_now() || co_await send_rest();
}

void Connection::end_live_reply() const {
  if (live_) (*live_)();
}

// Waits beside the reply until there is something to read. The connection may be destroyed first, so the handler uses
// it only while the live reply is being sent.
void Connection::end_live_when_client_closes() {
  const auto readable = [this, watched = std::weak_ptr(live_)](const error_code& error) {
    const auto live = watched.lock();
    if (error || !live) return;
    std::array<char, 1> byte;
    error_code failed;
    socket_.receive(asio::buffer(byte), Socket::message_peek, failed);
    if (failed && failed != asio::error::would_block) (*live)();
  };
  socket_.async_wait(Socket::wait_read, readable);
}

Task<bool> Connection::send_piece(std::string_view piece, BodyFraming framing) {
  if (framing == BodyFraming::chunked && piece.size() <= copied_bytes_max) {
    append_chunk(output_, piece);
  } else {
    if (framing == BodyFraming::chunked) append_chunk_size(output_, piece.size());
    tail_ = piece;
    if (!send_now() && !co_await send_rest()) co_return false;
    if (framing == BodyFraming::chunked) output_ += "\r\n";
  }
  co_return send_now() || co_await send_rest();
}

// Answers bytes that are not a well-formed request. The beginning of the next request is unknown, so nothing more is
// read.
void Connection::refuse(Refusal refusal) {
  const Reply reply = state_.service.malformed(refusal.status, refusal.sentence);
  append_reply(output_, reply, {.request_id = make_uuid(now()), .date_line = state_.date, .close = true});
  closing_ = true;
}

// Returns the next contiguous bytes to be sent; empty when everything has been sent.
std::string_view Connection::unsent() const {
  if (sent_ < output_.size()) return std::string_view(output_).substr(sent_);
  return tail_.substr(std::min(tail_.size(), sent_ - output_.size()));
}

// Sends as much as possible without waiting. Returns true if everything has been sent.
bool Connection::send_now() {
  error_code error;  // send_rest() gets the same error and handles it
  for (std::string_view rest = unsent(); !rest.empty() && !error; rest = unsent()) {
    sent_ += socket_.write_some(asio::buffer(rest), error);
  }
  if (!unsent().empty()) return false;
  sent_ = 0;
  tail_ = {};
  clear_and_trim(output_);
  return true;
}

// Sends the rest, and waits for the client where necessary. Returns false if the connection has ended.
Task<bool> Connection::send_rest() {
  // Only output_ is counted: the service counts large bodies itself.
  const auto hold = state_.capacity.reply_bytes.take({}, output_.size() - std::min(sent_, output_.size()));
  if (!hold) co_return false;
  for (std::string_view rest = unsent(); !rest.empty(); rest = unsent()) {
    enter(Phase::writing, state_.limits.write_ms_max);
    const auto [error, written] =
        co_await asio::async_write(socket_, asio::buffer(rest.substr(0, write_bytes_max)), outcome);
    if (error) co_return false;
    sent_ += written;
  }
  co_return send_now();  // everything has been sent; this only clears the buffers
}

// Closes the sending side first and then reads a little longer: closing a socket with unread bytes would reset the
// connection, and the client might lose the reply.
Task<void> Connection::linger() {
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  enter(Phase::lingering, linger_ms_max);
  for (std::size_t bytes = 0; bytes < linger_bytes_max; bytes += input_.unread().size()) {
    input_.rewind(0);
    if (!add_received(co_await receive())) co_return;
  }
}

void Connection::reset() {
  error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

}  // namespace guildhall::http
