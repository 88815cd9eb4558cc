#pragma once

#include <chrono>
#include <optional>
#include <string_view>

// The protocol of systemd between a service manager and the process that it has started. Without the environment
// variables that a service manager sets, these functions do nothing.
namespace guildhall {

// Reports a state: READY=1, WATCHDOG=1, STOPPING=1.
void notify_service_manager(std::string_view state);

// How often WATCHDOG=1 is due: a third of the time after which the service manager considers the process as hanging.
std::optional<std::chrono::microseconds> watchdog_pause();

// The listening socket that the service manager has passed. Removes the variables that describe it from the
// environment, so that no child process takes it for its own. Throws std::runtime_error if there are several sockets.
// Call it before the first thread is started.
std::optional<int> inherited_socket();

}  // namespace guildhall
