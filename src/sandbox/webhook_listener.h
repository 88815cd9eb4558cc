#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "outbound/http_client.h"

// Receives the webhooks that the server sends to a tenant's endpoint.
namespace guildhall::sandbox {

struct ReceivedWebhook {
  std::string id;
  std::string body;
  std::optional<std::string> problem{};  // why the signature does not verify; nothing: it does
  int status = 200;                      // what the server was answered
};

// Why the headers do not prove that the server has sent the body with one of the secrets, not long before or after
// `now`; nothing if they do.
std::optional<std::string> problem_of_webhook(std::string_view id, std::string_view timestamp,
                                              std::string_view signature, std::string_view body,
                                              const std::vector<std::string>& secrets, Instant now);

// Listens on 127.0.0.1, on a thread of its own, and calls `show` for each webhook. With an address in `forward_to`,
// each is sent on there as it came, and the answer goes back to the server.
class WebhookListener {
 public:
  // Throws std::runtime_error if the port is in use; 0 selects a free one.
  WebhookListener(std::uint16_t port, std::vector<std::string> secrets, std::string forward_to,
                  std::function<void(const ReceivedWebhook&)> show);
  ~WebhookListener();

  std::uint16_t port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace guildhall::sandbox
