#include "http/head_parser.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

using HeadState = HeadParser::State;

constexpr std::size_t head_bytes_max = 16 * 1024;
constexpr std::size_t header_fields_max = 100;

struct HeadOutcome {
  HeadState state;
  int status = 0;
  Head head;
  Request request;
};

HeadOutcome parse(std::string_view bytes) {
  HeadParser parser(head_bytes_max, header_fields_max);
  HeadOutcome outcome{};
  outcome.state = parser.parse(bytes, outcome.request);
  if (outcome.state == HeadState::refused) outcome.status = parser.refusal().status;
  if (outcome.state == HeadState::complete) outcome.head = parser.head();
  return outcome;
}

// A complete request with these lines after the request line and Host.
std::string with_fields(std::string_view fields) {
  return fmt::format("POST /x HTTP/1.1\r\nHost: h\r\n{}\r\n", fields);
}

std::string with_line(std::string_view line) {
  return fmt::format("{}\r\nHost: h\r\n\r\n", line);
}

TEST(HeadParser, reads_a_request) {
  const std::string bytes =
      "GET /a/b?c=d&e HTTP/1.1\r\nHost: example.org:80\r\nX-Empty:\r\nAccept: \t a, b \r\n\r\nrest";
  const HeadOutcome outcome = parse(bytes);
  ASSERT_EQ(outcome.state, HeadState::complete);
  const Request& request = outcome.request;
  EXPECT_EQ(request.method, Method::get);
  EXPECT_EQ(request.target, "/a/b?c=d&e");
  EXPECT_EQ(request.path, "/a/b");
  EXPECT_EQ(request.query, "c=d&e");
  EXPECT_FALSE(request.http_1_0);
  EXPECT_TRUE(request.keep_alive);
  EXPECT_EQ(request.header("host"), "example.org:80");
  EXPECT_EQ(request.header("accept"), "a, b");
  EXPECT_TRUE(request.has_header("x-empty"));
  EXPECT_EQ(request.header("x-empty"), "");
  EXPECT_FALSE(request.has_header("x-other"));
  EXPECT_FALSE(outcome.head.has_body());
  EXPECT_EQ(outcome.head.bytes, bytes.size() - 4);
}

TEST(HeadParser, knows_the_methods_and_lets_the_router_judge_others) {
  const std::pair<std::string_view, Method> table[] = {
      {"GET", Method::get},     {"HEAD", Method::head},       {"POST", Method::post},   {"PUT", Method::put},
      {"PATCH", Method::patch}, {"DELETE", Method::del},      {"TRACE", Method::other}, {"get", Method::other},
      {"BREW!", Method::other}, {"OPTIONS", Method::options},
  };
  for (const auto& [name, method] : table) {
    const std::string bytes = with_line(fmt::format("{} / HTTP/1.1", name));
    const HeadOutcome outcome = parse(bytes);
    ASSERT_EQ(outcome.state, HeadState::complete) << name;
    EXPECT_EQ(outcome.request.method, method) << name;
    if (method != Method::other) EXPECT_EQ(to_string(method), name);
  }
}

TEST(HeadParser, reads_every_form_of_target) {
  struct Row {
    std::string_view line;
    std::string_view path;
    std::string_view query;
  };
  const Row table[] = {
      {"GET / HTTP/1.1", "/", ""},
      {"GET /? HTTP/1.1", "/", ""},
      {"GET /?a?b HTTP/1.1", "/", "a?b"},
      {"GET //x HTTP/1.1", "//x", ""},
      {"GET /%2e%2E/\"<>\\^`{|} HTTP/1.1", "/%2e%2E/\"<>\\^`{|}", ""},
      {"OPTIONS * HTTP/1.1", "*", ""},
      {"GET http://h/x?y HTTP/1.1", "/x", "y"},
      {"GET HTTPS://h HTTP/1.1", "/", ""},
  };
  for (const Row& row : table) {
    const std::string bytes = with_line(row.line);
    const HeadOutcome outcome = parse(bytes);
    ASSERT_EQ(outcome.state, HeadState::complete) << row.line;
    EXPECT_EQ(outcome.request.path, row.path) << row.line;
    EXPECT_EQ(outcome.request.query, row.query) << row.line;
  }
}

