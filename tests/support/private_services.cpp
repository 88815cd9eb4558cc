#include "support/private_services.h"

#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/server_process.h"

namespace guildhall::test {
namespace {

std::string postgres_bin() {
  const char* bin = std::getenv("TEST_POSTGRES_BIN");
  if (bin == nullptr)
    throw std::runtime_error("TEST_POSTGRES_BIN is not set: run the tests with script/with-services.");
  return bin;
}

}  // namespace

PrivateServices::PrivateServices() : postgres_port_(free_port()), redis_port_(free_port()) {
  const std::string folder = folder_.path.string();
  if (::geteuid() == 0 && std::system(fmt::format("chown postgres:postgres {}", folder).c_str()) != 0) {
    throw std::runtime_error("cannot give the folder to PostgreSQL");
  }
  run(fmt::format("{}/initdb -D {}/pg -U guildhall -A trust -E UTF8 --locale=C.UTF-8 --lc-collate=C --no-sync",
                  postgres_bin(), folder));
  run(
      fmt::format("printf \"port = {}\\nlisten_addresses = '127.0.0.1'\\nunix_socket_directories = '{}'\\n\" >> "
                  "{}/pg/postgresql.conf",
                  postgres_port_, folder, folder));
  start_postgres();
  run(fmt::format("{}/createdb -h 127.0.0.1 -p {} -U guildhall guildhall", postgres_bin(), postgres_port_));
  start_redis();
}

PrivateServices::~PrivateServices() {
  stop_redis();
  try {
    thaw_postgres();
    stop_postgres();
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

std::string PrivateServices::database_url() const {
  return fmt::format("postgresql://guildhall@127.0.0.1:{}/guildhall", postgres_port_);
}

std::string PrivateServices::cache_url() const {
  return fmt::format("redis://127.0.0.1:{}", redis_port_);
}

void PrivateServices::run(const std::string& command) const {
  const std::string as = ::geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : "";
  const std::string quiet = fmt::format("cd {} && {}bash -c '{}' >/dev/null 2>&1", folder_.path.string(), as, [&] {
    std::string quoted;
    for (const char c : command) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted;
  }());
  if (std::system(quiet.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

void PrivateServices::crash_postgres() {
  run(fmt::format("{}/pg_ctl -D {}/pg -m immediate -w -l {}/pg.log restart", postgres_bin(), folder_.path.string(),
                  folder_.path.string()));
}

void PrivateServices::stop_postgres() {
  run(fmt::format("{}/pg_ctl -D {}/pg -m immediate -w stop", postgres_bin(), folder_.path.string()));
}

void PrivateServices::start_postgres() {
  run(fmt::format("{}/pg_ctl -D {}/pg -l {}/pg.log -w start", postgres_bin(), folder_.path.string(),
                  folder_.path.string()));
}

// To the server first, so that it starts no process meanwhile. A process that has just ended is no error.
void PrivateServices::signal_server(const std::string& folder, const std::string& name) const {
  run(fmt::format("server=$(head -1 {0}/postmaster.pid) && kill -{1} $server && {{ pkill -{1} -P $server || true; }}",
                  folder, name));
}

void PrivateServices::freeze_postgres() {
  signal_server(folder_.path / "pg", "STOP");
}

void PrivateServices::thaw_postgres() {
  signal_server(folder_.path / "pg", "CONT");
}

std::string PrivateServices::execute(const std::string& sql) const {
  return execute_on(database_url(), sql);
}

PrivateReplica::PrivateReplica(PrivateServices& services, const std::string& name)
    : services_(services), folder_((services.folder_.path / name).string()), port_(free_port()) {
  services_.run(fmt::format("{}/pg_basebackup -h 127.0.0.1 -p {} -U guildhall -D {} -R -c fast -X stream --no-sync",
                            postgres_bin(), services_.postgres_port_, folder_));
  services_.run(fmt::format("echo port = {} >> {}/postgresql.conf", port_, folder_));
  start();
}

PrivateReplica::~PrivateReplica() {
  try {
    thaw();
    stop();
  } catch (const std::exception&) {
    // The test has stopped it.
  }
}

std::string PrivateReplica::url(const std::string& database) const {
  return fmt::format("postgresql://guildhall@127.0.0.1:{}/{}", port_, database);
}

void PrivateReplica::control(const std::string& arguments) const {
  services_.run(fmt::format("{}/pg_ctl -D {} -l {}.log -w {}", postgres_bin(), folder_, folder_, arguments));
}

void PrivateReplica::start() {
  control("start");
}

void PrivateReplica::stop() {
  control("-m immediate stop");
}

void PrivateReplica::promote() {
  control("promote");
}

void PrivateReplica::follow(const PrivateReplica& promoted) const {
  execute(fmt::format("ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port={} user=guildhall'", promoted.port_));
  execute("SELECT pg_reload_conf()");
}

void PrivateReplica::freeze() const {
  services_.signal_server(folder_, "STOP");
}

void PrivateReplica::thaw() const {
  services_.signal_server(folder_, "CONT");
}

void PrivateServices::crash_redis() {
  stop_redis();
  start_redis();
}

void PrivateServices::start_redis() {
  const std::string port = std::to_string(redis_port_), folder = folder_.path.string();
  std::string words[] = {"redis-server", "--port", port,    "--bind", "127.0.0.1", "--save", "",
                         "--appendonly", "no",     "--dir", folder};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = ::posix_spawnp(&redis_, "redis-server", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start redis-server");
  const bool listens = eventually([&] {
    try {
      RawConnection connection(redis_port_);
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  });
  if (!listens) throw std::runtime_error("redis-server does not listen");
}

void PrivateServices::stop_redis() {
  if (redis_ <= 0) return;
  ::kill(redis_, SIGKILL);
  ::waitpid(redis_, nullptr, 0);
  redis_ = -1;
}

}  // namespace guildhall::test
