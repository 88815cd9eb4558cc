#include "base/background.h"

#include <boost/asio/co_spawn.hpp>

#include "base/log.h"

namespace guildhall {

void Background::start(Task<> work) {
  ++running_;
  boost::asio::co_spawn(loop_, std::move(work), [this](const std::exception_ptr& failure) {
    --running_;
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      log::error("background work failed", {{"error", error.what()}});
    }
  });
}

}  // namespace guildhall