class RefusedLine : public testing::TestWithParam<std::pair<std::string, int>> {};

TEST_P(RefusedLine, is_answered_with_its_status) {
  const HeadOutcome outcome = parse(with_line(GetParam().first));
  EXPECT_EQ(outcome.state, HeadState::refused);
  EXPECT_EQ(outcome.status, GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(
    HeadParser, RefusedLine,
    testing::Values(std::pair{"GET /", 400}, std::pair{"GET", 400}, std::pair{"GET  / HTTP/1.1", 400},
                    std::pair{"GET /  HTTP/1.1", 400}, std::pair{"GET / HTTP/1.1 ", 400},
                    std::pair{" GET / HTTP/1.1", 400}, std::pair{"GET\t/ HTTP/1.1", 400},
                    std::pair{"G(T / HTTP/1.1", 400}, std::pair{"GET /a b HTTP/1.1", 400},
                    std::pair{"GET /\x7f HTTP/1.1", 400}, std::pair{"GET /\xc3\xa9 HTTP/1.1", 400},
                    std::pair{"GET /a#b HTTP/1.1", 400}, std::pair{"GET x HTTP/1.1", 400},
                    std::pair{"GET * HTTP/1.1", 400}, std::pair{"OPTIONS ** HTTP/1.1", 400},
                    std::pair{"CONNECT h:80 HTTP/1.1", 400}, std::pair{"GET ftp://h/ HTTP/1.1", 400},
                    std::pair{"GET http:///x HTTP/1.1", 400}, std::pair{"GET http://h?x HTTP/1.1", 400},
                    std::pair{"GET http://u@h/ HTTP/1.1", 400}, std::pair{"GET http://other/ HTTP/1.1", 400},
                    std::pair{"GET / http/1.1", 400}, std::pair{"GET / HTTP/1", 400}, std::pair{"GET / HTTP/11", 400},
                    std::pair{"GET / HTTP/1.10", 400}, std::pair{"GET / HTTP/x.y", 400},
                    std::pair{"GET / HTTP/1.2", 505}, std::pair{"GET / HTTP/2.0", 505},
                    std::pair{"PRI * HTTP/2.0", 505}, std::pair{"GET / HTTP/0.9", 505}));

class RefusedFields : public testing::TestWithParam<std::pair<std::string, int>> {};

TEST_P(RefusedFields, are_answered_with_their_status) {
  const HeadOutcome outcome = parse(with_fields(GetParam().first));
  EXPECT_EQ(outcome.state, HeadState::refused);
  EXPECT_EQ(outcome.status, GetParam().second);
}

using namespace std::string_literals;

INSTANTIATE_TEST_SUITE_P(
    HeadParser, RefusedFields,
    testing::Values(
        // Form of a field.
        std::pair{"A : b\r\n"s, 400}, std::pair{"A\t: b\r\n"s, 400}, std::pair{": b\r\n"s, 400},
        std::pair{"A b: c\r\n"s, 400}, std::pair{"no colon\r\n"s, 400}, std::pair{"\xc3\xa9: b\r\n"s, 400},
        std::pair{"A: b\r\n folded\r\n"s, 400}, std::pair{"A: b\r\n\tfolded\r\n"s, 400},
        std::pair{"A: b\nB: c\r\n"s, 400}, std::pair{"A: b\rB: c\r\n"s, 400}, std::pair{"A: b\r\r\n"s, 400},
        std::pair{"A: \0\r\n"s, 400}, std::pair{"A: \x01\r\n"s, 400}, std::pair{"A: \x7f\r\n"s, 400},
        std::pair{"A\0: b\r\n"s, 400}, std::pair{"A: b\n\n"s, 400},
        // Content-Length.
        std::pair{"Content-Length:\r\n"s, 400}, std::pair{"Content-Length: -1\r\n"s, 400},
        std::pair{"Content-Length: +1\r\n"s, 400}, std::pair{"Content-Length: 1 1\r\n"s, 400},
        std::pair{"Content-Length: 0x10\r\n"s, 400}, std::pair{"Content-Length: 1.0\r\n"s, 400},
        std::pair{"Content-Length: 5, 5\r\n"s, 400}, std::pair{"Content-Length: 5\r\ncontent-length: 5\r\n"s, 400},
        std::pair{"Content-Length: 5\r\nContent-Length: 6\r\n"s, 400},
        std::pair{"Content-Length: 18446744073709551617\r\n"s, 400},
        std::pair{"Content-Length: 00000000000000000001\r\n"s, 400},
        // Transfer-Encoding.
        std::pair{"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"s, 400},
        std::pair{"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"s, 400},
        std::pair{"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"s, 400},
        std::pair{"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"s, 400},
        std::pair{"Transfer-Encoding: gzip, chunked\r\n"s, 400},
        std::pair{"Transfer-Encoding: chunked, chunked\r\n"s, 400},
        std::pair{"Transfer-Encoding: chunked, identity\r\n"s, 400},
        std::pair{"Transfer-Encoding: chunked;q=1\r\n"s, 400}, std::pair{"Transfer-Encoding: \"chunked\"\r\n"s, 400},
        std::pair{"Transfer-Encoding:\r\n"s, 400}, std::pair{"Transfer-Encoding: gzip\r\n"s, 501},
        std::pair{"Transfer-Encoding: identity\r\n"s, 501}, std::pair{"Transfer-Encoding: xchunked\r\n"s, 501},
        std::pair{"Transfer-Encoding : chunked\r\n"s, 400}, std::pair{"Transfer-Encoding\r\n"s, 400},
        std::pair{"Transfer-Encoding: \x0b chunked\r\n"s, 400},
        // Host and Expect.
        std::pair{"Host: h\r\n"s, 400}, std::pair{"Expect: 200-ok\r\n"s, 417}));

TEST(HeadParser, wants_one_host_from_http_1_1) {
  const std::pair<std::string_view, bool> table[] = {
      {"GET / HTTP/1.1\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost:\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", true},
      {"GET / HTTP/1.0\r\n\r\n", true},
      {"GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", false},
  };
  for (const auto& [bytes, good] : table) {
    EXPECT_EQ(parse(bytes).state, good ? HeadState::complete : HeadState::refused) << bytes;
  }
}

TEST(HeadParser, frames_the_body) {
  EXPECT_EQ(parse(with_fields("Content-Length: 0\r\n")).head.has_body(), false);
  EXPECT_EQ(parse(with_fields("content-LENGTH:  042 \r\n")).head.content_length, 42U);
  EXPECT_EQ(parse(with_fields("Content-Length: 9999999999999999999\r\n")).head.content_length,
            9'999'999'999'999'999'999U);
  EXPECT_TRUE(parse(with_fields("Transfer-Encoding: chunked\r\n")).head.chunked);
  EXPECT_TRUE(parse(with_fields("transfer-encoding: Chunked\r\n")).head.chunked);
  EXPECT_TRUE(parse(with_fields("Expect: 100-Continue\r\n")).head.expects_continue);
  EXPECT_EQ(parse("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n").status, 400);
  EXPECT_FALSE(parse("POST / HTTP/1.0\r\nExpect: whatever\r\n\r\n").head.expects_continue);
}

TEST(HeadParser, decides_whether_the_connection_stays) {
  const std::pair<std::string_view, bool> table[] = {
      {"GET / HTTP/1.1\r\nHost: h\r\n", true},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n", false},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade ,\tclose\r\n", false},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nConnection: close\r\n", false},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: closed,, ,not-close\r\n", true},
      {"GET / HTTP/1.0\r\n", false},
      {"GET / HTTP/1.0\r\nConnection: x, Keep-Alive\r\n", true},
      {"GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n", false},
  };
  for (const auto& [head, stays] : table) {
    const std::string bytes = std::string(head) + "\r\n";
    const HeadOutcome outcome = parse(bytes);
    ASSERT_EQ(outcome.state, HeadState::complete) << head;
    EXPECT_EQ(outcome.request.keep_alive, stays) << head;
  }
}

