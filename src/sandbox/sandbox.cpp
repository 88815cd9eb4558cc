#include "sandbox/sandbox.h"

#include <future>

#include "sandbox/billing.h"
#include "sandbox/chat_platform.h"
#include "sandbox/loop_thread.h"
#include "sandbox/processor.h"
#include "sandbox/service.h"
#include "sandbox/shipping.h"

namespace guildhall::sandbox {

struct Sandbox::Impl {
  explicit Impl(Options options) : world(std::move(options), thread.loop, *thread.workers) {
    thread.listen(service, world.options.port, [this](std::uint16_t port) { world.port = port; });
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
