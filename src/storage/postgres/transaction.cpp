#include "storage/postgres/transaction.h"

#include "base/failure.h"
#include "base/log.h"
#include "storage/params.h"
#include "storage/postgres/errors.h"

namespace guildhall {
namespace {

const Sql begin_sql{"BEGIN"};
const Sql begin_reading_sql{"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"};
const Sql commit_sql{"COMMIT"};
const Sql roll_back_sql{"ROLLBACK"};
const Sql wait_without_limit_sql{
    "SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)"};

}  // namespace

std::int64_t PgTx::run(const Query& query, RowSink sink) {
  check();
  PgResult result;
  remember_failure([&] {
    check_text(query);
    send_waiting();
    connection_.send(query);
    result = connection_.collect();
  });
  return hand_over(result.get(), sink);
}

void PgTx::later(Query query, Refused refused) {
  check();
  remember_failure([&] { check_text(query); });
  deferred_.push_back(std::move(query));
  refused_.push_back(refused);
}

void PgTx::commit() {
  check();
  if (!begun_ && deferred_.empty()) return;
  remember_failure([&] {
    send_waiting();
    connection_.take_replication_warning();
    try {
      connection_.send({&commit_sql, {}});
      connection_.send_sync();
      PgResult result = connection_.collect();
      // The server answers a COMMIT of a failed transaction with success and ROLLBACK.
      if (std::string_view(PQcmdStatus(result.get())) != "COMMIT") throw std::logic_error("not committed");
    } catch (const ConnectionLost&) {
      if (kind_ == Job::Kind::read) throw;
      log::error("The connection to PostgreSQL broke during a commit");
      throw unavailable("The database did not confirm the commit: whether the change was made is unknown.");
    }
    if (connection_.take_replication_warning()) {
      log::error("PostgreSQL committed without waiting for its standby servers");
      throw unavailable("The database did not replicate the commit: whether the change will last is unknown.");
    }
  });
  begun_ = false;
}

void PgTx::roll_back() {
  deferred_.clear();
  if (!begun_) return;
  begun_ = false;
  // After an error the server skips all statements up to a sync, so a sync is sent first.
  connection_.send_sync();
  connection_.send({&roll_back_sql, {}});
  connection_.send_sync();
  connection_.collect();
}

void PgTx::run_script(std::string_view statements) {
  check();
  remember_failure([&] {
    send_waiting();
    connection_.send_sync();
    connection_.collect();
    connection_.run_script(std::string(statements));
  });
}

void PgTx::lift_time_limits() {
  connection_.limit_silence(false);
  later({&wait_without_limit_sql, {}}, [](const ConstraintViolation&) {});
}

void PgTx::send_waiting() {
  if (!begun_) {
    begun_ = true;
    connection_.send({kind_ == Job::Kind::read ? &begin_reading_sql : &begin_sql, {}});
  }
  for (const Query& query : std::exchange(deferred_, {})) connection_.send(query);
}

void PgTx::check() const {
  if (failed_) std::rethrow_exception(failed_);
}

void PgTx::remember_failure(FunctionRef<void()> action) {
  try {
    action();
  } catch (...) {
    failed_ = translated_failure();
    std::rethrow_exception(failed_);
  }
}

std::exception_ptr PgTx::translated_failure() const {
  try {
    throw;
  } catch (const ConstraintViolation& violation) {
    try {
      for (const Refused refused : refused_) refused(violation);
    } catch (...) {
      return std::current_exception();
    }
    return std::current_exception();
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace guildhall
