#include "http/head_parser.h"

#include <array>
#include <utility>

#include "base/ascii.h"

namespace guildhall::http {
namespace {

enum Class : std::uint8_t { token_char = 1, target_char = 2, value_char = 4, host_char = 8 };

constexpr std::array<std::uint8_t, 256> classify() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool visible = c > 0x20 && c < 0x7f;
    const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const auto among = [c](std::string_view set) { return c < 0x80 && set.find(static_cast<char>(c)) != set.npos; };
    if (letter_or_digit || among("!#$%&'*+-.^_`|~")) classes[c] |= token_char;
    if (visible && c != '#') classes[c] |= target_char;
    if (visible || c == ' ' || c == '\t' || c >= 0x80) classes[c] |= value_char;
    if (letter_or_digit || among("-._~!$&'()*+,;=:[]%")) classes[c] |= host_char;
  }
  return classes;
}

constexpr std::array<std::uint8_t, 256> classes = classify();

bool is_a(char c, Class wanted) {
  return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

// Returns the number of leading bytes that are of that class.
std::size_t span_of(std::string_view text, Class wanted) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end && is_a(*at, wanted)) ++at;
  return static_cast<std::size_t>(at - text.data());
}

bool all(std::string_view text, Class wanted) {
  return span_of(text, wanted) == text.size();
}

Method method_of(std::string_view token) {
  using enum Method;
  constexpr std::pair<std::string_view, Method> methods[] = {{"GET", get},        {"POST", post}, {"PATCH", patch},
                                                             {"DELETE", del},     {"PUT", put},   {"HEAD", head},
                                                             {"OPTIONS", options}};
  for (const auto& [name, method] : methods) {
    if (token == name) return method;
  }
  return other;
}

// Parses a complete head: `text` ends with the empty line.
class HeadReader {
 public:
  HeadReader(std::string_view text, Request& request, Head& head) : text_(text), request_(request), head_(head) {}

  Refusal read(std::size_t header_fields_max);

 private:
  std::string_view take(Class wanted);
  bool skip(char c);
  bool skip_line_end() { return skip('\r') && skip('\n'); }
  Refusal read_request_line();
  Refusal read_version();
  Refusal read_target(std::string_view target);
  Refusal read_absolute_target(std::string_view target);
  Refusal read_field();
  Refusal note_field(std::string_view name, std::string_view value);
  Refusal note_content_length(std::string_view value);
  Refusal note_transfer_encoding(std::string_view value);
  Refusal note_host(std::string_view value);
  Refusal note_expect(std::string_view value);
  void note_connection(std::string_view value);
  Refusal judge_whole();

  std::string_view text_;  // the unparsed rest
  Request& request_;
  Head& head_;
  std::string_view authority_;  // the authority of an absolute target
  std::string_view host_;
  bool has_host_ = false;
  bool has_length_ = false;
  bool says_close_ = false;
  bool says_keep_alive_ = false;
};

std::string_view HeadReader::take(Class wanted) {
  const std::string_view taken = text_.substr(0, span_of(text_, wanted));
  text_.remove_prefix(taken.size());
  return taken;
}

bool HeadReader::skip(char c) {
  if (text_.empty() || text_.front() != c) return false;
  text_.remove_prefix(1);
  return true;
}

Refusal HeadReader::read(std::size_t header_fields_max) {
  if (const Refusal bad = read_request_line()) return bad;
  request_.headers.clear();
  while (!skip_line_end()) {
    if (request_.headers.size() == header_fields_max) return {431, "The request has too many header fields."};
    if (const Refusal bad = read_field()) return bad;
  }
  return judge_whole();
}

Refusal HeadReader::read_request_line() {
  const Refusal malformed{400, "The request line is malformed."};
  const std::string_view method = take(token_char);
  if (method.empty() || !skip(' ')) return malformed;
  request_.method = method_of(method);
  const std::string_view target = take(target_char);
  if (target.empty() || !skip(' ')) return malformed;
  if (target.size() > target_bytes_max) return {414, "The request target is too long."};
  if (const Refusal bad = read_version()) return bad;
  if (!skip_line_end()) return malformed;
  return read_target(target);
}

Refusal HeadReader::read_version() {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view version = take(target_char);
  if (version.size() != 8 || !version.starts_with("HTTP/") || !is_digit(version[5]) || version[6] != '.' ||
      !is_digit(version[7])) {
    return {400, "The request line is malformed."};
  }
  if (version[5] != '1' || version[7] > '1') return {505, "Only HTTP/1.1 and HTTP/1.0 are spoken here."};
  request_.http_1_0 = version[7] == '0';
  return {};
}

Refusal HeadReader::read_target(std::string_view target) {
  if (target[0] != '/' && !(target == "*" && request_.method == Method::options)) {
    return read_absolute_target(target);
  }
  request_.target = target;
  const std::size_t mark = target.find('?');
  request_.path = target.substr(0, mark);
  request_.query = mark == target.npos ? std::string_view{} : target.substr(mark + 1);
  return {};
}

// A server must accept a target of the form `http://host/path` (RFC 9112, 3.2.2). It is accepted only if its authority
// equals the Host header, so that no other server on the way can assign the request to another host.
Refusal HeadReader::read_absolute_target(std::string_view target) {
  const Refusal malformed{400, "The request target is malformed."};
  const std::size_t scheme_ends = target.find("://");
  if (scheme_ends == target.npos) return malformed;
  const std::string_view scheme = target.substr(0, scheme_ends);
  if (!is_text(scheme, "http") && !is_text(scheme, "https")) return malformed;
  target.remove_prefix(scheme_ends + 3);
  authority_ = target.substr(0, span_of(target, host_char));
  target.remove_prefix(authority_.size());
  if (authority_.empty() || (!target.empty() && target[0] != '/')) return malformed;
  return read_target(target.empty() ? std::string_view("/") : target);
}

