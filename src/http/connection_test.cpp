#include <gtest/gtest.h>

#include "http/wire_test.h"

namespace guildhall::http {
namespace {

using namespace std::chrono_literals;

std::string get(std::string_view target, std::string_view fields = "") {
  return fmt::format("GET {} HTTP/1.1\r\nHost: h\r\n{}\r\n", target, fields);
}

TEST(Connection, answers_a_request) {
  WireServer server;
  WireClient client(server);
  client.send(get("/a?b"));
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "GET /a?b [] from 127.0.0.1");
  EXPECT_EQ(reply.header("connection"), "");
  EXPECT_EQ(reply.header("date").size(), std::string_view("Sun, 06 Nov 1994 08:49:37 GMT").size());
}

TEST(Connection, answers_what_comes_byte_by_byte) {
  WireServer server;
  WireClient client(server);
  client.send_byte_by_byte("\r\nPOST /slowly HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello" + get("/next"));
  EXPECT_EQ(client.read_reply().body, "POST /slowly [hello] from 127.0.0.1");
  EXPECT_EQ(client.read_reply().body, "GET /next [] from 127.0.0.1");
}

TEST(Connection, answers_pipelined_requests_in_order) {
  WireServer server;
  WireClient client(server);
  std::string requests;
  for (int i = 0; i < 16; ++i) {
    requests += i % 2 == 0 ? get(fmt::format("/{}", i))
                           : fmt::format("POST /{} HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{:02}", i, i);
  }
  client.send(requests);
  for (int i = 0; i < 16; ++i) {
    const std::string expected = i % 2 == 0 ? fmt::format("GET /{} [] ", i) : fmt::format("POST /{} [{:02}] ", i, i);
    EXPECT_TRUE(client.read_reply().body.starts_with(expected)) << i;
  }
}

TEST(Connection, answers_more_pipelined_requests_than_its_buffer_holds) {
  WireServer server;
  WireClient client(server);
  const std::string padding = "X-Padding: " + std::string(1000, 'x') + "\r\n";
  std::thread sender([&] {
    for (int i = 0; i < 500; ++i) client.send(get(fmt::format("/n{}", i), padding));
  });
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(client.read_reply().body, fmt::format("GET /n{} [] from 127.0.0.1", i));
  }
  sender.join();
}

TEST(Connection, answers_good_requests_before_it_refuses_a_bad_one) {
  WireServer server;
  WireClient client(server);
  client.send(get("/1") + get("/2") + "BAD\r\n\r\n" + get("/3"));
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(client.read_reply().status, 200);
  const Received refusal = client.read_reply();
  EXPECT_EQ(refusal.status, 400);
  EXPECT_EQ(refusal.header("connection"), "close");
  EXPECT_EQ(refusal.header("x-content-type-options"), "nosniff");
  EXPECT_EQ(refusal.header("x-request-id").size(), 36U);
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server.service.answered, 2U);
}

class RefusedBytes : public testing::TestWithParam<std::pair<std::string, int>> {};

