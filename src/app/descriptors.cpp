#include "app/descriptors.h"

#include <algorithm>
#include <sys/resource.h>

#include "base/log.h"

namespace guildhall {
namespace {

constexpr std::size_t reserved_always = 128;     // standard streams, files, pools of calls to other servers
constexpr std::size_t reserved_for_a_loop = 16;  // its event queue, listener, database files and cache connection
constexpr std::size_t reserved_for_a_sender = 2;
constexpr std::size_t connections_min = 16;
constexpr std::size_t connections_of_a_loop_max = 10'000;

}  // namespace

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  if (limit.rlim_cur < limit.rlim_max) {
    rlimit raised{.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

std::size_t connections_for(std::size_t descriptors, const Config& config) {
  const auto loops = static_cast<std::size_t>(config.loops);
  const std::size_t reserved = reserved_always + loops * reserved_for_a_loop +
                               static_cast<std::size_t>(config.database_connections) +
                               static_cast<std::size_t>(config.outbox_threads) * reserved_for_a_sender;
  const std::size_t left = descriptors - std::min(descriptors, reserved);
  return std::clamp(left, connections_min, loops * connections_of_a_loop_max);
}

}  // namespace guildhall
