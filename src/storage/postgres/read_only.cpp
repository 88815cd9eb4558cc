#include "storage/postgres/engine.h"
#include "storage/postgres/errors.h"
#include "storage/postgres/silence_limit.h"
#include "storage/postgres/transaction.h"

namespace guildhall {
namespace {

// A command that reads everything needs no time limits for its statements.
const Sql without_limits{
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)"};

class PostgresReadOnly : public ReadOnlyDatabase {
 public:
  explicit PostgresReadOnly(const std::string& url) : connection_(url, silence_) {}

  void read(FunctionRef<void(Tx&)> body) override {
    PgTx tx(connection_, Job::Kind::read);
    try {
      tx.run({&without_limits, {}});
      body(tx);
      tx.commit();
    } catch (const ConnectionLost&) {
      throw std::runtime_error("The connection to PostgreSQL broke: please run the command again.");
    } catch (...) {
      try {
        tx.roll_back();
      } catch (const ConnectionLost&) {
        // The server rolls back by itself.
      }
      throw;
    }
  }

  std::string name() const override { return "postgresql"; }

 private:
  SilenceLimit silence_{std::chrono::minutes(10)};  // a command may wait longer than a request
  PgConnection connection_;
};

}  // namespace

std::unique_ptr<ReadOnlyDatabase> open_postgres_read_only(const std::string& url) {
  return std::make_unique<PostgresReadOnly>(url);
}

}  // namespace guildhall
