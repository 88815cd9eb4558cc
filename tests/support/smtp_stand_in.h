#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace guildhall::test {

struct ReceivedMail {
  std::string from;
  std::vector<std::string> to;
  std::string text;  // headers and body, dots unstuffed
};

// A mail server on 127.0.0.1 that implements just enough SMTP to receive a mail, one connection at a time.
class SmtpStandIn {
 public:
  SmtpStandIn();
  ~SmtpStandIn();
  SmtpStandIn(const SmtpStandIn&) = delete;
  SmtpStandIn& operator=(const SmtpStandIn&) = delete;

  std::string url() const;  // smtp://127.0.0.1:<port>

  // Sets the reply to the next RCPT commands; empty: 250 again.
  void refuse_receivers(std::string reply);

  // Waits until that many mails have been received; returns false after ten seconds.
  bool wait_for_mails(std::size_t count) const;
  std::vector<ReceivedMail> mails() const;
  int refused() const;

 private:
  void accept();
  void serve(int socket);

  int listener_;
  std::uint16_t port_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<ReceivedMail> mails_;
  std::string refusal_;
  int refused_ = 0;
  std::thread thread_;
};

}  // namespace guildhall::test
