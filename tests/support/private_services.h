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
  void start_redis();
  void signal_postgres(const std::string& name) const;
  void run(const std::string& command) const;  // runs it as a user that PostgreSQL accepts

  TemporaryFolder folder_;
  std::uint16_t postgres_port_, redis_port_;
  pid_t redis_ = -1;
};

}  // namespace guildhall::test
