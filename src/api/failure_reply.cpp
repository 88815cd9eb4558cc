#include "api/failure_reply.h"

#include "base/declared.h"
#include "base/log.h"

namespace guildhall {
BOOST_DESCRIBE_STRUCT(Problem, (), (field, message))
}  // namespace guildhall

namespace guildhall::api {
namespace {

int status_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::invalid:
      return 400;
    case Failure::Kind::unauthenticated:
      return 401;
    case Failure::Kind::forbidden:
      return 403;
    case Failure::Kind::not_found:
      return 404;
    case Failure::Kind::conflict:
      return 409;
    case Failure::Kind::stale:
      return 412;
    case Failure::Kind::unsupported_media:
      return 415;
    case Failure::Kind::unavailable:
      return 503;
    case Failure::Kind::internal:
      return 500;
  }
  return 500;
}

}  // namespace

Reply error_reply(int status, std::string_view code, std::string_view sentence) {
  return {.status = status, .body = json::object({{"error", sentence}, {"code", code}}).text};
}

Reply failure_reply(const Failure& failure) {
  Reply reply{.status = status_of(failure.kind), .body = json::write_object([&](json::ObjectWriter& body) {
                                                   body.add("error", failure.sentence);
                                                   body.add("code", failure.code);
                                                   if (!failure.details.empty()) body.add("details", failure.details);
                                                 })};
  if (failure.kind == Failure::Kind::unavailable) reply.with("Retry-After", "1");
  return reply;
}

Reply failure_reply(std::exception_ptr thrown, std::string_view request_id) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    if (failure.kind == Failure::Kind::unavailable) {
      log::warn("request not served", {{"requestId", request_id}, {"reason", failure.sentence}});
    }
    return failure_reply(failure);
  } catch (const std::exception& error) {
    log::error("request failed", {{"requestId", request_id}, {"error", error.what()}});
  } catch (...) {
    log::error("request failed", {{"requestId", request_id}, {"error", "unknown"}});
  }
  return error_reply(500, "INTERNAL_ERROR", "Something went wrong on our side.");
}

Reply too_large_reply(std::size_t bytes_max) {
  return {.status = 413, .body = json::object({{"error", "Payload Too Large"}, {"maxBytes", bytes_max}}).text};
}

Reply too_many_requests_reply(std::int64_t window_seconds, std::optional<std::int64_t> left) {
  Reply reply{.status = 429,
              .body = json::object({{"error", "Too Many Requests"}, {"retryAfterSeconds", window_seconds}}).text};
  reply.with("Retry-After", fmt::format("{}", window_seconds));
  if (left) reply.with("RateLimit-Remaining", "0").with("RateLimit-Reset", fmt::format("{}", *left));
  return reply;
}

}  // namespace guildhall::api
