#pragma once

#include <exception>
#include <libpq-fe.h>
#include <string_view>

#include "base/failure.h"
#include "base/function_ref.h"

namespace guildhall {

// The connection broke, or was closed because the server did not answer in time. Whether the transaction was committed
// depends on its progress.
class ConnectionLost : public std::exception {
 public:
  const char* what() const noexcept override { return "the connection to PostgreSQL broke"; }

  bool server_was_silent = false;
  bool after_use = true;  // false if it had ended before the transaction began
};

// Whether the transaction was committed, or will last, is not known. It must not run again.
class OutcomeUnknown : public Failure {
 public:
  explicit OutcomeUnknown(std::string sentence) : Failure(unavailable(std::move(sentence))) {}
};

// The exception that the action throws, or null.
std::exception_ptr error_of(FunctionRef<void()> action);

// Translates a failed result: ConstraintViolation; WriteRace for serialization failures and deadlocks; ConnectionLost;
// Failure unavailable when the server is out of resources or stopping, or a time limit was exceeded;
// std::runtime_error, after logging it, for anything else. `statement` is for the log.
std::exception_ptr postgres_error(PGconn* connection, const PGresult* result, std::string_view statement);

std::string_view sqlstate(const PGresult* result);

// True for errors after which the server closes the connection.
bool ends_connection(PGconn* connection, const PGresult* result);

}  // namespace guildhall
