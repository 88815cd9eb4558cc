#pragma once

#include <cstdint>
#include <functional>
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

// The text of a statement, the same for both engines, with $1, $2 … for parameters. Define each as a static constant:
// the engines' caches of prepared statements identify a statement by its address.
class Sql {
 public:
  explicit Sql(std::string text);
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;
  ~Sql();

  enum class Kind {
    read,    // changes and locks nothing; found by words of the text, which do not reveal what a function does
    insert,  // adds rows and changes no others
    write,   // changes rows
    other    // may change the transaction or the session: SELECT with a lock, set_config(), LOCK TABLE, CREATE …
  };

  const std::string text;
  const Kind kind;
};

// The texts of all statements that exist in this process, for the test that reads their query plans.
std::vector<std::string> statement_texts();

using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct Query {
  const Sql* sql;
  std::vector<Value> params;
};

// One row of a result. Views are valid only inside the callback that receives the row.
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

// A query and the function that makes a T from one row. The reading functions of a store return it, so that the caller
// decides where it runs: `co_await db.one(customer_by_id(tenant, id))` or `tx.one(customer_by_id(tenant, id))`.
template <class T>
struct Select {
  Query query;
  T (*read)(const Row&);
};

// A statement violated a unique, check, not-null or foreign-key constraint. `constraint` is its name in the migrations;
// the name of a primary key is `<table>_pkey`, that of a not-null constraint `<table>_<column>_not_null`. It is empty
// for SQLite's foreign keys, whose name the engine does not report.
class ConstraintViolation : public std::runtime_error {
 public:
  explicit ConstraintViolation(std::string constraint)
      : std::runtime_error("constraint violated: " + constraint), constraint(std::move(constraint)) {}
  std::string constraint;
};

// Thrown by a transaction body when the row that it updates has changed since it was read. The engine rolls back and
// runs the body again, as it does after a serialization failure.
class WriteRace : public std::exception {};

// A row that many transactions change. Within one transaction, rows are changed in this order.
struct SharedRow {
  enum class Table { none, products, discounts, order_counters };
  Table table = Table::none;
  std::string tenant{};
  std::string key{};
  // The number (from 0) of the statement's integer parameter that is added to the row, if the statement with the sum of
  // two such numbers does the same as two statements.
  std::optional<std::size_t> addend{};
  auto operator<=>(const SharedRow&) const = default;
};

// A transaction in progress, passed to its body. Bodies are plain functions that run on an engine's thread. They may
// run more than once, so they assign results rather than add to them and have no other side effects. After a statement
// has failed, both engines roll the transaction back: the body may throw a more specific error, but cannot continue.
class Tx {
 public:
  virtual ~Tx() = default;

  // Runs a statement at once and passes each row to the sink. Returns the number of rows returned or changed. The sink
  // must not use the transaction.
  virtual std::int64_t run(const Query& query, RowSink sink) = 0;
  std::int64_t run(const Query& query) {
    return run(query, [](const Row&) {});
  }

  // Defers a statement whose result is not needed: it is sent together with the next one that runs, or with the commit.
  // When it fails, the transaction fails, and the error is thrown by that next statement or by the commit.
  // When a constraint is violated, `refused` is called, which throws a more specific error or returns. It must check
  // the constraint's name, because it is also called for violations by other deferred statements.
  using Refused = void (*)(const ConstraintViolation&);
  virtual void later(Query query, Refused refused) = 0;
  void later(Query query) { later(std::move(query), accept); }
  static void accept(const ConstraintViolation& /*violation*/) {}

  // As later(), for a row that this transaction does not read: reads that follow need not be sent after it.
  virtual void later_unread(Query query, Refused refused) { later(std::move(query), refused); }

  // As later(), for a change of a row that many transactions change, such as the stock of a product. PostgreSQL makes
  // such changes last, in the order of `row`, so that they lock their rows briefly and cannot deadlock. It adds up
  // those of transactions that are committed together.
  virtual void later_on_shared_row(SharedRow /*row*/, Query query, Refused refused = accept) {
    later(std::move(query), refused);
  }

  // Announces a read that this transaction will run later with exactly this query. PostgreSQL sends it together with
  // the next statement, after those that were deferred before it, and keeps its rows until it is run, so that it costs
  // no round trip of its own. It may not see the writes that this transaction makes after announcing it: announce it
  // after those that change its result.
  virtual void read_ahead(Query /*query*/) {}

