#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/request.h"

namespace guildhall::http {

inline constexpr std::size_t target_bytes_max = 8 * 1024;

// What the wire must know of a head beyond the Request: where it ends and how the body after it is framed.
struct Head {
  std::size_t bytes = 0;  // up to and including the empty line
  bool chunked = false;
  std::uint64_t content_length = 0;  // 0 as well if none was given
  bool expects_continue = false;

  bool has_body() const { return chunked || content_length > 0; }
};

// Why bytes are not a request we read. Status 0: nothing is wrong.
struct Refusal {
  int status = 0;
  std::string_view sentence;

  explicit operator bool() const { return status != 0; }
};

// Reads the head of a request, strictly. Two servers that read the same bytes differently are how requests
// are smuggled, so whatever could be read in two ways is refused: bare CR or LF, folded lines, a space before
// a colon, Content-Length that is repeated, a list or beside Transfer-Encoding, any transfer coding but one
// `chunked`. After a refusal the connection must be closed, since nobody knows where the next request begins.
class HeadParser {
 public:
  enum class State { incomplete, complete, refused };

  HeadParser(std::size_t head_bytes_max, std::size_t header_fields_max)
      : head_bytes_max_(head_bytes_max), header_fields_max_(header_fields_max) {}

  // `bytes` begins where the request begins. While the answer is `incomplete`, call again with the same bytes
  // and more behind them; bytes already searched are not searched again. When it is `complete`, the request's
  // method, target, version, keep_alive and headers are set, as views into `bytes`, and the next call begins
  // anew.
  State parse(std::string_view bytes, Request& request);

  const Head& head() const { return head_; }
  const Refusal& refusal() const { return refusal_; }

 private:
  State scan(std::string_view bytes);
  State refuse(Refusal refusal);

  std::size_t head_bytes_max_;
  std::size_t header_fields_max_;
  std::size_t searched_ = 0;     // no line ends unseen before this byte
  std::size_t line_begins_ = 0;  // where the line begins that has not ended yet
  Head head_;
  Refusal refusal_;
};

}  // namespace guildhall::http
