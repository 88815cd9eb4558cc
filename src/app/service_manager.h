#pragma once

#include <string_view>

namespace guildhall {

// Reports a state ("READY=1", "STOPPING=1") to the service manager that has started this process, as systemd's
// Type=notify expects it. Does nothing when NOTIFY_SOCKET is not set.
void notify_service_manager(std::string_view state);

}  // namespace guildhall
