#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/function_ref.h"
#include "base/task.h"

namespace guildhall {

// A statement's text, the same for both engines ($1, $2 … for parameters). Define each as a static constant:
// its address is its identity in the engines' caches of prepared statements.
class Sql {
 public:
  explicit Sql(std::string text);
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;
  ~Sql();

  const std::string text;
};

// The texts of all statements that exist in this process, for the test that reads their query plans.
std::vector<std::string> statement_texts();

using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct Query {
  const Sql* sql;
  std::vector<Value> params;
};

// One row of a result. Views are valid only inside the callback that is handed the row.
class Row {
 public:
  virtual ~Row() = default;
  virtual bool is_null(int column) const = 0;
  virtual bool boolean(int column) const = 0;
  virtual std::int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;
  virtual std::string_view text(int column) const = 0;
};

using RowSink = FunctionRef<void(const Row&)>;

// A query together with how one row becomes a T: what a store's reading functions return, so that the caller
// decides where it runs: `co_await db.one(customer_by_id(tenant, id))` or `tx.one(customer_by_id(tenant,
// id))`.
template <class T>
struct Select {
  Query query;
  T (*read)(const Row&);
};

// A unique, check, not-null or foreign-key constraint refused a statement. `constraint` is its name in the migrations;
// a primary key is `<table>_pkey`, what is not null `<table>_<column>_not_null`. Empty where the engine cannot tell
// (SQLite's foreign keys).
class ConstraintViolation : public std::runtime_error {
 public:
  explicit ConstraintViolation(std::string constraint)
      : std::runtime_error("constraint violated: " + constraint), constraint(std::move(constraint)) {}
  std::string constraint;
};

// Thrown by a transaction body whose guarded update found the row changed since it was read: the engine rolls
// back and runs the body again, as for a serialization failure.
class WriteRace : public std::exception {};

// A transaction, as its body sees it. Bodies are plain functions that run on an engine's thread: they may run
// more than once, so they assign results rather than add to them, and keep no other side effects. After a
// statement has failed the transaction is lost on both engines: a body may throw something better, but not
// carry on.
class Tx {
 public:
  virtual ~Tx() = default;

  // Runs now and hands over each row; returns the number of rows returned or changed. The sink must not use
  // the transaction.
  virtual std::int64_t run(const Query& query, RowSink sink) = 0;
  std::int64_t run(const Query& query) {
    return run(query, [](const Row&) {});
  }

  // Queues a statement whose result nobody needs: it travels with the next one that runs, or with the commit.
  // Its error fails the transaction, from wherever it surfaces first.
  // A constraint's refusal is shown to `refused`, which throws what it means, or returns. It knows its constraints by
  // their names: it may be shown those of other statements.
  using Refused = void (*)(const ConstraintViolation&);
  virtual void later(Query query, Refused refused) = 0;
  void later(Query query) {
    later(std::move(query), [](const ConstraintViolation&) {});
  }

  // No other transaction can write at the same time, so rows that all of them write need not be spread.
  virtual bool has_single_writer() const = 0;

  template <class T>
  std::optional<T> one(const Select<T>& select) {
    std::optional<T> found;
    run(select.query, [&](const Row& row) { found.emplace(select.read(row)); });
    return found;
  }

  template <class T>
  std::vector<T> all(const Select<T>& select) {
    std::vector<T> found;
    run(select.query, [&](const Row& row) { found.push_back(select.read(row)); });
    return found;
  }

 private:
  // Several statements in one text, without parameters or results.
  friend class Migrator;
  virtual void run_script(std::string_view statements) = 0;
  // A migration may take long, and may wait long for another node's: lifts all limits for this transaction.
  virtual void lift_time_limits() = 0;
};

// The result of a small write whose only purpose is to find out whether the database can be written.
struct Probe {
  bool commits_wait_for_standby = false;
};

// One event loop's access to the database. Not shared between threads. Text in parameters must be valid UTF-8
// without NUL: anything else is refused with Failure invalid, alike on both engines.
//
// While a transaction is under way, an engine's thread uses the frame of the coroutine that awaits it, so the
// wait cannot be cancelled. Destroying the handle waits until no thread does so any more; what has not begun by
// then ends with Failure unavailable. Destroy it before its io_context: on the loop's thread, after the loop
// has stopped, or while nothing waits on it.
class Database {
 public:
  virtual ~Database() = default;

  // One short reading statement, run where it is cheapest: on the loop itself (SQLite) or pipelined together
  // with other requests' (PostgreSQL).
  template <class T>
  Task<std::optional<T>> one(Select<T> select) {
    std::optional<T> found;
    co_await run_query(select.query, [&](const Row& row) { found.emplace(select.read(row)); });
    co_return found;
  }

  template <class T>
  Task<std::vector<T>> all(Select<T> select) {
    std::vector<T> found;
    co_await run_query(select.query, [&](const Row& row) { found.push_back(select.read(row)); });
    co_return found;
  }

  // A writing transaction. Resumes only after the commit has reached the disk. Throws what the body throws
  // (rolled back), Failure unavailable when the engine could not commit or its outcome is unknown.
  template <class Body>
  Task<std::invoke_result_t<Body&, Tx&>> write(Body body) {
    using Result = std::invoke_result_t<Body&, Tx&>;
    if constexpr (std::is_void_v<Result>) {
      co_await run_write(body);
    } else {
      std::optional<Result> result;
      co_await run_write([&](Tx& tx) { result.emplace(body(tx)); });
      co_return std::move(*result);
    }
  }

  // A reading transaction of several statements, or one that may take long: off the loop, on one snapshot.
  // The body returns what it read.
  template <class Body>
  Task<std::invoke_result_t<Body&, Tx&>> read(Body body) {
    std::optional<std::invoke_result_t<Body&, Tx&>> result;
    co_await run_read([&](Tx& tx) { result.emplace(body(tx)); });
    co_return std::move(*result);
  }

  // Writes and deletes one row in a transaction. Throws Failure unavailable when the database cannot be written. Takes
  // as long as the engine waits for its server: the caller has to limit its own wait.
  virtual Task<Probe> probe() = 0;

 protected:
  virtual Task<> run_query(const Query& query, RowSink sink) = 0;
  virtual Task<> run_write(FunctionRef<void(Tx&)> body) = 0;
  virtual Task<> run_read(FunctionRef<void(Tx&)> body) = 0;
};

}  // namespace guildhall
