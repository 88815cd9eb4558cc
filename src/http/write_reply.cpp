#include "http/write_reply.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>

#include "base/ascii.h"

namespace guildhall::http {
namespace {

struct Reason {
  int status;
  std::string_view text;
};

constexpr Reason reasons[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

// A header that is sent with every reply that does not set it itself.
struct DefaultHeader {
  std::string_view lower_case_name;
  std::string_view line;
};

constexpr DefaultHeader default_headers[] = {
    {"x-content-type-options", "X-Content-Type-Options: nosniff\r\n"},
    {"referrer-policy", "Referrer-Policy: no-referrer\r\n"},
    {"x-frame-options", "X-Frame-Options: DENY\r\n"},
    {"cache-control", "Cache-Control: no-store\r\n"},
    {"content-security-policy", "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"},
};

constexpr std::string_view wire_headers[] = {"connection", "content-length", "transfer-encoding", "date",
                                             "x-request-id"};

// All default headers in one text, because most replies set none of them.
constexpr auto all_default_lines = [] {
  constexpr std::size_t size = [] {
    std::size_t sum = 0;
    for (const DefaultHeader& header : default_headers) sum += header.line.size();
    return sum;
  }();
  std::array<char, size> joined{};
  auto at = joined.begin();
  for (const DefaultHeader& header : default_headers) at = std::ranges::copy(header.line, at).out;
  return joined;
}();

void append_number(std::string& out, std::size_t number, int base = 10) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  out.append(digits.data(), end);
}

void append_status_line(std::string& out, int status) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
    return;
  }
  if (status < 200 || status > 599) status = 500;
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::size_t>(status));
  out += ' ';
  const auto* found = std::ranges::lower_bound(reasons, status, {}, &Reason::status);
  if (found != std::end(reasons) && found->status == status) out += found->text;
  out += "\r\n";
}

void append_value(std::string& out, std::string_view value) {
  const std::size_t begin = out.size();
  out += value;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
      [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }, ' ');
}

bool belongs_to_wire(std::string_view name) {
  return std::ranges::any_of(wire_headers, [&](std::string_view own) { return is_text(name, own); });
}

void append_headers(std::string& out, const Reply& reply) {
  if (reply.headers.empty()) {
    out.append(all_default_lines.data(), all_default_lines.size());
    return;
  }
  for (const DefaultHeader& header : default_headers) {
    const bool given =
        std::ranges::any_of(reply.headers, [&](const auto& own) { return is_text(own.first, header.lower_case_name); });
    if (!given) out += header.line;
  }
  for (const auto& [name, value] : reply.headers) {
    if (belongs_to_wire(name)) continue;
    out += name;
    out += ": ";
    append_value(out, value);
    out += "\r\n";
  }
}

bool is_bodiless(const Reply& reply) {
  return reply.status == 204 || reply.status == 304;
}

BodyFraming framing_of(const Reply& reply, const ReplyForm& form, bool bodiless) {
  if (!reply.more || bodiless) return BodyFraming::whole;
  return form.http_1_0 ? BodyFraming::until_close : BodyFraming::chunked;
}

}  // namespace

BodyFraming append_reply(std::string& out, const Reply& reply, const ReplyForm& form) {
  const bool bodiless = is_bodiless(reply);
  const BodyFraming framing = framing_of(reply, form, bodiless);
  append_status_line(out, reply.status);
  out += form.date_line;
  append_headers(out, reply);
  if (!bodiless && !reply.content_type.empty()) {
    out += "Content-Type: ";
    out += reply.content_type;
    out += "\r\n";
  }
  if (framing == BodyFraming::chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (framing == BodyFraming::whole && !bodiless) {
    out += "Content-Length: ";
    append_number(out, reply.body.size());
    out += "\r\n";
  }
  if (form.close) {
    out += "Connection: close\r\n";
  } else if (form.http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  out += "x-request-id: ";
  out += form.request_id;
  out += "\r\n\r\n";
  if (!has_body(reply, form)) return BodyFraming::whole;
  if (form.body_apart) return framing;
  if (framing != BodyFraming::chunked) {
    out += reply.body;
  } else if (!reply.body.empty()) {
    append_chunk(out, reply.body);
  }
  return framing;
}

bool has_body(const Reply& reply, const ReplyForm& form) {
  return !is_bodiless(reply) && !form.head_only;
}

void append_chunk_size(std::string& out, std::size_t bytes) {
  append_number(out, bytes, 16);
  out += "\r\n";
}

void append_chunk(std::string& out, std::string_view piece) {
  append_chunk_size(out, piece.size());
  out += piece;
  out += "\r\n";
}

std::string date_line(std::time_t seconds) {
  constexpr std::array days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("Date: {}, {:02} {} {:04} {:02}:{:02}:{:02} GMT\r\n", days[static_cast<std::size_t>(utc.tm_wday)],
                     utc.tm_mday, months[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour,
                     utc.tm_min, utc.tm_sec);
}

}  // namespace guildhall::http
