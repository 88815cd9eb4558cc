#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "http/reply.h"

namespace guildhall::http {

// What the request and the connection ask of the reply's form.
struct ReplyForm {
  std::string_view request_id;
  std::string_view date_line;  // as made by date_line()
  bool http_1_0 = false;
  bool head_only = false;   // the request was HEAD
  bool close = false;       // no further request is read; needed for `more` in HTTP/1.0
  bool body_apart = false;  // the caller sends reply.body itself
};

enum class BodyFraming { whole, chunked, until_close };

// Appends head and body as they go on the wire, with the headers every reply carries, and says how the pieces
// of `reply.more` are to follow; `whole`: nothing follows. A control character in a header value becomes a
// space, so that no text from outside can begin a header of its own. A handler's Connection, Content-Length,
// Transfer-Encoding, Date or x-request-id is left out: these belong to the wire.
BodyFraming append_reply(std::string& out, const Reply& reply, const ReplyForm& form);

// Whether a body follows the head.
bool has_body(const Reply& reply, const ReplyForm& form);

// One piece of a chunked body; an empty piece ends it.
void append_chunk(std::string& out, std::string_view piece);

// What goes before the bytes of a piece; a line end follows them.
void append_chunk_size(std::string& out, std::size_t bytes);

// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and its line end.
std::string date_line(std::time_t seconds);

}  // namespace guildhall::http
