#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

// Sends one email to a mail server, through libcurl.
namespace guildhall::outbound {

// The sender of a mail: an address, and perhaps a name that is shown instead of it.
struct Sender {
  std::string name;
  std::string address;
};

// Parses `shop@example.com` or `Lantern Guild <shop@example.com>`. Returns nothing for any other text. The domain may
// be a name without a dot, such as localhost.
std::optional<Sender> parse_sender(std::string_view text);

struct MailServer {
  std::string url;   // smtp://user:password@host:port or smtps://…; a user requires TLS
  std::string from;  // as parse_sender takes it
  std::chrono::milliseconds total_ms_max{20'000};
};

struct Mail {
  std::string id{};  // becomes the Message-ID, so that duplicates can be recognised
  std::string to{};  // an address
  std::string subject{};
  std::string text{};
  std::string html{};             // empty: the mail has only the text
  std::string unsubscribe_url{};  // takes a POST without anything else (RFC 8058); empty: no such headers
};

struct MailResult {
  bool sent = false;
  bool refused = false;  // permanently, by a 5xx of the server
  std::string error{};   // for the operator; names no secret
};

// Returns the message in wire format.
std::string mail_text(const MailServer& server, const Mail& mail, std::chrono::system_clock::time_point at);

// Sends the mail and blocks until the server has answered; for the threads of the outbox.
MailResult send_mail(const MailServer& server, const Mail& mail);

}  // namespace guildhall::outbound
