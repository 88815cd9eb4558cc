#pragma once

#include <fmt/format.h>
#include <memory>
#include <string>

#include "sandbox/world.h"
#include "support/http_client.h"
#include "support/server_process.h"

namespace guildhall::test {

// A client of a sandbox, which answers only requests with its own address as Host. Each request has its own connection.
class SandboxClient : public HttpClient {
 public:
  explicit SandboxClient(std::uint16_t port) : HttpClient(port), host(fmt::format("127.0.0.1:{}", port)), port_(port) {}

  HttpReply send(const std::string& method, const std::string& path, const std::string& body,
                 const HttpHeaders& headers) override;

  std::string host;

 private:
  std::uint16_t port_;
};

// A server and a sandbox as real processes, and a shop that is bound to the sandbox's guild and takes payments through
// all four processors.
class SandboxedServer {
 public:
  explicit SandboxedServer(Engine engine);

  // The state of the sandbox.
  HttpReply state() { return sandbox.get("/sandbox/state"); }

  // Calls the sandbox as its page does. Throws unless the answer is 2xx.
  HttpReply control(const std::string& path, const std::string& json = "{}");

  // The JSON pointer of the newest payment in state() with that value; empty if there is none.
  std::string place_of_payment(const HttpReply& state, const std::string& key, const std::string& value) const;

  std::string order_id(const std::string& order_number);
  std::string order_status(const std::string& id) { return admin.get("/api/data/order/" + id).text("/status"); }

  static constexpr std::string_view keeper_role = "300000000000000001", buyer = "200000000000000002",
                                    shop_channel = "400000000000000001";

 private:
  sandbox::Options options() const;
  ServerProcess::Variables sandbox_variables() const;
  ServerProcess::Variables server_variables(Engine engine) const;
  void prepare_shop();

  TemporaryFolder folder_;
  FreshDatabase database_;
  const std::uint16_t port_ = free_port();
  const std::uint16_t sandbox_port_ = free_port();
  const sandbox::Options options_ = options();
  ServerProcess sandbox_process_;
  ServerProcess server_process_;

 public:
  SandboxClient sandbox{sandbox_port_};
  HttpClient admin{port_};

  std::uint16_t port() const { return port_; }
  std::uint16_t sandbox_port() const { return sandbox_port_; }
  ServerProcess& sandbox_process() { return sandbox_process_; }
};

struct ProcessorCase {
  std::string party, method;
  bool refunds;  // through its API
};
inline const ProcessorCase processor_cases[] = {{"gateway", "BTC_GATEWAY", false},
                                                {"commerce", "CRYPTO_COMMERCE", false},
                                                {"wallet", "WALLET", true},
                                                {"card", "APPPAY", true}};

}  // namespace guildhall::test
