#include "storage/postgres/errors.h"

#include "base/failure.h"
#include "base/log.h"
#include "storage/database.h"
#include "storage/partitions.h"

namespace guildhall {
namespace {

std::string_view field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? std::string_view() : text;
}

bool is_constraint(std::string_view state) {
  return state == "23505" || state == "23514" || state == "23503" || state == "23P01";
}

constexpr std::string_view not_null_violation = "23502";

bool is_race(std::string_view state) {
  return state == "40001" || state == "40P01";
}

// Classes of errors about resources, operator intervention, time-outs and the system; 55P03 is our own lock_timeout.
bool is_trouble_of_the_server(std::string_view state) {
  return state.starts_with("53") || state.starts_with("57") || state.starts_with("58") || state == "55P03";
}

}  // namespace

std::string_view sqlstate(const PGresult* result) {
  return field(result, PG_DIAG_SQLSTATE);
}

bool ends_connection(PGconn* connection, const PGresult* result) {
  std::string_view state = sqlstate(result);
  return state.starts_with("08") || state == "57P01" || state == "57P02" || state == "57P03" ||
         PQstatus(connection) == CONNECTION_BAD;
}

std::exception_ptr error_of(FunctionRef<void()> action) {
  try {
    action();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

std::exception_ptr postgres_error(PGconn* connection, const PGresult* result, std::string_view statement) {
  std::string_view state = sqlstate(result);
  if (is_constraint(state)) {
    return std::make_exception_ptr(ConstraintViolation(name_without_part(field(result, PG_DIAG_CONSTRAINT_NAME))));
  }
  if (state == not_null_violation) {  // PostgreSQL does not report a name for it
    return std::make_exception_ptr(ConstraintViolation(fmt::format(
        "{}_{}_not_null", name_without_part(field(result, PG_DIAG_TABLE_NAME)), field(result, PG_DIAG_COLUMN_NAME))));
  }
  if (is_race(state)) return std::make_exception_ptr(WriteRace());
  if (ends_connection(connection, result)) return std::make_exception_ptr(ConnectionLost());
  std::string_view message = field(result, PG_DIAG_MESSAGE_PRIMARY);
  if (is_trouble_of_the_server(state)) {
    log::error("PostgreSQL could not do its work", {{"sqlstate", state}, {"error", message}});
    return std::make_exception_ptr(unavailable("The database could not do this now; nothing was changed."));
  }
  log::error("PostgreSQL refused a statement", {{"sqlstate", state}, {"error", message}, {"statement", statement}});
  return std::make_exception_ptr(std::runtime_error(fmt::format("PostgreSQL error {}: {}", state, message)));
}

}  // namespace guildhall
