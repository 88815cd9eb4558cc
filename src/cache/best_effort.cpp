#include "cache/best_effort.h"

#include "base/failure.h"
#include "base/log.h"

namespace guildhall {

Task<> best_effort(Task<> operation) {
  try {
    co_await std::move(operation);
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::unavailable) throw;
    log::warn("A cache operation failed that the request could do without.", {{"reason", failure.what()}});
  }
}

}  // namespace guildhall
