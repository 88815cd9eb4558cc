#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/request.h"

namespace guildhall::http {

inline constexpr std::size_t target_bytes_max = 8 * 1024;

// The properties of a head that are not part of the Request: its size, and how the body after it is framed.
struct Head {
  std::size_t bytes = 0;  // up to and including the empty line
  bool chunked = false;
  std::uint64_t content_length = 0;  // 0 also if the header is absent
  bool expects_continue = false;

  bool has_body() const { return chunked || content_length > 0; }
};

// The reason why bytes are refused as a request. Status 0: they are not refused.
struct Refusal {
  int status = 0;
  std::string_view sentence;

  explicit operator bool() const { return status != 0; }
};

// Parses the head of a request strictly. Request smuggling needs two servers that read the same bytes differently, so
// everything ambiguous is refused: bare CR or LF, folded lines, a space before a colon, a Content-Length that is
// repeated, a list or combined with Transfer-Encoding, and any transfer coding but a single `chunked`. After a refusal
// the connection must be closed, because the beginning of the next request is unknown.
class HeadParser {
 public:
  enum class State { incomplete, complete, refused };

  HeadParser(std::size_t head_bytes_max, std::size_t header_fields_max)
      : head_bytes_max_(head_bytes_max), header_fields_max_(header_fields_max) {}

  // `bytes` starts at the beginning of the request. After `incomplete`, call again with the same bytes followed by
  // more; bytes that were already searched are not searched again. After `complete`, the method, target, version,
  // keep_alive and headers of the request are set, as views into `bytes`, and the next call parses a new request.
  State parse(std::string_view bytes, Request& request);

  const Head& head() const { return head_; }
  const Refusal& refusal() const { return refusal_; }

 private:
  State scan(std::string_view bytes);
  State refuse(Refusal refusal);

  std::size_t head_bytes_max_;
  std::size_t header_fields_max_;
  std::size_t searched_ = 0;     // all line ends before this byte have been found
  std::size_t line_begins_ = 0;  // the beginning of the line whose end has not arrived
  Head head_;
  Refusal refusal_;
};

}  // namespace guildhall::http
