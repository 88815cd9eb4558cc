#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sandbox/world.h"

// Plays every outside party of the server over real HTTP on this machine: the chat platform, the payment processors,
// the shipping provider and the billing provider. For development and tests.
namespace guildhall::sandbox {

class Sandbox {
 public:
  // Listens on 127.0.0.1, on a thread of its own. Throws std::runtime_error if the port is in use.
  explicit Sandbox(Options options);
  ~Sandbox();

  std::uint16_t port() const;
  std::string url(std::string_view path = "") const;

  // Runs the work on the sandbox's thread, and returns when it is done. Rethrows its exception.
  void run(const std::function<void(World&)>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace guildhall::sandbox
