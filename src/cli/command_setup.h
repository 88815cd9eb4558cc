#pragma once

#include <string>

#include "app/config.h"
#include "base/ids.h"

// Steps that several commands begin with.
namespace guildhall {

// Must run before any thread is created. Only the main thread waits for the signals that stop the server, and a client
// that closes its connection must not end the process.
void prepare_signals();

// Reads the configuration from the environment and sets up the log. Throws std::runtime_error that lists every problem.
Config configured();

// Converts the value of --tenant. Throws std::runtime_error if it cannot be the id of a tenant.
TenantId tenant_named(const std::string& text);

}  // namespace guildhall
