// Any bytes as the head of a request: read whole and read byte by byte, the parser must come to the same answer, and
// what it accepts must keep its promises.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/head_parser.h"

namespace {

using guildhall::http::Header;
using guildhall::http::HeadParser;
using guildhall::http::Request;

void must(bool promise) {
  if (!promise) std::abort();
}

void check_views(std::string_view bytes, const HeadParser& parser, const Request& request) {
  must(parser.head().bytes <= bytes.size());
  must(bytes.substr(0, parser.head().bytes).ends_with("\r\n\r\n"));
  must(!(parser.head().chunked && parser.head().content_length > 0));
  must(request.path == "*" || request.path.starts_with('/'));
  for (const Header& header : request.headers) {
    must(!header.name.empty());
    must(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  HeadParser whole(2048, 16);
  Request request;
  const HeadParser::State state = whole.parse(bytes, request);
  if (state == HeadParser::State::complete) check_views(bytes, whole, request);

  HeadParser slow(2048, 16);
  Request again;
  HeadParser::State slow_state = HeadParser::State::incomplete;
  for (std::size_t n = 0; n <= bytes.size() && slow_state == HeadParser::State::incomplete; ++n) {
    slow_state = slow.parse(std::string_view(bytes).substr(0, n), again);
  }
  must(slow_state == state);
  if (state == HeadParser::State::complete) {
    must(slow.head().bytes == whole.head().bytes && slow.head().chunked == whole.head().chunked);
    must(slow.head().content_length == whole.head().content_length && again.target == request.target);
  }
  return 0;
}
