#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace guildhall::http {

// Decodes one body sent with `Transfer-Encoding: chunked`, as its bytes arrive. Strict where two readers
// could differ: every line ends with CRLF, sizes are 1 to 8 hex digits. Chunk extensions and trailers are
// bounded, checked for form and thrown away.
class ChunkedDecoder {
 public:
  enum class State { more, done, too_large, malformed };

  explicit ChunkedDecoder(std::size_t body_bytes_max) : body_bytes_left_(body_bytes_max) {}

  // Appends what `bytes` holds of the body to `body` and counts in `used` the bytes that belong to it: all of
  // them while the answer is `more`; after `done` the rest is the next request. After any other answer don't
  // call again.
  State decode(std::string_view bytes, std::string& body, std::size_t& used);

 private:
  enum class Expect : std::uint8_t {
    size,
    extension,
    size_lf,
    data,
    data_cr,
    data_lf,
    trailer_start,
    trailer_name,
    trailer_value,
    trailer_lf,
    end_lf,
  };

  State take(char c);
  State take_size(char c);
  State take_extension(char c);
  State take_trailer(char c);
  State end_size_line();
  bool spend_overhead();

  std::size_t body_bytes_left_;
  std::size_t overhead_bytes_left_ = 4096;  // extensions and trailers of the whole body
  std::uint64_t chunk_left_ = 0;
  int size_digits_ = 0;
  Expect expect_ = Expect::size;
};

}  // namespace guildhall::http