TEST(HeadParser, allows_tabs_and_high_bytes_in_values) {
  const std::string bytes = with_fields("A: b\tc \xc3\xa9 \xff\r\n");
  EXPECT_EQ(parse(bytes).request.header("a"), "b\tc \xc3\xa9 \xff");
}

TEST(HeadParser, forgives_one_empty_line_before_a_request) {
  EXPECT_EQ(parse("\r\n").state, HeadState::incomplete);
  EXPECT_EQ(parse("\r").state, HeadState::incomplete);
  const std::string once = "\r\n" + with_fields("");
  EXPECT_EQ(parse(once).state, HeadState::complete);
  EXPECT_EQ(parse(once).head.bytes, once.size());
  EXPECT_EQ(parse("\r\n" + once).status, 400);
  EXPECT_EQ(parse("\n" + with_fields("")).status, 400);
  EXPECT_EQ(parse("\rGET / HTTP/1.1\r\n").status, 400);
}

TEST(HeadParser, refuses_wrong_bytes_before_the_head_is_complete) {
  EXPECT_EQ(parse("GET / HTTP/1.1\n").status, 400);
  EXPECT_EQ(parse("\x16\x03\x01").status, 400);  // somebody speaks TLS
  EXPECT_EQ(parse(" ").status, 400);
}

