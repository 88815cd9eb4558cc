#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string_view>

struct redisAsyncContext;

namespace guildhall {

// Lets the loop serve the socket of the context. `gone` is called once, when hiredis frees the context, with the reason
// (empty when we asked for it). By then all callbacks have run, and the context must not be used any more.
void attach_to_loop(redisAsyncContext* context, boost::asio::io_context& loop,
                    std::function<void(std::string_view reason)> gone);

}  // namespace guildhall
