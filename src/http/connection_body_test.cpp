#include <gtest/gtest.h>

#include "http/wire_test.h"
#include "support/eventually.h"

namespace guildhall::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t small = EchoService::small_body_bytes_max;

std::string post(std::string_view path, std::string_view fields, std::string_view body = "") {
  return fmt::format("POST {} HTTP/1.1\r\nHost: h\r\n{}\r\n{}", path, fields, body);
}

std::string sized(std::string_view path, std::string_view body) {
  return post(path, fmt::format("Content-Length: {}\r\n", body.size()), body);
}

std::string chunked(std::string_view path, std::string_view body) {
  return post(path, "Transfer-Encoding: chunked\r\n", fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body));
}

std::string echo(std::string_view path, std::string_view body) {
  return fmt::format("POST {} [{}] from 127.0.0.1", path, body);
}

TEST(ConnectionBody, arrives_sized_and_chunked) {
  WireServer server;
  WireClient client(server);
  client.send(sized("/1", "one") + chunked("/2", "two") + sized("/3", "") + sized("/4", "four"));
  EXPECT_EQ(client.read_reply().body, echo("/1", "one"));
  EXPECT_EQ(client.read_reply().body, echo("/2", "two"));
  EXPECT_EQ(client.read_reply().body, echo("/3", ""));
  EXPECT_EQ(client.read_reply().body, echo("/4", "four"));
}

TEST(ConnectionBody, may_be_split_anywhere) {
  WireServer server;
  const std::string bytes =
      sized("/1", "one") +
      post("/2", "Transfer-Encoding: chunked\r\n", "1;x=y\r\na\r\n2\r\nbc\r\n0\r\nTrailer: t\r\n\r\n") +
      sized("/3", "three");
  for (std::size_t split = 1; split < bytes.size(); ++split) {
    WireClient client(server);
    client.send(bytes.substr(0, split));
    if (split % 7 == 0) server.connections();  // lets the loop see the first piece alone, most likely
    client.send(bytes.substr(split));
    ASSERT_EQ(client.read_reply().body, echo("/1", "one")) << split;
    ASSERT_EQ(client.read_reply().body, echo("/2", "abc")) << split;
    ASSERT_EQ(client.read_reply().body, echo("/3", "three")) << split;
  }
}

TEST(ConnectionBody, may_come_byte_by_byte) {
  WireServer server;
  WireClient client(server);
  client.send_byte_by_byte(chunked("/1", "chunks") + sized("/2", "plain"));
  EXPECT_EQ(client.read_reply().body, echo("/1", "chunks"));
  EXPECT_EQ(client.read_reply().body, echo("/2", "plain"));
}

TEST(ConnectionBody, may_be_larger_than_the_buffer) {
  WireServer server;
  WireClient client(server);
  std::string large(Limits{}.body_bytes_max, 'x');
  for (std::size_t i = 0; i < large.size(); i += 101) large[i] = static_cast<char>('a' + i % 26);
  client.send(sized("/1", large) + chunked("/2", large) + sized("/3", "small"));
  EXPECT_EQ(client.read_reply().body, echo("/1", large));
  EXPECT_EQ(client.read_reply().body, echo("/2", large));
  EXPECT_EQ(client.read_reply().body, echo("/3", "small"));
}

TEST(ConnectionBody, leaves_the_head_readable_behind_a_head_of_full_size) {
  WireServer server;
  WireClient client(server);
  const std::string frame = post("/path", "X-Padding: \r\nContent-Length: 9000\r\n");
  const std::string padding(Limits{}.head_bytes_max - frame.size(), 'p');
  const std::string body(9000, 'b');
  client.send(sized("/first", "1"));
  client.send(post("/path", "X-Padding: " + padding + "\r\nContent-Length: 9000\r\n", body));
  EXPECT_EQ(client.read_reply().body, echo("/first", "1"));
  EXPECT_EQ(client.read_reply().body, echo("/path", body));
}

TEST(ConnectionBody, may_have_exactly_the_limit) {
  WireServer server;
  WireClient client(server);
  const std::string exact(small, 'x');
  client.send(sized("/small", exact) + chunked("/small", exact));
  EXPECT_EQ(client.read_reply().body, echo("/small", exact));
  EXPECT_EQ(client.read_reply().body, echo("/small", exact));
}

TEST(ConnectionBody, over_the_limit_is_not_read) {
  WireServer server;
  const std::string over(small + 1, 'x');
  for (const std::string& bytes : {sized("/small", over), chunked("/small", over)}) {
    WireClient client(server);
    client.send(bytes + sized("/never", ""));
    const Received reply = client.read_reply();
    EXPECT_EQ(reply.status, 413);
    EXPECT_EQ(reply.header("connection"), "close");
    EXPECT_TRUE(client.closed());
  }
}

