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

// Long enough for the commit of another node that has the row.
const Sql wait_briefly_sql{"SELECT set_config('lock_timeout', '500', true)"};

bool is_same(const Query& a, const Query& b) {
  return a.sql == b.sql && a.params == b.params;
}

// Lets the first statement do the work of both, if that is possible. The other parameters are those of the second one,
// which is newer.
bool add_up(PgWrites::Statement& first, PgWrites::Statement& second) {
  const std::optional<std::size_t> addend = first.shared_row.addend;
  if (!addend || first.query.sql != second.query.sql || first.shared_row != second.shared_row) return false;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(std::get<std::int64_t>(first.query.params[*addend]),
                             std::get<std::int64_t>(second.query.params[*addend]), &sum)) {
    return false;
  }
  first = std::move(second);
  first.query.params[*addend] = sum;
  return true;
}

}  // namespace

std::int64_t PgTx::run(const Query& query, RowSink sink) {
  check();
  const bool before_writes = may_run_before_writes(query);
  // One that was announced and not sent yet would be sent twice.
  std::erase_if(deferred_, [&](const Deferred& each) { return each.is_read_ahead && is_same(each.query, query); });
  if (const auto rows = take_read_ahead(query)) {
    hand_over(*rows, sink);
    return rows->count;
  }
  PgResult result;
  remember_failure([&] {
    check_text(query);
    if (before_writes) {
      result = read_before_writes(query);
    } else {
      send_waiting();
      connection_.send(query);
      result = collect();
    }
  });
  return hand_over(result.get(), sink);
}

void PgTx::run_before_snapshot(const Query& query, RowSink sink) {
  PgResult result;
  remember_failure([&] {
    if (begun_) throw std::logic_error("the transaction has begun");
    connection_.send(query);
    connection_.send_sync();
    result = collect();
  });
  hand_over(result.get(), sink);
}

void PgTx::later_on_shared_row(SharedRow row, Query query, Refused refused) {
  check();
  remember_failure([&] { check_text(query); });
  const Sql::Kind kind = query.sql->kind;
  changes_settings_ = changes_settings_ || (kind != Sql::Kind::insert && kind != Sql::Kind::write);
  deferred_.push_back({{std::move(query), std::move(row)}});
  refused_.push_back(refused);
}

void PgTx::read_ahead(Query query) {
  check();
  remember_failure([&] { check_text(query); });
  deferred_.push_back({{std::move(query)}, true});
}

void PgTx::later_unread(Query query, Refused refused) {
  later(std::move(query), refused);
  deferred_.back().is_unread = true;
}

std::span<PgTx::Deferred> PgTx::before_first_write() {
  const auto first_write =
      std::ranges::find_if_not(deferred_, [](const Deferred& each) { return each.is_read_ahead || each.is_unread; });
  return {deferred_.begin(), first_write};
}

bool PgTx::may_run_before_writes(const Query& query) {
  if (begun_ || kind_ == Job::Kind::read || query.sql->kind != Sql::Kind::read) return false;
  const std::span<Deferred> first = before_first_write();
  const bool announced = std::ranges::any_of(first, [&](const Deferred& each) { return is_same(each.query, query); });
  return announced || first.size() == deferred_.size();
}

PgResult PgTx::read_before_writes(const Query& query) {
  const std::span<Deferred> first = before_first_write();
  const auto unread = std::ranges::stable_partition(first, &Deferred::is_read_ahead);
  const auto reads = std::ssize(first) - std::ssize(unread);
  send_deferred({std::move_iterator(first.begin()), std::move_iterator(first.begin() + reads)});
  deferred_.erase(deferred_.begin(), deferred_.begin() + reads);
  connection_.send(query);
  connection_.send_sync();
  return collect();
}

std::optional<PgRows> PgTx::take_read_ahead(const Query& query) {
  const auto found = std::ranges::find_if(
      read_ahead_, [&](const ReadAhead& each) { return each.rows.result && is_same(each.query, query); });
  if (found == read_ahead_.end()) return std::nullopt;
  PgRows rows = std::move(found->rows);
  read_ahead_.erase(found);
  return rows;
}

bool PgTx::can_join_others() const {
  return !failed_ && !begun_ && !changes_settings_ && !refused_.empty();
}

PgWrites PgTx::take_writes() {
  PgWrites writes{.refused = std::exchange(refused_, {})};
  for (Deferred& each : std::exchange(deferred_, {})) {
    if (!each.is_read_ahead) writes.statements.push_back(std::move(each));
  }
  return writes;
}

void PgTx::wait_briefly_for_locks() {
  later({&wait_briefly_sql, {}}, [](const ConstraintViolation&) {});
}

void PgTx::add(PgWrites&& writes) {
  for (PgWrites::Statement& each : writes.statements) deferred_.push_back({std::move(each)});
  refused_.insert(refused_.end(), writes.refused.begin(), writes.refused.end());
}

void PgTx::order_shared_rows() {
  std::ranges::stable_sort(deferred_, {}, &Deferred::shared_row);  // those of no shared row stay first, as they are
  std::vector<Deferred> summed;
  for (Deferred& each : deferred_) {
    if (summed.empty() || !add_up(summed.back(), each)) summed.push_back(std::move(each));
  }
  deferred_ = std::move(summed);
}

void PgTx::commit() {
  check();
  std::erase_if(deferred_, [](const Deferred& each) { return each.is_read_ahead; });
  if (!begun_ && deferred_.empty()) return;
  order_shared_rows();
  remember_failure([&] {
    send_waiting();
    connection_.take_replication_warning();
    try {
      connection_.send({&commit_sql, {}});
      connection_.send_sync();
      PgResult result = collect();
      // The server answers a COMMIT of a failed transaction with success and ROLLBACK.
      if (std::string_view(PQcmdStatus(result.get())) != "COMMIT") throw std::logic_error("not committed");
    } catch (const ConnectionLost&) {
      if (kind_ == Job::Kind::read) throw;
      log::error("The connection to PostgreSQL broke during a commit");
      throw OutcomeUnknown("The database did not confirm the commit: whether the change was made is unknown.");
    }
    if (connection_.take_replication_warning()) {
      log::error("PostgreSQL committed without waiting for its standby servers");
      throw OutcomeUnknown("The database did not replicate the commit: whether the change will last is unknown.");
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
    collect();
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
  send_deferred(std::exchange(deferred_, {}));
}

void PgTx::send_deferred(std::vector<Deferred> statements) {
  for (Deferred& each : statements) {
    if (each.is_read_ahead) {
      connection_.send_and_keep(each.query);
      read_ahead_.push_back({std::move(each.query)});
    } else {
      connection_.send(each.query, each.times);
    }
  }
}

PgResult PgTx::collect() {
  PgResult last = connection_.collect();
  auto waiting = std::ranges::find_if(read_ahead_, [](const ReadAhead& each) { return !each.rows.result; });
  for (PgResult& result : connection_.take_kept()) (waiting++)->rows = all_rows(std::move(result));
  return last;
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
