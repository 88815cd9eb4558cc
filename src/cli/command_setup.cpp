#include "cli/command_setup.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include "base/log.h"

namespace guildhall {

void prepare_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

Config configured() {
  Config config = read_config(process_environment());
  log::configure(config.log_level, !config.development && ::isatty(STDERR_FILENO) == 0);
  return config;
}

TenantId tenant_named(const std::string& text) {
  if (!is_tenant_id(text)) throw std::runtime_error(fmt::format("--tenant: '{}' is not a tenant's id.", text));
  return TenantId(text);
}

}  // namespace guildhall
