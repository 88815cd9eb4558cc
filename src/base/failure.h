#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall {

// One wrong field of a request, named by its path: `items[0].quantity`.
struct Problem {
  std::string field;
  std::string message;
};

// The reason why a request fails. Any code may throw it; only api/failure_reply.cpp maps it to an HTTP status.
class Failure : public std::exception {
 public:
  enum class Kind {
    invalid,            // the request is wrong
    unauthenticated,    // no session
    forbidden,          // a session, but not allowed
    not_found,          // no such record in this tenant; does not reveal whether another tenant has it
    conflict,           // the state of the record, or another record, does not allow it
    stale,              // the record no longer has the version of If-Match
    unsupported_media,  // a body that is not JSON
    unavailable,        // an engine is down or too busy; the outcome of a write may be unknown
    internal,           // an error of the server
  };

  Failure(Kind kind, std::string_view code, std::string sentence, std::vector<Problem> details = {});

  const char* what() const noexcept override { return sentence.c_str(); }

  Kind kind;
  std::string code;      // UPPER_SNAKE, stable, for programs
  std::string sentence;  // one sentence, for people
  std::vector<Problem> details;
};

Failure invalid_fields(std::vector<Problem> problems);
Failure invalid_field(std::string_view field, std::string_view message);
Failure bad_request(std::string_view code, std::string sentence);
Failure not_found(std::string_view what);
Failure forbidden(std::string_view code, std::string sentence);
Failure unauthenticated();
Failure conflict(std::string_view code, std::string sentence);
Failure stale_record();
Failure unavailable(std::string sentence);

}  // namespace guildhall
