#include "http/listener.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "http/wire_test.h"

namespace guildhall::http {
namespace {

const std::string get_wait = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string get_next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(Listener, turns_connections_away_when_all_places_are_busy) {
  Capacity capacity{.connections{2, 2}};
  WireServer server({}, "127.0.0.1", 0, &capacity);
  std::optional<WireClient> first(std::in_place, server);
  WireClient second(server);
  first->send(get_wait);
  second.send(get_wait);
  server.wait_for_answers(2);
  WireClient third(server);
  const Received reply = third.read_reply();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_TRUE(third.closed());

  server.open_gate();
  EXPECT_EQ(second.read_reply().status, 200);
  first.reset();
  server.wait_for_connections(1);
  WireClient fourth(server);
  fourth.send(get_next);
  EXPECT_EQ(fourth.read_reply().status, 200);
}

TEST(Listener, closes_the_connection_that_was_idle_longest_for_a_new_one) {
  Capacity capacity{.connections{3, 3}};
  WireServer server({}, "127.0.0.1", 0, &capacity);
  WireClient busy(server), idle(server), recent(server);
  busy.send(get_wait);
  server.wait_for_answers(1);
  recent.send(get_next);
  EXPECT_EQ(recent.read_reply().status, 200);
  for (int i = 0; i < 5; ++i) {
    WireClient fresh(server);
    fresh.send(get_next);
    EXPECT_EQ(fresh.read_reply().status, 200);
  }
  EXPECT_TRUE(idle.closed());
  server.open_gate();
  EXPECT_EQ(busy.read_reply().status, 200) << "only idle connections are closed";
}

TEST(Listener, closes_an_idle_connection_of_another_listener_when_it_has_none) {
  Capacity capacity{.connections{2, 2}};
  WireServer full({}, "127.0.0.1", 0, &capacity), empty({}, "127.0.0.1", 0, &capacity);
  WireClient busy(full), idle(full);
  busy.send(get_wait);
  full.wait_for_answers(1);
  full.wait_for_connections(2);
  WireClient fresh(empty);
  fresh.send(get_wait);
  empty.wait_for_answers(1);
  EXPECT_TRUE(idle.closed());
  WireClient beyond(empty);
  EXPECT_EQ(beyond.read_reply().status, 503) << "nobody is idle now";
  full.open_gate();
  empty.open_gate();
  EXPECT_EQ(busy.read_reply().status, 200);
  EXPECT_EQ(fresh.read_reply().status, 200);
}

TEST(Listener, limits_one_address_before_others_suffer) {
  Capacity capacity{.connections{100, 1}};
  WireServer server({}, "127.0.0.1", 0, &capacity);
  const auto elsewhere = capacity.connections.take("192.0.2.1", 1);
  WireClient first(server);
  first.send(get_wait);
  server.wait_for_answers(1);
  EXPECT_EQ(WireClient(server).read_reply().status, 503);
  server.open_gate();
  EXPECT_EQ(first.read_reply().status, 200);
}

TEST(Listener, does_not_limit_a_trusted_proxy_as_one_address) {
  Capacity capacity{.connections{100, 1}, .trusted_proxies{*AddressRange::parse("127.0.0.0/8")}};
  WireServer server({}, "127.0.0.1", 0, &capacity);
  WireClient first(server), second(server);
  first.send(get_wait);
  second.send(get_wait);
  server.wait_for_answers(2);
  server.open_gate();
  EXPECT_EQ(first.read_reply().status, 200);
  EXPECT_EQ(second.read_reply().status, 200);
}

TEST(Listener, counts_the_connections_of_all_loops_together) {
  Capacity capacity{.connections{2, 2}};
  WireServer one({}, "127.0.0.1", 0, &capacity), two({}, "127.0.0.1", 0, &capacity);
  WireClient first(one), second(two);
  first.send(get_wait);
  second.send(get_wait);
  one.wait_for_answers(1);
  two.wait_for_answers(1);
  EXPECT_EQ(WireClient(one).read_reply().status, 503);
  EXPECT_EQ(WireClient(two).read_reply().status, 503);
}

TEST(Listener, closes_connections_after_their_reply_while_it_drains) {
  WireServer server;
  WireClient client(server);
  server.wait_for_connections(1);
  server.drain();
  client.send(get_next);
  EXPECT_EQ(client.read_reply().header("connection"), "close");
  EXPECT_TRUE(client.closed());
  WireClient fresh(server);
  fresh.send(get_next);
  EXPECT_EQ(fresh.read_reply().status, 200) << "it still accepts";
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
  EXPECT_EQ(client.read_to_end(), "") << "the connection ends without a reply";
  server.open_gate();
  server.wait_for_connections(0);
}

TEST(Listener, may_go_while_requests_run) {
  std::optional<WireServer> server(std::in_place);
  WireClient client(*server);
  client.send(get_wait);
  server->wait_for_answers(1);
  server.reset();  // destroys the listener, then lets its loop run out
  EXPECT_EQ(client.read_to_end(), "") << "the connection ends without a reply";
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

TEST(Listener, closes_an_idle_connection_when_descriptors_run_out) {
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
  EXPECT_EQ(client.read_reply().status, 200) << "the idle connection has given its descriptor";
  EXPECT_TRUE(before.closed());
  ::setrlimit(RLIMIT_NOFILE, &usual);
}

}  // namespace
}  // namespace guildhall::http
