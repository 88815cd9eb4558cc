#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string_view>

struct redisAsyncContext;

namespace guildhall {

// Lets the loop serve the context's socket. `gone` is called once, when hiredis lets go of the context for
// whatever reason (empty when we asked for it): all its callbacks have run by then, and it must not be used
// any more.
void attach_to_loop(redisAsyncContext* context, boost::asio::io_context& loop,
                    std::function<void(std::string_view reason)> gone);

}  // namespace guildhall
