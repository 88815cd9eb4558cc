#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/app.h"
#include "http/listener.h"

namespace guildhall {

// Answers on the server's address while the server waits for its database: /healthz with 200, /readyz with 503 and the
// reason, everything else with 503.
class StartingServer {
 public:
  StartingServer(const Config& config, std::optional<int> inherited_socket);
  ~StartingServer();
  StartingServer(const StartingServer&) = delete;
  StartingServer& operator=(const StartingServer&) = delete;

  // Why the server does not start yet: a sentence for the operator.
  void set_reason(std::string reason);

 private:
  class Answers;

  // Connections use the next two, so they are destroyed after the loop.
  std::unique_ptr<Answers> answers_;
  http::Capacity capacity_{.connections{1000, 1000}};
  boost::asio::io_context io_;
  std::optional<http::Listener> listener_;
  std::thread thread_;
};

// Builds the server. While the database cannot be reached, it tries again every two seconds for as long as that takes,
// and a StartingServer answers meanwhile (docs/adr/0013). Returns null when SIGTERM or SIGINT, which the caller has
// blocked, arrives first. Throws what App's constructor throws for any other reason.
std::unique_ptr<App> start_when_database_answers(const Config& config, std::optional<int> inherited_socket);

}  // namespace guildhall
