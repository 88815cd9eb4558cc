#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

namespace guildhall {

// A coroutine on one event loop. The concrete executor type avoids a virtual call at every resumption.
template <class T = void>
using Task = boost::asio::awaitable<T, boost::asio::io_context::executor_type>;

}  // namespace guildhall