TEST(ConnectionBody, is_limited_by_the_connection_even_if_the_service_allows_more) {
  WireServer server({.body_bytes_max = 20});
  WireClient exact(server);
  exact.send(sized("/", std::string(20, 'x')));
  EXPECT_EQ(exact.read_reply().status, 200);
  WireClient over(server);
  over.send(post("/", "Content-Length: 21\r\n"));
  EXPECT_EQ(over.read_reply().status, 413) << "answered before the body is sent";
  WireClient huge(server);
  huge.send(post("/", "Content-Length: 9999999999999999999\r\n"));
  EXPECT_EQ(huge.read_reply().status, 413);
}

TEST(ConnectionBody, over_the_limit_does_not_keep_the_client_from_seeing_the_reply) {
  WireServer server;
  WireClient client(server);
  client.send(sized("/small", std::string(900'000, 'x')));
  EXPECT_EQ(client.read_reply().status, 413);
  EXPECT_TRUE(client.closed());
}

TEST(ConnectionBody, is_asked_for_when_the_client_waits_for_that) {
  WireServer server;
  WireClient client(server);
  const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  client.send(sized("/before", "") + post("/1", "Expect: 100-continue\r\nContent-Length: 3\r\n"));
  EXPECT_EQ(client.read_reply().body, echo("/before", ""));
  EXPECT_EQ(client.read(go_on.size()), go_on);
  client.send("one" + post("/2", "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_EQ(client.read_reply().body, echo("/1", "one"));
  EXPECT_EQ(client.read(go_on.size()), go_on);
  client.send("3\r\ntwo\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_reply().body, echo("/2", "two"));
}

TEST(ConnectionBody, is_not_asked_for_when_it_is_there_or_too_large_or_empty) {
  WireServer server;
  WireClient client(server);
  client.send(post("/1", "Expect: 100-continue\r\nContent-Length: 3\r\n", "one"));
  EXPECT_EQ(client.read_reply().status, 200);
  client.send(post("/2", "Expect: 100-continue\r\nContent-Length: 0\r\n"));
  EXPECT_EQ(client.read_reply().status, 200);
  client.send("POST /3 HTTP/1.0\r\nExpect: 100-continue\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n");
  client.send("x");
  EXPECT_EQ(client.read_reply().status, 200);
  client.send(post("/small", "Expect: 100-continue\r\nContent-Length: 11\r\n"));
  EXPECT_EQ(client.read_reply().status, 413);
  EXPECT_TRUE(client.closed());
}

TEST(ConnectionBody, has_a_deadline_in_all) {
  WireServer server({.body_ms_max = 1ms});
  for (const std::string_view framing : {"Content-Length: 10\r\n", "Transfer-Encoding: chunked\r\n"}) {
    WireClient client(server);
    client.send(post("/", framing, "3"));
    EXPECT_EQ(client.read_reply().status, 408);
    EXPECT_TRUE(client.closed());
  }
  EXPECT_EQ(server.service.answered, 0U);
}

TEST(ConnectionBody, that_never_ends_is_no_request) {
  WireServer server;
  WireClient client(server);
  client.send(post("/", "Content-Length: 10\r\n", "half"));
  client.finish_sending();
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server.service.answered, 0U);
}

TEST(Body, is_refused_when_too_many_bytes_are_being_received) {
  Capacity capacity{.request_bytes{100'000, 100'000}};
  WireServer server({}, "127.0.0.1", 0, &capacity);
  const std::string head = "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n";
  WireClient first(server), second(server);
  first.send(head + "begin");
  ASSERT_TRUE(test::eventually([&] { return capacity.request_bytes.held() > 0; }));
  second.send(head + "begin");
  EXPECT_EQ(second.read_reply().status, 503);
  first.send(std::string(60'000 - 5, 'x'));
  EXPECT_EQ(first.read_reply().status, 200);
  WireClient third(server);
  third.send(head + std::string(60'000, 'x'));
  EXPECT_EQ(third.read_reply().status, 200) << "what was answered is free again";
}

TEST(Body, of_an_unusual_size_cannot_keep_usual_ones_out) {
  Capacity capacity{.large_request_bytes{1'000'000, 600'000}};
  WireServer server({.body_bytes_max = 1'000'000}, "127.0.0.1", 0, &capacity);
  const auto head = [](std::size_t bytes) {
    return fmt::format("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n", bytes);
  };
  WireClient first(server), second(server), usual(server);
  first.send(head(500'000) + "begin");
  ASSERT_TRUE(test::eventually([&] { return capacity.large_request_bytes.held() == 500'000; }));
  EXPECT_EQ(capacity.request_bytes.held(), 0U);
  second.send(head(500'000) + "begin");
  EXPECT_EQ(second.read_reply().status, 503) << "more than one address may have";
  usual.send(head(200'000) + std::string(200'000, 'x'));
  EXPECT_EQ(usual.read_reply().status, 200);
  first.send(std::string(500'000 - 5, 'x'));
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_TRUE(test::eventually([&] { return capacity.large_request_bytes.held() == 0; }));
}

}  // namespace
}  // namespace guildhall::http
