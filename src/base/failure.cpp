#include "base/failure.h"

namespace guildhall {

Failure::Failure(Kind kind, std::string_view code, std::string sentence, std::vector<Problem> details)
    : kind(kind), code(code), sentence(std::move(sentence)), details(std::move(details)) {}

Failure invalid_fields(std::vector<Problem> problems) {
  return {Failure::Kind::invalid, "VALIDATION_FAILED", "The request has invalid fields.", std::move(problems)};
}

Failure invalid_field(std::string_view field, std::string_view message) {
  return invalid_fields({{std::string(field), std::string(message)}});
}

Failure bad_request(std::string_view code, std::string sentence) {
  return {Failure::Kind::invalid, code, std::move(sentence)};
}

Failure not_found(std::string_view what) {
  return {Failure::Kind::not_found, "NOT_FOUND", std::string(what) + " not found."};
}

Failure forbidden(std::string_view code, std::string sentence) {
  return {Failure::Kind::forbidden, code, std::move(sentence)};
}

Failure unauthenticated() {
  return {Failure::Kind::unauthenticated, "UNAUTHENTICATED", "There is no active session."};
}

Failure conflict(std::string_view code, std::string sentence) {
  return {Failure::Kind::conflict, code, std::move(sentence)};
}

Failure stale_record() {
  return {Failure::Kind::stale, "PRECONDITION_FAILED", "The record has changed since it was read."};
}

Failure unavailable(std::string sentence) {
  return {Failure::Kind::unavailable, "UNAVAILABLE", std::move(sentence)};
}

}  // namespace guildhall
