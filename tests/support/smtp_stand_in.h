#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <openssl/ssl.h>
#include <string>
#include <thread>
#include <vector>

#include "support/certificates.h"

namespace guildhall::test {

struct ReceivedMail {
  std::string from;
  std::vector<std::string> to;
  std::string text;  // headers and body, decoded
};

// A mail server on 127.0.0.1 that implements just enough SMTP to receive a mail, one connection at a time.
class SmtpStandIn {
 public:
  SmtpStandIn();
  // An encrypted one, which takes nothing before a sign-in with this password.
  SmtpStandIn(const TestCertificate& certificate, std::string user, std::string password);
  ~SmtpStandIn();
  SmtpStandIn(const SmtpStandIn&) = delete;
  SmtpStandIn& operator=(const SmtpStandIn&) = delete;

  // smtp://127.0.0.1:<port>, or smtps://<user>:<password>@127.0.0.1:<port>
  std::string url() const;

  // Sets the reply to the next RCPT commands; empty: 250 again.
  void refuse_receivers(std::string reply);

  // Waits until that many mails have been received; returns false after ten seconds.
  bool wait_for_mails(std::size_t count) const;
  std::vector<ReceivedMail> mails() const;
  int refused() const;
  int sign_ins() const;  // those that succeeded

 private:
  void accept();
  void serve(int socket);

  struct Login {
    std::string user, password;
  };

  int listener_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> tls_{nullptr, SSL_CTX_free};
  Login login_;
  std::uint16_t port_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<ReceivedMail> mails_;
  std::string refusal_;
  int refused_ = 0;
  int sign_ins_ = 0;
  std::thread thread_;
};

}  // namespace guildhall::test
