#include "support/test_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include "app/slices.h"
#include "base/password.h"
#include "features/identity/grants.h"
#include "features/identity/user_store.h"
#include "features/media/picture_converter.h"
#include "storage/columns.h"
#include "storage/migrations.h"

namespace guildhall::test {
namespace {

// Passwords of tests are hashed cheaply, because tests sign in very often and these passwords need no protection.
[[maybe_unused]] const PasswordCost cheap = password_cost = {.passes = 1, .memory_bytes = 8 << 10};

// This program is not the server, which starts itself to convert pictures.
[[maybe_unused]] const std::string& server_program = picture_worker_program = GUILDHALL_BINARY;

Config configure(const std::map<std::string, std::string>& environment) {
  return read_config([&](std::string_view name) -> std::optional<std::string> {
    const auto found = environment.find(std::string(name));
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  });
}

std::map<std::string, std::string> defaults(Engine engine, const std::string& database_url, const std::string& folder) {
  return {{"SERVICE_ENV", "production"},
          {"LISTEN_ADDR", "127.0.0.1:0"},
          {"METRICS_ADDR", "127.0.0.1:0"},
          {"DATA_DIR", folder},
          {"DATABASE_URL", database_url},
          {"DATABASE_CONNECTIONS", "8"},
          {"CACHE_URL", engine == Engine::sqlite ? "memory:" : redis_url()},
          {"CACHE_TIMEOUT_MS", "5000"},  // the machine is busy with other tests
          {"LOOPS", "2"},
          {"LOG_LEVEL", "error"},
          {"SESSION_SIGNING_SECRET", "a secret that only the tests know and that is long enough"},
          {"SERVICE_MASTER_KEY", "a master key that only the tests know and that is long enough"},
          {"INVOICE_LINK_SIGNING_SECRET", "an invoice secret that only the tests know"},
          {"LOCAL_AUTH_ENABLED", "true"},
          {"LOCAL_ADMIN_PASSWORD", std::string(admin_password)},
          {"RATE_LIMIT_DISABLED", "true"}};
}

}  // namespace

std::string redis_url() {
  const char* url = std::getenv("TEST_REDIS_URL");
  if (url == nullptr) throw std::runtime_error("TEST_REDIS_URL is not set: run the tests with script/with-services.");
  constexpr std::size_t databases = 16'000;  // script/with-services
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = test == nullptr ? "" : std::string(test->test_suite_name()) + "." + test->name();
  return fmt::format("{}/{}", url, std::hash<std::string>{}(fmt::format("{} {}", ::getpid(), name)) % databases);
}

HttpReply CheckedClient::send(const std::string& method, const std::string& path, const std::string& body,
                              const HttpHeaders& headers) {
  HttpReply reply = HttpClient::send(method, path, body, headers);
  const std::string mismatch = schema_->mismatch(method, path, reply);
  if (!mismatch.empty()) {
    ADD_FAILURE() << method << " " << path << ": does not fit /openapi.json: " << mismatch << "\n" << reply.body;
  }
  return reply;
}

TestServer::TestServer(Engine engine, std::map<std::string, std::string> environment) : database_(engine) {
  environment.merge(defaults(engine, database_.url, folder_.path.string()));
  config = configure(environment);
  log::configure(config.log_level, false);
  const char* everywhere = std::getenv("TEST_PARTITIONS");
  const std::string partitions = environment.contains("TEST_PARTITIONS") ? environment["TEST_PARTITIONS"]
                                 : everywhere != nullptr                 ? everywhere
                                                                         : "";
  if (engine == Engine::postgresql && !partitions.empty()) {
    const auto storage = open_storage({.url = config.database_url});
    partition(*storage, growing_tables(), std::stoi(partitions));
  }
  start();
}

TestServer::~TestServer() = default;

void TestServer::start(const std::vector<Slice>* added) {
  app_ = std::make_unique<App>(config, std::nullopt, added);
  app_->start();
  HttpClient plain(port());
  schema_ = std::make_shared<ApiSchema>(plain.get("/openapi.json").body);
}

void TestServer::restart() {
  app_.reset();
  start();
}

void TestServer::serve_also(const std::vector<Slice>& added) {
  app_.reset();
  start(&added);
}

void TestServer::add_tenant(const std::string& name) {
  static const Sql sql(
      "INSERT INTO tenants (tenant_id, name, owner_user_id, created_at, updated_at, version)"
      " VALUES ($1, $1, '', $2, $2, 1)");
  write([&](Tx& tx) { tx.run({&sql, params(name, now())}); });
}

CheckedClient TestServer::member_with(const std::string& tenant, const std::vector<std::string>& keys) {
  static const std::string hash = hash_password(member_password);  // hashed only once, because it is slow
  const std::string username = "member_" + make_uuid(now());
  write([&](Tx& tx) {
    NewUser input;
    input.username.value = input.display_name.value = username;
    User user = user_from(input, TenantId(tenant), now());
    user.password_hash.value = hash;
    user.password_set_by.value = user.id.text();
    insert_user(tx, user);
    for (const std::string& key : keys) add_grant(tx, TenantId(tenant), user.id, key, now());
  });
  CheckedClient signed_in = client();
  const HttpReply reply = signed_in.post(
      "/auth/local/login",
      fmt::format(R"({{"username":"{}","password":"{}","tenantId":"{}"}})", username, member_password, tenant));
  if (reply.status != 200) throw std::runtime_error("the member cannot sign in: " + reply.body);
  return signed_in;
}

std::string TestServer::add_user(const std::string& tenant, const std::vector<std::string>& keys,
                                 const std::string& granted_in) {
  NewUser input;
  input.username.value = input.display_name.value = "user_" + make_uuid(now());
  const User user = user_from(input, TenantId(tenant), now());
  write([&](Tx& tx) {
    insert_user(tx, user);
    for (const std::string& key : keys) {
      add_grant(tx, TenantId(key == "PlatformAdmin" ? "default" : granted_in), user.id, key, now());
    }
  });
  return user.id.text();
}

void TestServer::write(FunctionRef<void(Tx&)> body) {
  app_->storage().write_now(body);
}

CheckedClient TestServer::admin(const std::string& tenant) const {
  CheckedClient signed_in = client();
  const HttpReply reply =
      signed_in.post("/auth/local/login",
                     fmt::format(R"({{"username":"admin","password":"{}","tenantId":"{}"}})", admin_password, tenant));
  if (reply.status != 200) throw std::runtime_error("the admin cannot sign in: " + reply.body);
  return signed_in;
}

}  // namespace guildhall::test
