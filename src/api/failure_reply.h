#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>

#include "base/failure.h"
#include "http/reply.h"

// The only place that makes error bodies and maps failures to HTTP statuses.
namespace guildhall::api {

using http::Reply;

Reply failure_reply(const Failure& failure);

// The reply to an exception of a handler. A Failure is mapped as above. Any other exception is logged with the
// request's id and becomes a 500 that reveals no internal details.
Reply failure_reply(std::exception_ptr thrown, std::string_view request_id);

Reply error_reply(int status, std::string_view code, std::string_view sentence);
Reply too_large_reply(std::size_t bytes_max);

// `window_seconds` is the length of the limit's window. A limit that the caller does not report in RateLimit headers
// gives the seconds that are `left`.
Reply too_many_requests_reply(std::int64_t window_seconds, std::optional<std::int64_t> left = std::nullopt);

}  // namespace guildhall::api
