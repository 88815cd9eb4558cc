#pragma once

#include <cstdint>
#include <string>

#include "support/engines.h"

namespace guildhall::test {

// A PostgreSQL and a Redis of the test's own, to be broken without breaking anybody else's.
class PrivateServices {
 public:
  PrivateServices();
  ~PrivateServices();
  PrivateServices(const PrivateServices&) = delete;
  PrivateServices& operator=(const PrivateServices&) = delete;

  std::string database_url() const;
  std::string cache_url() const;

  void crash_postgres();  // stops without a checkpoint, and starts again through recovery
  void crash_redis();     // kill -9, and starts again with nothing in it
  void stop_redis();

  // SIGSTOP to the PostgreSQL server and all its backends: connections stay open, nothing answers. Then SIGCONT.
  void freeze_postgres();
  void thaw_postgres();

  // Runs statements as the superuser; returns the first value of the last one, if any.
  std::string execute(const std::string& sql) const;

 private:
  void start_redis();
  void signal_postgres(const std::string& name) const;
  void run(const std::string& command) const;  // as a user that PostgreSQL accepts

  TemporaryFolder folder_;
  std::uint16_t postgres_port_, redis_port_;
  pid_t redis_ = -1;
};

}  // namespace guildhall::test
