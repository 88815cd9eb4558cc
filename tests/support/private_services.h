#pragma once

#include <cstdint>
#include <string>

#include "support/engines.h"

namespace guildhall::test {

// A PostgreSQL and a Redis server for one test, which may break them without an effect on other tests.
class PrivateServices {
 public:
  PrivateServices();
  ~PrivateServices();
  PrivateServices(const PrivateServices&) = delete;
  PrivateServices& operator=(const PrivateServices&) = delete;

  std::string database_url() const;
  std::string cache_url() const;

  void crash_postgres();  // stops without a checkpoint and starts with recovery
  void stop_postgres();
  void start_postgres();
  void crash_redis();  // kills it with -9 and starts it again, empty
  void stop_redis();

  // Stops the PostgreSQL server and all its backends with SIGSTOP: connections stay open, and nothing answers.
  void freeze_postgres();

  // Continues them with SIGCONT.
  void thaw_postgres();

  // Runs statements as the superuser; returns the first value of the last one, if any.
  std::string execute(const std::string& sql) const;

 private:
  friend class PrivateReplica;
  void start_redis();
  void signal_server(const std::string& folder, const std::string& name) const;
  void run(const std::string& command) const;  // runs it as a user that PostgreSQL accepts

  TemporaryFolder folder_;
  std::uint16_t postgres_port_, redis_port_;
  pid_t redis_ = -1;
};

// A streaming replica of that PostgreSQL server. It must be destroyed first.
class PrivateReplica {
 public:
  explicit PrivateReplica(PrivateServices& services, const std::string& name = "replica");
  ~PrivateReplica();
  PrivateReplica(const PrivateReplica&) = delete;
  PrivateReplica& operator=(const PrivateReplica&) = delete;

  std::string url(const std::string& database = "guildhall") const;

  void start();
  void stop();
  void freeze() const;  // with SIGSTOP
  void thaw() const;
  void promote();
  void follow(const PrivateReplica& promoted) const;

  // Stops and continues to replay what the primary sends.
  void pause() const { execute("SELECT pg_wal_replay_pause()"); }
  void resume() const { execute("SELECT pg_wal_replay_resume()"); }

  std::string execute(const std::string& sql) const { return execute_on(url(), sql); }

 private:
  void control(const std::string& arguments) const;

  PrivateServices& services_;
  const std::string folder_;
  const std::uint16_t port_;
};

}  // namespace guildhall::test
