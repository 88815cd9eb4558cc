#include "http/gzip.h"

#include <stdexcept>
#include <zlib.h>

namespace guildhall::http {

std::string gzip(std::string_view body) {
  constexpr int gzip_window_bits = 15 + 16;  // 16 chooses the format of gzip instead of zlib's own
  constexpr int memory_level = 8;
  z_stream zip{};
  if (deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window_bits, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("There is not enough memory.");
  }
  std::string out(deflateBound(&zip, body.size()), '\0');
  zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  zip.avail_in = static_cast<uInt>(body.size());
  zip.next_out = reinterpret_cast<Bytef*>(out.data());
  zip.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&zip, Z_FINISH);
  out.resize(zip.total_out);
  deflateEnd(&zip);
  if (result != Z_STREAM_END) throw std::runtime_error("The body cannot be compressed.");
  return out;
}

}  // namespace guildhall::http
