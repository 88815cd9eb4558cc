#include "support/sandboxed_server.h"

#include <fmt/format.h>
#include <stdexcept>

#include "features/tenancy/guild_binding.h"
#include "features/tenancy/tenant.h"
#include "sandbox/commands.h"
#include "sandbox/environment.h"
#include "storage/migrations.h"
#include "support/eventually.h"
#include "support/test_server.h"

namespace guildhall::test {
namespace {

std::string local_url(std::uint16_t port) {
  return fmt::format("http://127.0.0.1:{}", port);
}

}  // namespace

HttpReply SandboxClient::send(const std::string& method, const std::string& path, const std::string& body,
                              const HttpHeaders& headers) {
  std::string request =
      fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n", method, path, host, body.size());
  for (const auto& [name, value] : headers) request += fmt::format("{}: {}\r\n", name, value);
  RawConnection connection(port_);
  connection.send(request + "\r\n" + body);
  return connection.receive();
}

SandboxedServer::SandboxedServer(Engine engine)
    : database_(engine),
      sandbox_process_(sandbox_variables(), {"sandbox", "--port", std::to_string(sandbox_port_), "--server",
                                             local_url(port_), "--delay", "0"}),
      server_process_((prepare_shop(), server_variables(engine))) {
  server_process_.wait_until_ready();
  if (!eventually([&] { return sandbox_process_.output().find("The sandbox is at") != std::string::npos; })) {
    throw std::runtime_error("the sandbox did not start:\n" + sandbox_process_.output());
  }
  const HttpReply signed_in =
      admin.post("/auth/local/login",
                 fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", admin_password));
  const HttpReply methods =
      admin.put("/api/admin/payment-methods",
                R"({"methods":[{"method":"BTC_GATEWAY","enabled":true},{"method":"CRYPTO_COMMERCE","enabled":true},)"
                R"({"method":"WALLET","enabled":true},{"method":"APPPAY","enabled":true}]})");
  if (signed_in.status != 200 || methods.status != 200) throw std::runtime_error(signed_in.body + methods.body);
}

ServerProcess::Variables SandboxedServer::sandbox_variables() const {
  return {{"DATA_DIR", folder_.path.string()}, {"SERVICE_ENV", "development"}, {"LISTEN_ADDR", "127.0.0.1:1"}};
}

// The first caller generates the secrets in the data folder.
sandbox::Options SandboxedServer::options() const {
  sandbox::Options options = sandbox_options([&](std::string_view name) -> std::optional<std::string> {
    return name == "DATA_DIR" ? std::optional(folder_.path.string()) : std::nullopt;
  });
  options.server = local_url(port_);
  return options;
}

ServerProcess::Variables SandboxedServer::server_variables(Engine engine) const {
  auto variables = test::server_variables(engine, database_.url, folder_.path.string());
  for (const auto& [name, value] : sandbox::environment_for(options_, sandbox_port_)) variables[name] = value;
  variables["LISTEN_ADDR"] = fmt::format("127.0.0.1:{}", port_);
  variables["SERVICE_ENV"] = "development";
  variables["INVOICE_LINK_SIGNING_SECRET"] = "an invoice secret of the tests";
  variables["WEBHOOK_PRIVATE_TARGETS"] = "true";
  variables["PAYMENT_CHECK_AFTER_SECONDS"] = "2";
  variables["LOG_LEVEL"] = "error";
  return variables;
}

void SandboxedServer::prepare_shop() {
  const auto storage = open_storage({.url = database_.url});
  migrate(*storage);
  storage->write_now([](Tx& tx) {
    const TenantId tenant(std::string("default"));
    ensure_default_tenant(tx, tenant, now());
    bind_guild(tx, tenant, std::string(demo_guild), now());
  });
}

HttpReply SandboxedServer::control(const std::string& path, const std::string& json) {
  const HttpReply reply = sandbox.post("/sandbox" + path, json);
  if (reply.status >= 300) throw std::runtime_error(fmt::format("{}: {} {}", path, reply.status, reply.body));
  return reply;
}

std::string SandboxedServer::place_of_payment(const HttpReply& state, const std::string& key,
                                              const std::string& value) const {
  for (std::size_t i = 0; i < state.size("/payments"); ++i) {
    if (state.text(fmt::format("/payments/{}/{}", i, key)) == value) return fmt::format("/payments/{}", i);
  }
  return "";
}

std::string SandboxedServer::order_id(const std::string& order_number) {
  const HttpReply found = admin.get("/api/data/order?limit=200&search=" + order_number);
  for (std::size_t i = 0; i < found.size("/items"); ++i) {
    if (found.text(fmt::format("/items/{}/orderNumber", i)) == order_number) {
      return found.text(fmt::format("/items/{}/id", i));
    }
  }
  throw std::runtime_error("no order " + order_number);
}

}  // namespace guildhall::test
