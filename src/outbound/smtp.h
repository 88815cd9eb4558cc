#pragma once

#include <chrono>
#include <string>

// One email to a mail server, through libcurl.
namespace guildhall::outbound {

struct MailServer {
  std::string url;   // smtp://user:password@host:port or smtps://…; with a user only over TLS
  std::string from;  // an address
  std::chrono::milliseconds total_ms_max{20'000};
};

struct Mail {
  std::string id{};  // becomes the Message-ID, so that a repetition can be recognised
  std::string to{};  // an address
  std::string subject{};
  std::string text{};
};

struct MailResult {
  bool sent = false;
  bool refused = false;  // for good, by the server's 5xx
  std::string error{};   // for the operator; names no secret
};

// The message as it goes over the wire.
std::string mail_text(const MailServer& server, const Mail& mail, std::chrono::system_clock::time_point at);

// Blocks; for the outbox's threads.
MailResult send_mail(const MailServer& server, const Mail& mail);

}  // namespace guildhall::outbound
