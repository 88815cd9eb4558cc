#include "sandbox/sandbox.h"

#include <future>

#include "base/log.h"
#include "sandbox/billing.h"
#include "sandbox/chat_platform.h"
#include "sandbox/loop_thread.h"
#include "sandbox/processor.h"
#include "sandbox/service.h"
#include "sandbox/shipping.h"

namespace guildhall::sandbox {

struct Sandbox::Impl {
  explicit Impl(Options options) : world(std::move(options), thread.loop, *thread.workers) {
    thread.listen(service, world.options.port, [this](std::uint16_t port) {
      world.port = port;
      const std::uint16_t mail_port = world.options.mail_port;
      if (mail_port != 0 && world.mailbox.listen(mail_port) == 0) {
        log::warn("sandbox: no mailbox, because its port is in use", {{"port", std::to_string(mail_port)}});
      }
    });
  }
  ~Impl() { thread.stop(); }

  LoopThread thread;
  World world;
  SandboxService service{world};
};

Sandbox::Sandbox(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Sandbox::~Sandbox() = default;

std::uint16_t Sandbox::port() const {
  return impl_->world.port;
}

std::string Sandbox::url(std::string_view path) const {
  return impl_->world.url(path);
}

void Sandbox::run(const std::function<void(World&)>& work) {
  std::packaged_task<void()> task([&] { work(impl_->world); });
  std::future<void> done = task.get_future();
  boost::asio::post(impl_->thread.loop, std::move(task));
  done.get();
}

}  // namespace guildhall::sandbox
