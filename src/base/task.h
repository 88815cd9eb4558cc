#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

namespace guildhall {

// A coroutine of one event loop. The concrete executor spares every resumption a virtual call.
template <class T = void>
using Task = boost::asio::awaitable<T, boost::asio::io_context::executor_type>;

}  // namespace guildhall
