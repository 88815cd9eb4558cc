#include "http/chunked.h"

#include <algorithm>

#include "base/ascii.h"

namespace guildhall::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char letter = lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace

ChunkedDecoder::State ChunkedDecoder::decode(std::string_view bytes, std::string& body, std::size_t& used) {
  used = 0;
  while (used < bytes.size()) {
    if (expect_ == Expect::data) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, bytes.size() - used));
      body.append(bytes.substr(used, n));
      used += n;
      chunk_left_ -= n;
      if (chunk_left_ == 0) expect_ = Expect::data_cr;
    } else if (const State state = take(bytes[used++]); state != State::more) {
      return state;
    }
  }
  return State::more;
}

ChunkedDecoder::State ChunkedDecoder::take(char c) {
  const auto exactly = [&](char wanted, Expect next) {
    if (c != wanted) return State::malformed;
    expect_ = next;
    return State::more;
  };
  switch (expect_) {
    case Expect::size:
      return take_size(c);
    case Expect::extension:
      return take_extension(c);
    case Expect::size_lf:
      return c == '\n' ? end_size_line() : State::malformed;
    case Expect::data_cr:
      return exactly('\r', Expect::data_lf);
    case Expect::data_lf:
      size_digits_ = 0;
      return exactly('\n', Expect::size);
    case Expect::trailer_lf:
      return exactly('\n', Expect::trailer_start);
    case Expect::end_lf:
      return c == '\n' ? State::done : State::malformed;
    case Expect::trailer_start:
    case Expect::trailer_name:
    case Expect::trailer_value:
      return take_trailer(c);
    case Expect::data:
      break;  // decode() handles these bytes itself
  }
  return State::malformed;
}

ChunkedDecoder::State ChunkedDecoder::take_size(char c) {
  constexpr int digits_max = 8;
  if (const int digit = hex_digit(c); digit >= 0) {
    if (++size_digits_ > digits_max) return State::malformed;
    chunk_left_ = chunk_left_ * 16 + static_cast<std::uint64_t>(digit);
    return State::more;
  }
  if (size_digits_ == 0 || (c != '\r' && c != ';')) return State::malformed;
  expect_ = c == '\r' ? Expect::size_lf : Expect::extension;
  return State::more;
}

ChunkedDecoder::State ChunkedDecoder::take_extension(char c) {
  if (c == '\r') {
    expect_ = Expect::size_lf;
    return State::more;
  }
  return !is_control(c) && spend_overhead() ? State::more : State::malformed;
}

ChunkedDecoder::State ChunkedDecoder::end_size_line() {
  if (chunk_left_ == 0) {
    expect_ = Expect::trailer_start;
    return State::more;
  }
  // Checks the announced size, so that a chunk that is too large is refused before it arrives.
  if (chunk_left_ > body_bytes_left_) return State::too_large;
  body_bytes_left_ -= static_cast<std::size_t>(chunk_left_);
  expect_ = Expect::data;
  return State::more;
}

ChunkedDecoder::State ChunkedDecoder::take_trailer(char c) {
  if (c == '\r' && expect_ != Expect::trailer_name) {
    expect_ = expect_ == Expect::trailer_start ? Expect::end_lf : Expect::trailer_lf;
    return State::more;
  }
  if (is_control(c) || !spend_overhead()) return State::malformed;
  if (expect_ == Expect::trailer_value) return State::more;
  const bool blank = c == ' ' || c == '\t';
  if (blank || (c == ':' && expect_ == Expect::trailer_start)) return State::malformed;
  expect_ = c == ':' ? Expect::trailer_value : Expect::trailer_name;
  return State::more;
}

bool ChunkedDecoder::spend_overhead() {
  if (overhead_bytes_left_ == 0) return false;
  --overhead_bytes_left_;
  return true;
}

}  // namespace guildhall::http