Refusal HeadReader::read_field() {
  const std::string_view name = take(token_char);
  if (name.empty() || !skip(':')) return {400, "A header field is malformed."};
  const std::string_view value = trim(take(value_char));
  if (!skip_line_end()) return {400, "A header field holds a forbidden character."};
  request_.headers.push_back({name, value});
  return note_field(name, value);
}

Refusal HeadReader::note_field(std::string_view name, std::string_view value) {
  switch (name.size()) {
    case 4:
      if (is_text(name, "host")) return note_host(value);
      break;
    case 6:
      if (is_text(name, "expect")) return note_expect(value);
      break;
    case 10:
      if (is_text(name, "connection")) note_connection(value);
      break;
    case 14:
      if (is_text(name, "content-length")) return note_content_length(value);
      break;
    case 17:
      if (is_text(name, "transfer-encoding")) return note_transfer_encoding(value);
      break;
    default:
      break;
  }
  return {};
}

Refusal HeadReader::note_content_length(std::string_view value) {
  constexpr std::size_t digits_max = 19;  // a number of this length always fits into 64 bits
  const Refusal malformed{400, "Content-Length must be one plain number, given once."};
  if (has_length_ || value.empty() || value.size() > digits_max) return malformed;
  has_length_ = true;
  for (const char c : value) {
    if (c < '0' || c > '9') return malformed;
    head_.content_length = head_.content_length * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return {};
}

Refusal HeadReader::note_transfer_encoding(std::string_view value) {
  if (head_.chunked || request_.http_1_0) return {400, "Transfer-Encoding is not allowed here."};
  if (is_text(value, "chunked")) {
    head_.chunked = true;
    return {};
  }
  // A single unknown coding is not implemented (501); a list, a parameter or an empty value is malformed.
  if (!value.empty() && all(value, token_char)) return {501, "The only transfer coding spoken here is chunked."};
  return {400, "Transfer-Encoding is malformed."};
}

Refusal HeadReader::note_host(std::string_view value) {
  if (has_host_ || value.empty() || !all(value, host_char)) return {400, "The Host header field is malformed."};
  has_host_ = true;
  host_ = value;
  return {};
}

Refusal HeadReader::note_expect(std::string_view value) {
  if (request_.http_1_0) return {};  // RFC 9110, 10.1.1: ignored
  if (!is_text(value, "100-continue")) return {417, "The only expectation met here is 100-continue."};
  head_.expects_continue = true;
  return {};
}

void HeadReader::note_connection(std::string_view value) {
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view option = trim(value.substr(0, comma));
    says_close_ = says_close_ || is_text(option, "close");
    says_keep_alive_ = says_keep_alive_ || is_text(option, "keep-alive");
    value.remove_prefix(comma == value.npos ? value.size() : comma + 1);
  }
}

Refusal HeadReader::judge_whole() {
  if (head_.chunked && has_length_) return {400, "Content-Length and Transfer-Encoding exclude each other."};
  if (!has_host_ && !request_.http_1_0) return {400, "The Host header field is missing."};
  if (!authority_.empty() && authority_ != host_) return {400, "The request target and the Host header field differ."};
  request_.keep_alive = !says_close_ && (says_keep_alive_ || !request_.http_1_0);
  return {};
}

}  // namespace

HeadParser::State HeadParser::parse(std::string_view bytes, Request& request) {
  // One empty line before a request is accepted (RFC 9112, 2.2), because old clients send one after a body.
  const std::size_t skipped = bytes.starts_with("\r\n") ? 2 : 0;
  const std::string_view text = bytes.substr(skipped);
  if (text.empty() || bytes == "\r") return State::incomplete;
  const State state = scan(text);
  if (state == State::complete) {
    const std::size_t head_bytes = searched_;
    head_ = Head{.bytes = skipped + head_bytes};
    searched_ = line_begins_ = 0;
    const Refusal refusal = HeadReader(text.substr(0, head_bytes), request, head_).read(header_fields_max_);
    if (refusal) return refuse(refusal);
  }
  return state;
}

// Searches line by line for the empty line that ends the head, so that invalid bytes are refused as soon as they
// arrive.
HeadParser::State HeadParser::scan(std::string_view bytes) {
  if (!is_a(bytes[0], token_char)) return refuse({400, "The request line is malformed."});
  const std::string_view allowed = bytes.substr(0, head_bytes_max_);
  while (searched_ < allowed.size()) {
    const std::size_t newline = allowed.find('\n', searched_);
    if (newline == allowed.npos) break;
    if (allowed[newline - 1] != '\r') return refuse({400, "A line ends without a carriage return."});
    searched_ = newline + 1;
    if (newline == line_begins_ + 1) return State::complete;
    line_begins_ = searched_;
  }
  searched_ = allowed.size();
  if (line_begins_ == 0 && searched_ > target_bytes_max + 64) return refuse({414, "The request target is too long."});
  if (bytes.size() <= head_bytes_max_) return State::incomplete;
  if (line_begins_ == 0) return refuse({414, "The request target is too long."});
  return refuse({431, "The request's head is too large."});
}

HeadParser::State HeadParser::refuse(Refusal refusal) {
  refusal_ = refusal;
  searched_ = line_begins_ = 0;
  return State::refused;
}

}  // namespace guildhall::http