TEST_P(RefusedBytes, are_answered_and_the_connection_is_closed) {
  WireServer server;
  WireClient client(server);
  client.send(GetParam().first);
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.status, GetParam().second);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server.service.answered, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Connection, RefusedBytes,
    testing::Values(
        std::pair{"GET / HTTP/1.1\nHost: h\n\n", 400}, std::pair{"GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400},
        std::pair{"GET / HTTP/1.1\r\n\r\n", 400}, std::pair{"GET / HTTP/3.0\r\nHost: h\r\n\r\n", 505},
        std::pair{"GET /" + std::string(9000, 'a'), 414},
        std::pair{"GET / HTTP/1.1\r\nA: " + std::string(100'000, 'a'), 431},
        std::pair{"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
                  400},
        std::pair{"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: br\r\n\r\n", 501},
        std::pair{"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
        std::pair{"POST / HTTP/1.1\r\nHost: h\r\nExpect: magic\r\nContent-Length: 4\r\n\r\n", 417}));

TEST(Connection, keeps_or_makes_the_request_id) {
  WireServer server;
  WireClient client(server);
  const std::string longest(64, 'a');
  for (const std::string& kept : {std::string("Ab.9_-"), longest}) {
    client.send(get("/", fmt::format("X-Request-ID: {}\r\n", kept)));
    EXPECT_EQ(client.read_reply().header("x-request-id"), kept);
  }
  for (const std::string& replaced : {std::string("a b"), std::string(), longest + "a", std::string("<x>")}) {
    client.send(get("/", fmt::format("X-Request-ID: {}\r\n", replaced)));
    EXPECT_EQ(client.read_reply().header("x-request-id").size(), 36U) << replaced;
  }
}

TEST(Connection, closes_when_asked_to) {
  WireServer server;
  WireClient client(server);
  client.send(get("/", "Connection: close\r\n") + get("/never"));
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST(Connection, closes_after_http_1_0_unless_asked_not_to) {
  WireServer server;
  WireClient stays(server);
  stays.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(stays.read_reply().header("connection"), "keep-alive");
  stays.send("GET /2 HTTP/1.0\r\n\r\n");
  EXPECT_EQ(stays.read_reply().header("connection"), "close");
  EXPECT_TRUE(stays.closed());
}

TEST(Connection, answers_a_client_that_has_finished_sending) {
  WireServer server;
  WireClient client(server);
  client.send(get("/1") + get("/2"));
  client.finish_sending();
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_TRUE(client.closed());
}

TEST(Connection, sends_no_body_where_there_is_none) {
  WireServer server;
  WireClient client(server);
  client.send("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\n" + get("/204") + get("/304") +
              "HEAD /stream?2 HTTP/1.1\r\nHost: h\r\n\r\n" + get("/last"));
  EXPECT_EQ(client.read_reply(true).header("content-length"), "25");
  EXPECT_EQ(client.read_reply().status, 204);
  EXPECT_EQ(client.read_reply().status, 304);
  EXPECT_EQ(client.read_reply(true).header("content-length"), "");
  EXPECT_EQ(client.read_reply().body, "GET /last [] from 127.0.0.1");
}

TEST(Connection, streams_a_long_reply_in_chunks) {
  WireServer server;
  WireClient client(server);
  client.send(get("/stream?2") + get("/next"));
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.body, "6\r\nbegin \r\n8\r\npiece 2 \r\n8\r\npiece 1 \r\n0\r\n\r\n");
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(Connection, streams_to_http_1_0_until_it_closes) {
  WireServer server;
  WireClient client(server);
  client.send("GET /stream?2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.read_reply().header("connection"), "close");
  EXPECT_EQ(client.read_to_end(), "begin piece 2 piece 1 ");
  EXPECT_FALSE(client.was_reset);
}

TEST(Connection, breaks_off_a_stream_that_fails) {
  WireServer server;
  WireClient client(server);
  client.send(get("/good") + get("/stream?2!") + get("/never"));
  EXPECT_EQ(client.read_reply().status, 200) << "what was answered before is not lost";
  EXPECT_EQ(client.read_reply(true).status, 200);
  EXPECT_EQ(client.read_to_end(), "6\r\nbegin \r\n8\r\npiece 2 \r\n8\r\npiece 1 \r\n") << "without the last chunk";
  EXPECT_EQ(server.service.answered, 2U);
}

TEST(Connection, resets_a_stream_that_fails_in_http_1_0) {
  WireServer server;
  WireClient client(server);
  client.send("GET /stream?2! HTTP/1.0\r\n\r\n");
  client.read_to_end();
  EXPECT_TRUE(client.was_reset) << "otherwise the body would look complete";
}

TEST(Connection, sends_a_large_reply_to_a_slow_reader) {
  WireServer server;
  WireClient client(server);
  client.send(get("/large") + get("/next"));
  EXPECT_EQ(client.read_reply().body.size(), 8'000'000U);
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(Connection, gives_up_on_a_client_that_reads_nothing) {
  WireServer server({.write_ms_max = 1ms});
  WireClient client(server);
  client.send(get("/large"));
  server.wait_for_answers(1);
  server.wait_for_connections(0);
  EXPECT_LT(client.read_to_end().size(), 8'000'000U) << "the reply was not sent to its end";
}

TEST(Connection, closes_when_too_many_bytes_wait_for_slow_readers) {
  Capacity capacity{.reply_bytes{1000, 1000}};
  WireServer server({}, "127.0.0.1", 0, &capacity);
  WireClient client(server);
  // A client that reads nothing: replies pile up until the system takes no more.
  const std::string many = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += get("/medium");
    return text;
  }();
  std::thread sender([&] { client.send(many); });
  server.wait_for_connections(0);
  sender.join();
  EXPECT_EQ(capacity.reply_bytes.held(), 0U);
}

TEST(Connection, answers_503_when_the_service_takes_too_long) {
  WireServer server({.answer_ms_max = 1ms});
  WireClient client(server);
  client.send(get("/wait") + get("/next"));
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server.connections(), 1U) << "what the service uses stays until it has finished";
  server.open_gate();
  server.wait_for_connections(0);
  EXPECT_EQ(server.service.answered, 1U);
}

TEST(Connection, answers_earlier_requests_before_one_that_takes_too_long) {
  WireServer server({.answer_ms_max = 1ms});
  WireClient client(server);
  client.send(get("/first") + get("/wait"));
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_EQ(client.read_reply().status, 503);
  server.open_gate();
  server.wait_for_connections(0);
}

TEST(Connection, breaks_off_a_stream_whose_next_piece_takes_too_long) {
  WireServer server({.answer_ms_max = 1ms});
  WireClient client(server);
  client.send(get("/stream?wait"));
  EXPECT_EQ(client.read_reply(true).status, 200);
  client.read_to_end();
  EXPECT_TRUE(client.was_reset) << "otherwise the body would look complete";
  server.open_gate();
  server.wait_for_connections(0);
}

TEST(Connection, sends_large_pieces_as_chunks) {
  WireServer server;
  WireClient client(server);
  client.send(get("/large-stream") + get("/next"));
  EXPECT_EQ(client.read_reply(true).header("transfer-encoding"), "chunked");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.read(7), "186a0\r\n");
    EXPECT_EQ(client.read(100'000), std::string(100'000, 'y'));
    EXPECT_EQ(client.read(2), "\r\n");
  }
  EXPECT_EQ(client.read(5), "0\r\n\r\n");
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(Connection, answers_408_to_a_slow_head) {
  WireServer server({.head_ms_max = 1ms});
  WireClient client(server);
  client.send("GET / HTTP/1.1\r\nHo");
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.status, 408);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST(Connection, gives_a_head_one_deadline_however_it_trickles_in) {
  WireServer server({.head_ms_max = 300ms});
  WireClient client(server);
  std::atomic<bool> answered = false;
  std::thread trickle([&] {
    client.send("GET / HTTP/1.1\r\nA: ");
    while (!answered) {
      client.send("a");
      std::this_thread::sleep_for(5ms);
    }
  });
  EXPECT_EQ(client.read_reply().status, 408);
  answered = true;
  trickle.join();
}

TEST(Connection, closes_silently_when_idle) {
  WireServer server({.idle_ms_max = 1ms});
  WireClient fresh(server);
  EXPECT_TRUE(fresh.closed());
  WireClient used(server);
  used.send(get("/"));
  EXPECT_EQ(used.read_reply().status, 200);
  EXPECT_TRUE(used.closed());
}

TEST(Connection, counts_an_empty_line_after_a_request_as_idle) {
  WireServer server({.head_ms_max = 1ms, .idle_ms_max = 600ms});
  WireClient client(server);
  client.send(get("/") + "\r\n");
  EXPECT_EQ(client.read_reply().status, 200);
  EXPECT_TRUE(client.closed()) << "no 408";
}

TEST(Connection, survives_whatever_bytes_arrive) {
  WireServer server;
  std::uint64_t random = 42;
  const std::string_view pieces[] = {"GET / HTTP/1.1\r\n",
                                     "Host: h\r\n",
                                     "\r\n",
                                     "Content-Length: 3\r\n",
                                     "abc",
                                     "\n",
                                     "Transfer-Encoding: chunked\r\n",
                                     "5\r\nhello\r\n",
                                     "0\r\n\r\n",
                                     ":",
                                     "\r",
                                     std::string_view("\0", 1),
                                     "POST /small HTTP/1.0\r\n",
                                     "Expect: 100-continue\r\n"};
  for (int round = 0; round < 200; ++round) {
    WireClient client(server);
    for (int i = 0; i < 12; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      client.send(pieces[(random >> 33) % std::size(pieces)]);
    }
    client.finish_sending();
    client.read_to_end();
  }
  WireClient client(server);
  client.send(get("/"));
  EXPECT_EQ(client.read_reply().status, 200);
}

}  // namespace
}  // namespace guildhall::http
