#include "http/write_reply.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

std::string written(const Reply& reply, ReplyForm form = {}) {
  form.request_id = "id-1";
  form.date_line = "Date: today\r\n";
  std::string out;
  append_reply(out, reply, form);
  return out;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

TEST(WriteReply, sends_what_every_reply_carries) {
  EXPECT_EQ(written({.body = R"({"status":"ok"})"}),
            "HTTP/1.1 200 OK\r\n"
            "Date: today\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Referrer-Policy: no-referrer\r\n"
            "X-Frame-Options: DENY\r\n"
            "Cache-Control: no-store\r\n"
            "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
            "Content-Type: application/json\r\n"
            "Content-Length: 15\r\n"
            "x-request-id: id-1\r\n"
            "\r\n"
            R"({"status":"ok"})");
}

TEST(WriteReply, lets_a_reply_replace_the_defaults) {
  const std::string out = written(Reply{}.with("cache-control", "max-age=60").with("X-FRAME-OPTIONS", "SAMEORIGIN"));
  EXPECT_EQ(count(out, "no-store"), 0U);
  EXPECT_EQ(count(out, "DENY"), 0U);
  EXPECT_EQ(count(out, "cache-control: max-age=60\r\n"), 1U);
  EXPECT_EQ(count(out, "X-FRAME-OPTIONS: SAMEORIGIN\r\n"), 1U);
  EXPECT_EQ(count(out, "Referrer-Policy: no-referrer\r\n"), 1U);
}

TEST(WriteReply, keeps_every_header_of_the_same_name) {
  const std::string out = written(Reply{}.with("Set-Cookie", "a=1").with("Set-Cookie", "b=2"));
  EXPECT_EQ(count(out, "Set-Cookie: "), 2U);
}

TEST(WriteReply, never_lets_a_value_begin_a_line) {
  const std::string evil =
      "a\r\nX-Evil: 1\r\n\r\nbody\nb\0c\x7f"
      "d\te";
  const std::string out = written(Reply{}.with("Location", std::string(evil) + std::string("\0", 1)));
  EXPECT_EQ(count(out, "\nX-Evil"), 0U);
  EXPECT_EQ(count(out, "\r\n\r\n"), 1U);
  EXPECT_EQ(out.find('\0'), out.npos);
  EXPECT_EQ(count(out, "\r\nLocation: a  X-Evil: 1    body b"), 1U);
}

TEST(WriteReply, leaves_out_headers_that_belong_to_the_wire) {
  Reply reply;
  reply.with("Content-Length", "7").with("transfer-encoding", "chunked").with("Connection", "x").with("date", "x");
  reply.with("X-Request-Id", "forged");
  const std::string out = written(reply);
  EXPECT_EQ(count(out, "Content-Length: 0\r\n"), 1U);
  EXPECT_EQ(count(out, "ontent-Length"), 1U);
  for (const auto* part : {"ransfer-", "onnection", "date: x", "forged"}) EXPECT_EQ(count(out, part), 0U) << part;
}

TEST(WriteReply, drops_the_body_for_head_and_keeps_its_length) {
  const std::string out = written({.body = "12345"}, {.head_only = true});
  EXPECT_EQ(count(out, "Content-Length: 5\r\n"), 1U);
  EXPECT_TRUE(out.ends_with("\r\n\r\n"));
}

TEST(WriteReply, sends_no_body_with_204_and_304) {
  for (const int status : {204, 304}) {
    const std::string out = written({.status = status, .body = "12345"});
    EXPECT_EQ(count(out, "\r\nContent-"), 1U) << "the security policy only";
    EXPECT_TRUE(out.ends_with("\r\n\r\n"));
  }
}

TEST(WriteReply, says_whether_the_connection_stays) {
  EXPECT_EQ(count(written({}), "Connection:"), 0U);
  EXPECT_EQ(count(written({}, {.close = true}), "Connection: close\r\n"), 1U);
  EXPECT_EQ(count(written({}, {.http_1_0 = true}), "Connection: keep-alive\r\n"), 1U);
  EXPECT_EQ(count(written({}, {.http_1_0 = true, .close = true}), "Connection: close\r\n"), 1U);
}

TEST(WriteReply, names_the_status) {
  const std::pair<int, std::string_view> table[] = {
      {201, "HTTP/1.1 201 Created\r\n"},
      {404, "HTTP/1.1 404 Not Found\r\n"},
      {413, "HTTP/1.1 413 Content Too Large\r\n"},
      {505, "HTTP/1.1 505 HTTP Version Not Supported\r\n"},
      {418, "HTTP/1.1 418 \r\n"},
      {0, "HTTP/1.1 500 Internal Server Error\r\n"},
      {1000, "HTTP/1.1 500 Internal Server Error\r\n"},
  };
  for (const auto& [status, line] : table) EXPECT_TRUE(written({.status = status}).starts_with(line)) << status;
}

TEST(WriteReply, leaves_out_an_empty_content_type) {
  const std::string out = written({.status = 302, .content_type = ""});
  EXPECT_EQ(count(out, "Content-Type:"), 0U);
  EXPECT_EQ(count(out, "Content-Length: 0\r\n"), 1U);
}

TEST(WriteReply, frames_a_stream_for_the_version_that_asked) {
  Reply reply{.body = "first"};
  reply.more = [](std::string&) -> Task<bool> { co_return false; };
  const auto frame = [&](ReplyForm form, std::string& out) { return append_reply(out, reply, form); };

  std::string chunked;
  EXPECT_EQ(frame({}, chunked), BodyFraming::chunked);
  EXPECT_EQ(count(chunked, "Transfer-Encoding: chunked\r\n"), 1U);
  EXPECT_EQ(count(chunked, "Content-Length"), 0U);
  EXPECT_TRUE(chunked.ends_with("\r\n\r\n5\r\nfirst\r\n"));

  std::string plain;
  EXPECT_EQ(frame({.http_1_0 = true, .close = true}, plain), BodyFraming::until_close);
  EXPECT_EQ(count(plain, "Transfer-Encoding"), 0U);
  EXPECT_EQ(count(plain, "Content-Length"), 0U);
  EXPECT_TRUE(plain.ends_with("\r\n\r\nfirst"));

  std::string head;
  EXPECT_EQ(frame({.head_only = true}, head), BodyFraming::whole);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST(WriteReply, writes_chunks) {
  std::string out;
  append_chunk(out, std::string(26, 'a'));
  append_chunk(out, {});
  EXPECT_EQ(out, "1a\r\n" + std::string(26, 'a') + "\r\n0\r\n\r\n");
}

TEST(WriteReply, writes_dates_as_http_wants_them) {
  EXPECT_EQ(date_line(784111777), "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
}

}  // namespace
}  // namespace guildhall::http
