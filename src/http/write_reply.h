#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "http/reply.h"

namespace guildhall::http {

// The properties of a reply's head that depend on the request and the connection.
struct ReplyForm {
  std::string_view request_id;
  std::string_view date_line;  // made by date_line()
  bool http_1_0 = false;
  bool head_only = false;   // the request was HEAD
  bool close = false;       // no further request is read; required for `more` in HTTP/1.0
  bool body_apart = false;  // the caller sends reply.body itself
};

enum class BodyFraming { whole, chunked, until_close };

// Appends head and body in wire format, with the headers that every reply has. Returns how the pieces of `reply.more`
// must follow; `whole`: nothing follows. A control character in a header value becomes a space, so that foreign text
// cannot add a header. The headers Connection, Content-Length, Transfer-Encoding, Date and x-request-id of a handler
// are ignored, because this function sets them.
BodyFraming append_reply(std::string& out, const Reply& reply, const ReplyForm& form);

// True if a body follows the head.
bool has_body(const Reply& reply, const ReplyForm& form);

// Appends one piece of a chunked body; an empty piece ends it.
void append_chunk(std::string& out, std::string_view piece);

// Appends the size line of a chunk. The caller adds the bytes and a line end.
void append_chunk_size(std::string& out, std::size_t bytes);

// Returns `Date: Sun, 06 Nov 1994 08:49:37 GMT` with a line end.
std::string date_line(std::time_t seconds);

}  // namespace guildhall::http
