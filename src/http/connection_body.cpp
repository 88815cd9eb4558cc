// The part of Connection that receives a request's body.
#include <algorithm>

#include "http/chunked.h"
#include "http/connection.h"

namespace guildhall::http {

// Handles the usual cases without waiting: there is no body, it has arrived with the head, or it is too large and is
// not read. Returns false if the body must be received.
bool Connection::take_arrived_body() {
  const Head& head = parser_.head();
  if (!head.has_body()) {
    input_.use(head.bytes);
    return true;
  }
  body_bytes_max_ = std::min(state_.service.body_bytes_max(request_), state_.limits.body_bytes_max);
  if (head.chunked) return false;
  if (head.content_length > body_bytes_max_) {
    request_.body_too_large = true;
    input_.use(head.bytes);
    return true;
  }
  const std::string_view arrived = input_.unread().substr(head.bytes);
  if (head.content_length > arrived.size()) return false;
  request_.body = arrived.substr(0, static_cast<std::size_t>(head.content_length));
  input_.use(head.bytes + request_.body.size());
  return true;
}

// Receives the body. Returns false if the body was refused (then closing_ is set) or the connection has ended.
Task<bool> Connection::read_body() {
  if (input_.used() > 0) {
    // The body is received into the space after the head. The head is moved to the front, so it is parsed again to
    // renew the request's views.
    input_.move_to_front();
    parser_.parse(input_.unread(), request_);
  }
  input_.use(parser_.head().bytes);
  const Head& head = parser_.head();
  const std::size_t bytes = head.chunked ? body_bytes_max_ : static_cast<std::size_t>(head.content_length);
  Quota& quota = bytes > usual_body_bytes_max ? state_.capacity.large_request_bytes : state_.capacity.request_bytes;
  body_hold_ = quota.take(state_.capacity.key_of(peer_), bytes);
  if (!body_hold_) {
    refuse({503, "The server receives too many large requests."});
    co_return false;
  }
  const bool complete = parser_.head().chunked ? co_await read_chunked_body() : co_await read_sized_body();
  if (!complete && expired_ && phase_ == Phase::body) {
    refuse({408, "The request's body did not arrive in time."});
  }
  request_.body = body_;
  co_return complete;
}

Task<bool> Connection::read_sized_body() {
  const auto bytes = static_cast<std::size_t>(parser_.head().content_length);
  while (true) {
    const std::string_view part = input_.unread().substr(0, bytes - body_.size());
    body_ += part;
    input_.use(part.size());
    if (body_.size() == bytes) co_return true;
    if (!co_await receive_body_part()) co_return false;
  }
}

Task<bool> Connection::read_chunked_body() {
  ChunkedDecoder decoder(body_bytes_max_);
  while (true) {
    std::size_t used = 0;
    const ChunkedDecoder::State state = decoder.decode(input_.unread(), body_, used);
    input_.use(used);
    switch (state) {
      case ChunkedDecoder::State::done:
        co_return true;
      case ChunkedDecoder::State::too_large:
        request_.body_too_large = true;
        body_.clear();
        co_return true;
      case ChunkedDecoder::State::malformed:
        refuse({400, "The chunked body is malformed."});
        co_return false;
      case ChunkedDecoder::State::more:
        if (!co_await receive_body_part()) co_return false;
        break;
    }
  }
}

// Receives bytes into the space after the head; all earlier bytes there must have been used.
Task<bool> Connection::receive_body_part() {
  const std::size_t head_bytes = parser_.head().bytes;
  if (phase_ != Phase::body) {
    // The client may wait for earlier replies, or for 100 Continue, before it sends this body.
    const bool nothing_came = input_.used() == head_bytes;
    if (parser_.head().expects_continue && nothing_came) output_ += "HTTP/1.1 100 Continue\r\n\r\n";
    if (!send_now() && !co_await send_rest()) co_return false;
    enter(Phase::body, state_.limits.body_ms_max);
  }
  input_.rewind(head_bytes);
  co_return add_received(co_await receive());
}

}  // namespace guildhall::http
