#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "app/app.h"
#include "support/api_schema.h"
#include "support/http_client.h"
#include "support/migrated_database.h"

namespace guildhall::test {

// A client that checks every reply against the server's OpenAPI document.
class CheckedClient : public HttpClient {
 public:
  CheckedClient(std::uint16_t port, std::shared_ptr<const ApiSchema> schema)
      : HttpClient(port), schema_(std::move(schema)) {}

  HttpReply send(const std::string& method, const std::string& path, const std::string& body,
                 const HttpHeaders& headers) override;

 private:
  std::shared_ptr<const ApiSchema> schema_;
};

// The URL of a database of the running test in the Redis server that script/with-services has started. Tests that run
// at the same time have different ones, so that they do not share limits and locks.
std::string redis_url();

inline constexpr std::string_view admin_password = "correct horse";
inline constexpr std::string_view member_password = "battery staple";

// The whole server in this process, on a free port, with a database without records and the cache of the engine pair:
// SQLite with memory, PostgreSQL with Redis.
class TestServer {
 public:
  // `environment` adds to, or replaces, the configuration of a test server. With TEST_PARTITIONS, there or in the
  // environment of the process, the tables of a PostgreSQL database have this many parts.
  explicit TestServer(Engine engine, std::map<std::string, std::string> environment = {});
  ~TestServer();

  std::uint16_t port() const { return app_->port(); }
  std::uint16_t metrics_port() const { return app_->metrics_port(); }
  CheckedClient client() const { return {port(), schema_}; }

  // Returns a client that is signed in to the tenant as the default admin.
  CheckedClient admin(const std::string& tenant = "default") const;

  // Creates a tenant without an owner; the name is also its id.
  void add_tenant(const std::string& name);

  // Creates a local user of the tenant who holds just these grants, and returns a client that is signed in as this
  // user: `member("default", "data.read")`.
  template <class... Keys>
  CheckedClient member(const std::string& tenant, const Keys&... keys) {
    return member_with(tenant, {std::string(keys)...});
  }
  CheckedClient member_with(const std::string& tenant, const std::vector<std::string>& keys);

  // Creates a user of the tenant who cannot sign in and holds these grants in `granted_in`. PlatformAdmin is granted in
  // the default tenant, because it is valid only there. Returns the id.
  std::string add_user(const std::string& tenant, const std::vector<std::string>& keys, const std::string& granted_in);

  // Stops the server gracefully, so that another process or server may open its database.
  void stop() { app_.reset(); }

  // Stops the server gracefully and starts it again on the same data.
  void restart();

  // The same, with further slices.
  void serve_also(const std::vector<Slice>& added);

  const std::vector<api::Route>& routes() const { return app_->routes(); }
  Storage& storage() { return app_->storage(); }
  const Events& events() const { return app_->events(); }

  // Runs a transaction of the test itself, for changes that no route makes.
  void write(FunctionRef<void(Tx&)> body);

  Config config;

 private:
  void start(const std::vector<Slice>* added = nullptr);

  TemporaryFolder folder_;
  MigratedDatabase database_;
  std::unique_ptr<App> app_;
  std::shared_ptr<const ApiSchema> schema_;
};

// Runs each test of a suite on both engine pairs. The member `server` is the running server.
class OnEachPair : public ::testing::TestWithParam<Engine> {
 protected:
  TestServer server{GetParam()};
};

}  // namespace guildhall::test
