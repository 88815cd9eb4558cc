// Any bytes as a chunked body: split at places the input itself chooses, the decoder must come to the same answer as
// unsplit, and never exceed its limit.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/chunked.h"

namespace {

using guildhall::http::ChunkedDecoder;

constexpr std::size_t body_bytes_max = 1000;

void must(bool promise) {
  if (!promise) std::abort();
}

struct Outcome {
  ChunkedDecoder::State state = ChunkedDecoder::State::more;
  std::string body;
  std::size_t used = 0;

  bool operator==(const Outcome&) const = default;
};

Outcome decode(std::string_view bytes, std::size_t piece_bytes_max) {
  ChunkedDecoder decoder(body_bytes_max);
  Outcome outcome;
  std::size_t step = 0;
  while (outcome.state == ChunkedDecoder::State::more && !bytes.empty()) {
    step = (step * 7 + 1) % piece_bytes_max + 1;
    const std::string_view piece = bytes.substr(0, step);
    std::size_t used = 0;
    outcome.state = decoder.decode(piece, outcome.body, used);
    must(used <= piece.size());
    must(outcome.state != ChunkedDecoder::State::more || used == piece.size());
    outcome.used += used;
    bytes.remove_prefix(used);
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  ChunkedDecoder decoder(body_bytes_max);
  Outcome whole;
  whole.state = decoder.decode(bytes, whole.body, whole.used);
  must(whole.body.size() <= body_bytes_max);
  must(decode(bytes, std::size_t{data[0]} + 1) == whole);
  return 0;
}
