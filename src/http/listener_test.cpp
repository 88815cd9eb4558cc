#include "http/listener.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "http/wire_test.h"

namespace guildhall::http {
namespace {

const std::string get_wait = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string get_next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(Listener, turns_connections_away_over_its_cap) {
  WireServer server({.connections_max = 2});
  std::optional<WireClient> first(std::in_place, server);
  WireClient second(server);
  server.wait_for_connections(2);
  WireClient third(server);
  const Received reply = third.read_reply();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(third.closed());

  first.reset();
  server.wait_for_connections(1);
  WireClient fourth(server);
  fourth.send(get_next);
  EXPECT_EQ(fourth.read_reply().status, 200);
}

TEST(Listener, caps_the_connections_of_one_address) {
  WireServer server({.connections_per_address_max = 1});
  WireClient first(server);
  server.wait_for_connections(1);
  WireClient second(server);
  EXPECT_EQ(second.read_reply().status, 503);
  first.send(get_next);
  EXPECT_EQ(first.read_reply().status, 200);
}

TEST(Listener, closes_idle_connections_when_it_stops) {
  WireServer server;
  WireClient fresh(server);
  WireClient used(server);
  used.send(get_next);
  EXPECT_EQ(used.read_reply().status, 200);
  server.wait_for_connections(2);
  server.stop();
  EXPECT_TRUE(fresh.closed());
  EXPECT_TRUE(used.closed());
  server.wait_for_connections(0);
  EXPECT_FALSE(WireClient(server).connected);
}

TEST(Listener, finishes_the_running_request_when_it_stops_and_drops_the_backlog) {
  WireServer server;
  WireClient client(server);
  client.send(get_wait + get_next + get_next);
  server.wait_for_answers(1);
  server.stop();
  EXPECT_EQ(server.connections(), 1U);
  server.open_gate();
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(client.closed());
  server.wait_for_connections(0);
  EXPECT_EQ(server.service.answered, 1U);
}

TEST(Listener, lets_a_body_arrive_after_it_has_stopped) {
  WireServer server;
  WireClient client(server);
  client.send("POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  client.read(std::string_view("HTTP/1.1 100 Continue\r\n\r\n").size());
  server.stop();
  client.send("body");
  const Received reply = client.read_reply();
  EXPECT_EQ(reply.body, "POST /x [body] from 127.0.0.1");
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST(Listener, aborts_what_is_left) {
  WireServer server;
  WireClient client(server);
  client.send(get_wait);
  server.wait_for_answers(1);
  server.stop();
  server.abort();
  client.read_to_end();
  server.open_gate();
  server.wait_for_connections(0);
}

TEST(Listener, may_go_while_requests_run) {
  WireServer server;
  WireClient client(server);
  client.send(get_wait);
  server.wait_for_answers(1);
  // The server's destructor takes the listener away, then lets its loop run out.
}

TEST(Listener, shares_its_port_with_its_siblings_in_the_process) {
  WireServer first;
  WireServer second({}, "127.0.0.1", first.port());
  EXPECT_EQ(first.port(), second.port());
  for (int i = 0; i < 20; ++i) {
    WireClient client(first);
    client.send(get_next);
    EXPECT_EQ(client.read_reply().status, 200);
  }
  EXPECT_EQ(first.service.answered + second.service.answered, 20U);
}

TEST(Listener, notices_another_server_on_its_port) {
  const int other = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(other, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);  // would let us in, were we not to look
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(other, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(other, 1), 0);
  socklen_t size = sizeof address;
  ::getsockname(other, reinterpret_cast<sockaddr*>(&address), &size);
  const std::uint16_t port = ntohs(address.sin_port);
  try {
    const WireServer server({}, "127.0.0.1", port);
    FAIL() << "it listens beside another server";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), fmt::format("Cannot listen on 127.0.0.1 port {}: another program already does.", port));
  }
  ::close(other);
  WireServer server({}, "127.0.0.1", port);
  EXPECT_EQ(server.port(), port);
}

TEST(Listener, listens_again_on_a_port_it_has_left) {
  WireServer first;
  const std::uint16_t port = first.port();
  WireClient client(first);
  client.send(get_wait);
  first.wait_for_answers(1);
  first.stop();
  WireServer second({}, "127.0.0.1", port);
  first.open_gate();
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(Listener, wants_an_ip_address) {
  EXPECT_THROW(WireServer({}, "localhost"), std::runtime_error);
}

TEST(Listener, speaks_ipv6_and_names_ipv4_clients_the_usual_way) {
  std::unique_ptr<WireServer> server;
  try {
    server = std::make_unique<WireServer>(Limits{}, "::");
  } catch (const std::runtime_error& error) {
    // A machine without IPv6 says so in a sentence, which is all that can be shown there.
    EXPECT_TRUE(std::string_view(error.what()).starts_with("Cannot listen on :: port 0: "));
    return;
  }
  WireClient client(*server);
  client.send(get_next);
  EXPECT_EQ(client.read_reply().body, "GET /next [] from 127.0.0.1");
}

TEST(Listener, waits_out_a_lack_of_descriptors) {
  WireServer server;
  WireClient before(server);
  server.wait_for_connections(1);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);

  rlimit usual{};
  ::getrlimit(RLIMIT_NOFILE, &usual);
  rlimit none = usual;
  none.rlim_cur = static_cast<rlim_t>(socket) + 1;  // the lowest free descriptor was taken last
  ::setrlimit(RLIMIT_NOFILE, &none);
  WireClient client(server.port(), socket);
  EXPECT_TRUE(client.connected) << "by the system, not by the server";
  client.send(get_next);
  before.send(get_next);
  EXPECT_EQ(before.read_reply().status, 200) << "those who are in are served";
  EXPECT_EQ(server.connections(), 1U);
  ::setrlimit(RLIMIT_NOFILE, &usual);
  EXPECT_EQ(client.read_reply().status, 200);
}

}  // namespace
}  // namespace guildhall::http
