#pragma once

#include <exception>
#include <string_view>

#include "base/failure.h"
#include "http/reply.h"

// Every error body is made here, and only here is it known which failure has which status.
namespace guildhall::api {

using http::Reply;

Reply failure_reply(const Failure& failure);

// For whatever a handler threw: a Failure as above; anything else is logged with the request's id and becomes
// a 500 that tells nothing of the inside.
Reply failure_reply(std::exception_ptr thrown, std::string_view request_id);

Reply error_reply(int status, std::string_view code, std::string_view sentence);
Reply too_large_reply(std::size_t bytes_max);
Reply too_many_requests_reply(std::int64_t window_seconds);

}  // namespace guildhall::api