  // Calls the function after the commit, on a thread of the engine, and never if the transaction is rolled back. For
  // counting: it must neither throw nor take long.
  void after_commit(std::function<void()> action) { after_commit_.push_back(std::move(action)); }
  std::vector<std::function<void()>> take_after_commit() { return std::exchange(after_commit_, {}); }

  // True on SQLite: one thread writes all transactions one after the other, so counters need no sharding and audit
  // entries are sealed at once.
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
  // Runs several statements in one text, without parameters or results.
  friend class Migrator;
  virtual void run_script(std::string_view statements) = 0;
  // Lifts all time limits for this transaction: a migration may take long, or wait long for that of another node.
  virtual void lift_time_limits() = 0;

  std::vector<std::function<void()>> after_commit_;
};

// The result of a small write that checks whether the database can be written.
struct Probe {
  bool commits_wait_for_standby = false;
};

// An event loop's access to the database. Not shared between threads. Text in parameters must be valid UTF-8 without
// NUL; both engines refuse anything else with Failure invalid.
//
// While a transaction runs, an engine's thread uses the frame of the coroutine that awaits it, so the wait cannot be
// cancelled. The destructor waits until no thread uses such a frame any more; transactions that have not begun by then
// end with Failure unavailable. Destroy the handle before its io_context: on the loop's thread, after the loop has
// stopped, or while no coroutine waits on it.
class Database {
 public:
  virtual ~Database() = default;

  // Runs one short reading statement where it is cheapest: on the loop itself (SQLite), or pipelined with those of
  // other requests (PostgreSQL).
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

  // The queries that a body will run exactly so, before it writes anything that they would see.
  using Reads = FunctionRef<std::vector<Query>()>;
  static constexpr auto no_reads = [] { return std::vector<Query>(); };

  // Runs a writing transaction. Resumes only after the commit has reached the disk. Rethrows the exception of the body
  // after rolling back; throws Failure unavailable when the engine could not commit or the outcome is unknown.
  // PostgreSQL runs the `reads` before the transaction, together with reads of other requests, and keeps their rows.
  template <class Body>
  Task<std::invoke_result_t<Body&, Tx&>> write(Body body, Reads reads = no_reads) {
    using Result = std::invoke_result_t<Body&, Tx&>;
    if constexpr (std::is_void_v<Result>) {
      co_await run_write(body, reads);
    } else {
      std::optional<Result> result;
      co_await run_write([&](Tx& tx) { result.emplace(body(tx)); }, reads);
      co_return std::move(*result);
    }
  }

  // Runs a reading transaction of several statements, or of one that may take long, on one snapshot and not on the
  // loop. Returns the result of the body.
  template <class Body>
  Task<std::invoke_result_t<Body&, Tx&>> read(Body body) {
    std::optional<std::invoke_result_t<Body&, Tx&>> result;
    co_await run_read([&](Tx& tx) { result.emplace(body(tx)); });
    co_return std::move(*result);
  }

  // As read(), for what is only shown: lists, reports and exports. With DATABASE_READ_URL it runs on a replica, if that
  // has everything that was committed before this call; otherwise on the primary, as read(). Nothing may be decided by
  // it: not money, not who may do what, not whether something was done before.
  template <class Body>
  Task<std::invoke_result_t<Body&, Tx&>> read_to_show(Body body) {
    std::optional<std::invoke_result_t<Body&, Tx&>> result;
    co_await run_read_to_show([&](Tx& tx) { result.emplace(body(tx)); });
    co_return std::move(*result);
  }

  // Writes and deletes one row in a transaction. Throws Failure unavailable when the database cannot be written. Takes
  // as long as the engine waits for its server, so the caller has to limit its own wait.
  virtual Task<Probe> probe() = 0;

 protected:
  virtual Task<> run_query(const Query& query, RowSink sink) = 0;
  virtual Task<> run_write(FunctionRef<void(Tx&)> body, Reads reads) = 0;
  virtual Task<> run_read(FunctionRef<void(Tx&)> body) = 0;
  virtual Task<> run_read_to_show(FunctionRef<void(Tx&)> body) { return run_read(body); }
};

}  // namespace guildhall
