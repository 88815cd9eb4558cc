// The test plays the service manager: it holds the listening socket over restarts, and receives the notifications.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/server_process.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

// A socket that listens, and that child processes inherit.
class HeldSocket {
 public:
  HeldSocket() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), length), 0);
    EXPECT_EQ(::listen(fd_, SOMAXCONN), 0);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length);
    port = ntohs(address.sin_port);
  }
  HeldSocket(const HeldSocket&) = delete;
  HeldSocket& operator=(const HeldSocket&) = delete;
  ~HeldSocket() { ::close(fd_); }

  // The arguments of a bash that becomes `guildhall serve`, with the socket as descriptor 3.
  std::vector<std::string> arguments() const {
    return {"-c", fmt::format("exec 3<&{}; LISTEN_PID=$$ LISTEN_FDS=1 exec {} serve", fd_,
                              ServerProcess::guildhall_binary())};
  }

  std::uint16_t port = 0;

 private:
  int fd_;
};

// Clients that create orders one after the other: some over a lasting connection, some over a new one each time.
class Load {
 public:
  explicit Load(const ServerProcess& server) {
    HttpClient admin(server.port());
    const std::string body =
        fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password);
    EXPECT_EQ(admin.post("/auth/local/login", body).status, 200);
    for (int i = 0; i < 4; ++i) {
      clients_.emplace_back([this, client = std::make_unique<HttpClient>(admin), lasting = i % 2 == 0] {
        while (!done_) send_order(*client, lasting);
      });
    }
  }
  ~Load() { stop(); }

  void stop() {
    done_ = true;
    for (std::thread& client : clients_) client.join();
    clients_.clear();
  }

  // Waits until many more orders were created.
  bool goes_on() {
    const int enough = created + 50;
    return test::eventually([&] { return created > enough; });
  }

  std::atomic<int> created = 0, failed = 0;

 private:
  void send_order(HttpClient& client, bool lasting) {
    try {
      const auto order = test::order_of(test::fresh_name(), test::item("p", 1, 100));
      const int status = client.post("/api/data/order", order).status;
      ++(status == 201 ? created : failed);
      if (!lasting) client.disconnect();
    } catch (const std::runtime_error&) {
      ++failed;
      client.disconnect();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> done_ = false;
  std::vector<std::thread> clients_;
};

// Restarts the server twice under load.
void restart_under(Load& load, ServerProcess& server) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(load.goes_on());
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait_for_exit(), 0) << server.output();
    server.start();
    server.wait_until_ready();
  }
  EXPECT_TRUE(load.goes_on());
  load.stop();
}

class Restarts : public ::testing::TestWithParam<test::Engine> {
 protected:
  ServerProcess::Variables variables() {
    return test::server_variables(GetParam(), database_.url, folder_.path.string());
  }

 private:
  test::FreshDatabase database_{GetParam()};
  test::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Pairs, Restarts, test::engines, test::engine_name);

TEST_P(Restarts, with_an_inherited_socket_let_requests_wait_and_none_fail) {
  const HeldSocket socket;
  auto settings = variables();
  settings["LISTEN_ADDR"] = fmt::format("127.0.0.1:{}", socket.port);
  ServerProcess server(settings, socket.arguments(), "/bin/bash");
  server.wait_until_ready();
  Load load(server);
  restart_under(load, server);
  EXPECT_EQ(load.failed, 0) << "of " << load.created;
}

TEST_P(Restarts, control_without_an_inherited_socket_requests_fail) {
  if (GetParam() == test::Engine::postgresql) return;  // one engine suffices for a control
  ServerProcess server(variables());
  server.wait_until_ready();
  Load load(server);
  restart_under(load, server);
  EXPECT_GT(load.failed, 0);
}

TEST(ServiceManager, is_informed_of_start_life_and_end) {
  test::TemporaryFolder folder;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = (folder.path / "notify").string();
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const timeval time_max{.tv_sec = 30, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time_max, sizeof(time_max));
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  const auto received = [&] {
    char text[100];
    const ssize_t size = ::recv(socket, text, sizeof(text), 0);
    return size < 0 ? std::string() : std::string(text, static_cast<std::size_t>(size));
  };
  auto variables =
      test::server_variables(test::Engine::sqlite, "sqlite:" + (folder.path / "a.db").string(), folder.path.string());
  variables["NOTIFY_SOCKET"] = path;
  variables["WATCHDOG_USEC"] = "30000";
  ServerProcess server(variables);
  EXPECT_EQ(received(), "READY=1");
  EXPECT_EQ(HttpClient(server.port()).get("/healthz").status, 200) << "it listens when it says so";
  EXPECT_EQ(received(), "WATCHDOG=1");
  EXPECT_EQ(received(), "WATCHDOG=1");
  server.signal(SIGTERM);
  std::string last = received();
  while (last == "WATCHDOG=1") last = received();
  EXPECT_EQ(last, "STOPPING=1");
  EXPECT_EQ(server.wait_for_exit(), 0);
  ::close(socket);
}

TEST(ServiceManager, that_passes_something_else_than_a_listening_socket_is_refused) {
  test::TemporaryFolder folder;
  ServerProcess server(
      test::server_variables(test::Engine::sqlite, "sqlite:" + (folder.path / "a.db").string(), folder.path.string()),
      {"-c",
       fmt::format("exec 3</dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec {} serve", ServerProcess::guildhall_binary())},
      "/bin/bash");
  EXPECT_EQ(server.wait_for_exit(), 1);
  EXPECT_NE(server.output().find("is not a listening TCP socket"), std::string::npos) << server.output();
}

}  // namespace
}  // namespace guildhall
