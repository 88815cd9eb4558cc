#pragma once

#include <optional>
#include <string>

#include "support/http_client.h"

namespace guildhall::test {

// An event of a stream of Server-Sent Events. Its data is read with JSON pointers: event.data.text("/entity").
struct StreamEvent {
  std::string id;
  std::string type;
  HttpReply data;
};

// A client of /api/admin/changes.
class EventStream {
 public:
  struct Options {
    std::string last_event_id{};  // sent if it is not empty
    std::string query{};
    HttpHeaders headers{};
    int receive_buffer_bytes = 0;
  };

  // Connects with the cookies of the client. `head` is the reply; events follow if its status is 200.
  EventStream(std::uint16_t port, const HttpClient& caller, const Options& options);
  EventStream(std::uint16_t port, const HttpClient& caller) : EventStream(port, caller, Options{}) {}

  // Returns the next event of any type except a heartbeat; nullopt at the end of the stream. Throws when the connection
  // breaks.
  std::optional<StreamEvent> next();

  // Waits for the next heartbeat. Fails if an event comes first.
  bool next_is_heartbeat();

  // True if no event and no heartbeat has arrived that was not returned yet.
  bool is_quiet() const { return buffer_.empty() && !connection_.has_bytes(); }

  HttpReply head;
  std::string last_event_id;  // as a browser keeps it

 private:
  std::optional<std::string> next_block();

  RawConnection connection_;
  std::string buffer_;
};

}  // namespace guildhall::test
