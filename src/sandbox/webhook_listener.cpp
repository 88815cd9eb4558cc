#include "sandbox/webhook_listener.h"

#include "api/failure_reply.h"
#include "base/crypto.h"
#include "features/webhooks/signatures.h"
#include "features/webhooks/standard_webhooks.h"
#include "sandbox/loop_thread.h"

namespace guildhall::sandbox {
namespace {

using http::Reply, http::Request;

constexpr std::string_view forwarded_headers[] = {"content-type", "webhook-id", "webhook-timestamp",
                                                  "webhook-signature"};

bool contains(std::string_view signatures, std::string_view wanted) {
  bool found = false;
  while (!signatures.empty()) {
    const std::string_view one = signatures.substr(0, signatures.find(' '));
    found |= equal_in_constant_time(one, wanted);
    signatures.remove_prefix(std::min(signatures.size(), one.size() + 1));
  }
  return found;
}

}  // namespace

std::optional<std::string> problem_of_webhook(std::string_view id, std::string_view timestamp,
                                              std::string_view signature, std::string_view body,
                                              const std::vector<std::string>& secrets, Instant now) {
  if (secrets.empty()) return "no secret was given";
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(timestamp.data(), timestamp.data() + timestamp.size(), seconds);
  if (error != std::errc() || end != timestamp.data() + timestamp.size()) return "webhook-timestamp is not a time";
  if (std::abs(now.ms / 1000 - seconds) > signature_tolerance.count()) return "webhook-timestamp is too far from now";
  for (const std::string& secret : secrets) {
    if (contains(signature, webhook_signature(id, Instant{seconds * 1000}, body, std::span(&secret, 1)))) return {};
  }
  return "webhook-signature fits none of the secrets";
}

struct WebhookListener::Impl final : http::Service {
  Impl(std::vector<std::string> secrets, std::string forward_to, std::function<void(const ReceivedWebhook&)> show)
      : secrets(std::move(secrets)), forward_to(std::move(forward_to)), show(std::move(show)) {}
  ~Impl() override { thread.stop(); }

  std::size_t body_bytes_max(const Request&) override { return http::usual_body_bytes_max; }

  Task<Reply> answer(Request& request) override {
    ReceivedWebhook received{.id = std::string(request.header("webhook-id")), .body = std::string(request.body)};
    received.problem = problem_of_webhook(received.id, request.header("webhook-timestamp"),
                                          request.header("webhook-signature"), request.body, secrets, now());
    if (!forward_to.empty()) {
      try {
        const outbound::Reply reply = co_await outbound::send(*thread.workers, forwarded(request));
        received.status = reply.status == 0 ? 502 : reply.status;
      } catch (const Failure&) {  // too many wait
        received.status = 503;
      }
    }
    show(received);
    co_return Reply{.status = received.status, .content_type = ""};
  }

  outbound::Request forwarded(const Request& request) const {
    outbound::Request out{.method = "POST", .url = forward_to, .body = std::string(request.body)};
    for (const std::string_view name : forwarded_headers) {
      out.headers.emplace_back(name, request.header(name));
    }
    return out;
  }

  Reply timed_out(const Request&) override {
    return api::error_reply(503, "UNAVAILABLE", "The webhook could not be forwarded in time.");
  }
  Reply malformed(int status, std::string_view sentence) override {
    return api::error_reply(status, "BAD_REQUEST", sentence);
  }

  const std::vector<std::string> secrets;
  const std::string forward_to;
  const std::function<void(const ReceivedWebhook&)> show;
  LoopThread thread;
};

WebhookListener::WebhookListener(std::uint16_t port, std::vector<std::string> secrets, std::string forward_to,
                                 std::function<void(const ReceivedWebhook&)> show)
    : impl_(std::make_unique<Impl>(std::move(secrets), std::move(forward_to), std::move(show))) {
  impl_->thread.listen(*impl_, port);
}

WebhookListener::~WebhookListener() = default;

std::uint16_t WebhookListener::port() const {
  return impl_->thread.port();
}

}  // namespace guildhall::sandbox
