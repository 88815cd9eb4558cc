#include "http/head_parser.h"

#include <array>
#include <cstring>
#include <utility>

#include "http/ascii.h"

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

// How many bytes at the beginning are of that class.
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

// Reads the lines of a head whose end has been found; every LF in it is known to follow a CR.
class HeadReader {
 public:
  HeadReader(Request& request, Head& head) : request_(request), head_(head) {}

  Refusal read(std::string_view text, std::size_t header_fields_max);

 private:
  static std::string_view take_line(std::string_view& text);
  Refusal read_request_line(std::string_view line);
  Refusal read_version(std::string_view version);
  Refusal read_target(std::string_view target);
  Refusal read_absolute_target(std::string_view target);
  Refusal read_field(std::string_view line);
  Refusal note_field(std::string_view name, std::string_view value);
  Refusal note_content_length(std::string_view value);
  Refusal note_transfer_encoding(std::string_view value);
  Refusal note_host(std::string_view value);
  Refusal note_expect(std::string_view value);
  void note_connection(std::string_view value);
  Refusal judge_whole();

  Request& request_;
  Head& head_;
  std::string_view authority_;  // of an absolute target
  std::string_view host_;
  bool has_host_ = false;
  bool has_length_ = false;
  bool says_close_ = false;
  bool says_keep_alive_ = false;
};

std::string_view HeadReader::take_line(std::string_view& text) {
  const auto* end = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
  const std::string_view line = text.substr(0, static_cast<std::size_t>(end - text.data()) - 1);
  text.remove_prefix(line.size() + 2);
  return line;
}

Refusal HeadReader::read(std::string_view text, std::size_t header_fields_max) {
  if (const Refusal bad = read_request_line(take_line(text))) return bad;
  request_.headers.clear();
  while (text.size() > 2) {  // the empty line is left
    if (request_.headers.size() == header_fields_max) return {431, "The request has too many header fields."};
    if (const Refusal bad = read_field(take_line(text))) return bad;
  }
  return judge_whole();
}

Refusal HeadReader::read_request_line(std::string_view line) {
  const Refusal malformed{400, "The request line is malformed."};
  const std::size_t method_ends = span_of(line, token_char);
  if (method_ends == 0 || method_ends == line.size() || line[method_ends] != ' ') return malformed;
  request_.method = method_of(line.substr(0, method_ends));
  line.remove_prefix(method_ends + 1);
  const std::size_t target_ends = span_of(line, target_char);
  if (target_ends == 0 || target_ends == line.size() || line[target_ends] != ' ') return malformed;
  if (target_ends > target_bytes_max) return {414, "The request target is too long."};
  if (const Refusal bad = read_version(line.substr(target_ends + 1))) return bad;
  return read_target(line.substr(0, target_ends));
}

Refusal HeadReader::read_version(std::string_view version) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (version.size() != 8 || !version.starts_with("HTTP/") || !digit(version[5]) || version[6] != '.' ||
      !digit(version[7])) {
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

// `http://host/path`: servers must accept it (RFC 9112, 3.2.2). We do when its authority is also the Host
// field's value, so that nobody behind or before us can take the request for another host's.
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

Refusal HeadReader::read_field(std::string_view line) {
  const std::size_t name_ends = span_of(line, token_char);
  if (name_ends == 0 || name_ends == line.size() || line[name_ends] != ':') {
    return {400, "A header field is malformed."};
  }
  const std::string_view value = trim(line.substr(name_ends + 1));
  if (!all(value, value_char)) return {400, "A header field holds a forbidden character."};
  request_.headers.push_back({line.substr(0, name_ends), value});
  return note_field(line.substr(0, name_ends), value);
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
  constexpr std::size_t digits_max = 19;  // always fits 64 bits
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
  // One plain coding is a wish we cannot fulfil; a list, a parameter or an empty value is a trick.
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
  // One empty line before a request is forgiven (RFC 9112, 2.2): old clients send one after a body.
  const std::size_t skipped = bytes.starts_with("\r\n") ? 2 : 0;
  const std::string_view text = bytes.substr(skipped);
  if (text.empty() || bytes == "\r") return State::incomplete;
  const State state = scan(text);
  if (state == State::complete) {
    const std::size_t head_bytes = searched_;
    head_ = Head{.bytes = skipped + head_bytes};
    searched_ = line_begins_ = 0;
    const Refusal refusal = HeadReader(request, head_).read(text.substr(0, head_bytes), header_fields_max_);
    if (refusal) return refuse(refusal);
  }
  return state;
}

// Looks for the empty line that ends the head, line by line, so that wrong bytes are refused when they
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