TEST(HeadParser, reads_the_same_in_any_pieces) {
  const std::string bytes = "\r\nPOST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET";
  const std::size_t head_bytes = bytes.find("abc");
  HeadParser parser(head_bytes_max, header_fields_max);
  Request request;
  for (std::size_t n = 0; n < head_bytes; ++n) {
    ASSERT_EQ(parser.parse(std::string_view(bytes).substr(0, n), request), HeadState::incomplete) << n;
  }
  ASSERT_EQ(parser.parse(bytes, request), HeadState::complete);
  EXPECT_EQ(parser.head().bytes, head_bytes);
  EXPECT_EQ(request.path, "/a");
  ASSERT_EQ(parser.parse(bytes, request), HeadState::complete) << "the parser begins anew by itself";
}

TEST(HeadParser, limits_the_target) {
  const auto with_target_of = [](std::size_t size) {
    return with_line("GET /" + std::string(size - 1, 'a') + " HTTP/1.1");
  };
  EXPECT_EQ(parse(with_target_of(target_bytes_max)).state, HeadState::complete);
  EXPECT_EQ(parse(with_target_of(target_bytes_max + 1)).status, 414);
  EXPECT_EQ(parse("GET /" + std::string(target_bytes_max + 64, 'a')).status, 414) << "before the line has ended";
}

TEST(HeadParser, limits_the_head) {
  const auto with_head_of = [](std::size_t size) {
    const std::size_t frame = with_fields("A: \r\n").size();
    return with_fields("A: " + std::string(size - frame, 'a') + "\r\n");
  };
  EXPECT_EQ(parse(with_head_of(head_bytes_max)).state, HeadState::complete);
  EXPECT_EQ(parse(with_head_of(head_bytes_max + 1)).status, 431);
  EXPECT_EQ(parse(with_head_of(head_bytes_max * 2)).status, 431);
  EXPECT_EQ(parse(with_head_of(head_bytes_max + 1).substr(0, head_bytes_max)).state, HeadState::incomplete);
}

TEST(HeadParser, limits_the_number_of_fields) {
  const auto with_count = [](std::size_t count) {
    std::string fields;
    for (std::size_t i = 1; i < count; ++i) fields += "A: b\r\n";  // one is Host
    return with_fields(fields);
  };
  EXPECT_EQ(parse(with_count(header_fields_max)).state, HeadState::complete);
  EXPECT_EQ(parse(with_count(header_fields_max + 1)).status, 431);
}

}  // namespace
}  // namespace guildhall::http
