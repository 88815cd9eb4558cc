#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <thread>

#include "base/worker_pool.h"
#include "http/listener.h"

namespace guildhall::sandbox {

// A loop on a thread of its own that answers requests on 127.0.0.1. The owner calls listen() when its service is
// complete, and stop() before it destroys the service.
class LoopThread {
 public:
  // Throws std::runtime_error if the port is in use; 0 selects a free one. `listening` is called with the port before
  // the first request is answered.
  void listen(http::Service& service, std::uint16_t port, const std::function<void(std::uint16_t)>& listening = {}) {
    listener_.emplace(loop, "127.0.0.1", port, service, http::Limits{}, capacity_);
    if (listening) listening(listener_->port());
    thread_ = std::thread([this] {
      const auto work = boost::asio::make_work_guard(loop);
      loop.run();
    });
  }

  std::uint16_t port() const { return listener_->port(); }

  // Requests that are still running are not answered.
  void stop() {
    if (!thread_.joinable()) return;  // listen() has thrown
    boost::asio::post(loop, [this] {
      listener_->stop();
      listener_->abort();
      loop.stop();
    });
    thread_.join();
    workers.reset();
  }

 private:
  static constexpr int outbound_threads = 8;
  static constexpr std::size_t outbound_queued_max = 1000;

  http::Capacity capacity_;

 public:
  boost::asio::io_context loop{1};
  std::unique_ptr<WorkerPool> workers = std::make_unique<WorkerPool>(outbound_threads, outbound_queued_max);

 private:
  std::optional<http::Listener> listener_;
  std::thread thread_;
};

}  // namespace guildhall::sandbox
