#include <gtest/gtest.h>

#include "http/wire_test.h"

namespace guildhall::http {
namespace {

using namespace std::chrono_literals;

const std::string get_live = "GET /live HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string live_begin = "6\r\nbegin \r\n", live_piece = "6\r\npiece \r\n", live_end = "0\r\n\r\n";

TEST(LiveReply, begins_at_once_and_has_no_deadline) {
  WireServer server({.idle_ms_max = 100ms, .answer_ms_max = 100ms});
  WireClient live(server), late(server);
  live.send(get_live);
  EXPECT_EQ(live.read_reply(true).header("transfer-encoding"), "chunked");
  EXPECT_EQ(live.read(live_begin.size()), live_begin);
  late.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(late.read_reply().status, 503) << "the deadline of a request that began later has passed";
  server.open_gate();
  EXPECT_EQ(live.read(live_piece.size()), live_piece);
}

TEST(LiveReply, ends_when_the_server_drains_or_stops) {
  for (const bool drains : {true, false}) {
    WireServer server;
    WireClient live(server);
    live.send(get_live);
    live.read_reply(true);
    EXPECT_EQ(live.read(live_begin.size()), live_begin);
    drains ? server.drain() : server.stop();
    EXPECT_EQ(live.read(live_end.size()), live_end);
    EXPECT_EQ(server.service.ended, 1U);
  }
}

TEST(LiveReply, ends_when_its_client_closes_the_connection) {
  WireServer server;
  std::optional<WireClient> live(std::in_place, server);
  live->send(get_live);
  live->read_reply(true);
  live.reset();
  server.wait_for_connections(0);
  EXPECT_EQ(server.service.ended, 1U);
}

TEST(LiveReply, leaves_the_connection_usable) {
  WireServer server;
  WireClient live(server);
  live.send(get_live + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
  live.read_reply(true);
  EXPECT_EQ(live.read(live_begin.size()), live_begin);
  server.drain();
  EXPECT_EQ(live.read(live_end.size()), live_end);
  EXPECT_EQ(live.read_reply().status, 200);
}

}  // namespace
}  // namespace guildhall::http
