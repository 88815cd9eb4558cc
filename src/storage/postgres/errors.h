#pragma once

#include <exception>
#include <libpq-fe.h>
#include <string_view>

namespace guildhall {

// The connection broke, or was given up because the server did not answer in time. What that means for a transaction
// depends on how far it had come.
class ConnectionLost : public std::exception {
 public:
  const char* what() const noexcept override { return "the connection to PostgreSQL broke"; }

  bool server_was_silent = false;
  bool after_use = true;  // false: it had ended before the transaction began
};

// What a failed result means: ConstraintViolation; WriteRace for serialization failures and deadlocks;
// ConnectionLost; Failure unavailable when the server is out of resources or stopping, or a time-out struck;
// std::runtime_error, logged, for anything else. `statement` is for the log.
std::exception_ptr postgres_error(PGconn* connection, const PGresult* result, std::string_view statement);

std::string_view sqlstate(const PGresult* result);

// True for errors after which the server closes the connection.
bool ends_connection(PGconn* connection, const PGresult* result);

}  // namespace guildhall
