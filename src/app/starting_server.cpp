#include "app/starting_server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <signal.h>

#include "api/failure_reply.h"
#include "app/service_manager.h"
#include "base/codec.h"
#include "base/log.h"

namespace guildhall {
namespace {

using http::Reply, http::Request;

constexpr std::chrono::seconds between_attempts{2};
constexpr std::chrono::seconds reports_min_apart{2}, reports_max_apart{600};

// Returns true when SIGTERM or SIGINT arrives within the time.
bool is_stopped_within(std::chrono::seconds time) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  const timespec wait{.tv_sec = time.count(), .tv_nsec = 0};
  return sigtimedwait(&signals, nullptr, &wait) > 0;
}

}  // namespace

class StartingServer::Answers final : public http::Service {
 public:
  std::size_t body_bytes_max(const Request&) override { return 0; }

  Task<Reply> answer(Request& request) override {
    if (request.path == "/healthz") co_return Reply{.body = json::object({{"status", "ok"}}).text};
    if (request.path != "/readyz") co_return unavailable_reply();
    const std::lock_guard lock(mutex_);
    Reply reply{.status = 503};
    reply.body =
        json::object(
            {{"status", "not ready"}, {"database", "down"}, {"cache", "unknown"}, {"warnings", json::array({reason_})}})
            .text;
    co_return reply;
  }

  Reply timed_out(const Request&) override { return unavailable_reply(); }

  Reply malformed(int status, std::string_view sentence) override {
    return api::error_reply(status, "MALFORMED_REQUEST", sentence);
  }

  void set_reason(std::string reason) {
    const std::lock_guard lock(mutex_);
    reason_ = std::move(reason);
  }

 private:
  static Reply unavailable_reply() {
    return api::failure_reply(unavailable("The service is waiting for its database."));
  }

  std::mutex mutex_;
  std::string reason_;
};

StartingServer::StartingServer(const Config& config, std::optional<int> inherited_socket)
    : answers_(std::make_unique<Answers>()) {
  if (inherited_socket) {
    listener_.emplace(io_, *inherited_socket, *answers_, http::Limits{}, capacity_);
  } else {
    listener_.emplace(io_, config.listen.host, config.listen.port, *answers_, http::Limits{}, capacity_);
  }
  thread_ = std::thread([this] {
    const auto work = boost::asio::make_work_guard(io_);
    io_.run();
  });
}

StartingServer::~StartingServer() {
  boost::asio::post(io_, [this] {
    listener_->stop();
    listener_->abort();
    boost::asio::post(io_, [this] { io_.stop(); });
  });
  thread_.join();
}

void StartingServer::set_reason(std::string reason) {
  answers_->set_reason(std::move(reason));
}

std::unique_ptr<App> start_when_database_answers(const Config& config, std::optional<int> inherited_socket) {
  using Clock = std::chrono::steady_clock;
  std::optional<StartingServer> waiting;
  const auto began = Clock::now();
  std::chrono::seconds report_after{0};
  while (true) {
    std::string reason;
    try {
      return std::make_unique<App>(config, inherited_socket);
    } catch (const DatabaseUnreachable& error) {
      reason = error.what();
    } catch (const Failure& failure) {  // the connection broke during a migration, for example
      if (failure.kind != Failure::Kind::unavailable) throw;
      reason = failure.what();
    }
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began);
    if (!waiting) {
      waiting.emplace(config, inherited_socket);
      notify_service_manager("READY=1\nSTATUS=Waiting for the database");
    }
    waiting->set_reason(reason);
    notify_service_manager("WATCHDOG=1");
    if (waited >= report_after) {
      log::error("the start waits for the database", {{"error", reason}, {"seconds", waited.count()}});
      report_after = waited + std::clamp(waited, reports_min_apart, reports_max_apart);
    }
    if (is_stopped_within(between_attempts)) {
      log::info("stopped before the database could be reached");
      return nullptr;
    }
  }
}

}  // namespace guildhall
