#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace guildhall::http {

// Decodes one body with `Transfer-Encoding: chunked` while its bytes arrive. Strict where another parser could read the
// same bytes differently: every line must end with CRLF, and a size must have 1 to 8 hex digits. Chunk extensions and
// trailers are limited in size, validated and discarded.
class ChunkedDecoder {
 public:
  enum class State { more, done, too_large, malformed };

  explicit ChunkedDecoder(std::size_t body_bytes_max) : body_bytes_left_(body_bytes_max) {}

  // Appends the part of the body that is in `bytes` to `body`, and sets `used` to the number of bytes that belong to
  // this request: all of them if the result is `more`; after `done` the rest is the next request. Must not be called
  // again after a result other than `more`.
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
  std::size_t overhead_bytes_left_ = 4096;  // for the extensions and trailers of the whole body
  std::uint64_t chunk_left_ = 0;
  int size_digits_ = 0;
  Expect expect_ = Expect::size;
};

}  // namespace guildhall::http
