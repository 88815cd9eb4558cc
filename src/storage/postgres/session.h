#pragma once

#include <optional>
#include <string>

#include "storage/job.h"
#include "storage/postgres/back_off.h"
#include "storage/postgres/connection.h"

namespace guildhall {

// One thread's connection, made when first needed and again when broken.
class PgSession {
 public:
  explicit PgSession(std::string url) : url_(std::move(url)) {}

  // Runs a transaction to its end. Repeats it after a race, and once after the connection broke before COMMIT
  // was sent. Throws what the body throws, or Failure unavailable.
  void run(const Job& job);

 private:
  void run_once(const Job& job);
  PgConnection& connected();

  std::string url_;
  std::optional<PgConnection> connection_;
  BackOff back_off_;
};

}  // namespace guildhall
