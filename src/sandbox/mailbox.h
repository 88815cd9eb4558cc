#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/task.h"
#include "sandbox/mail_text.h"

namespace guildhall::sandbox {

struct ReceivedMail {
  std::string id;
  Instant at;
  std::string from;
  std::vector<std::string> to;
  ReadMail content;
};

// A mail server on 127.0.0.1 that takes every mail and delivers none: people read them on the sandbox's page. Used on
// one loop only.
class Mailbox {
 public:
  static constexpr std::size_t mails_max = 200;
  static constexpr std::size_t mail_bytes_max = 2 << 20;

  // `changed` is called after each mail.
  Mailbox(boost::asio::io_context& loop, std::function<void()> changed);

  // Begins to take mails; 0 selects a free port. Returns the port, or 0 if it is in use.
  std::uint16_t listen(std::uint16_t port);

  const std::deque<ReceivedMail>& mails() const { return mails_; }  // the newest is last
  const ReceivedMail* find(std::string_view id) const;
  void clear();

 private:
  struct Session;
  Task<> accept();
  Task<> serve(Session session);
  Task<std::string> reply_to(Session& session, std::string line);
  void keep(Session& session, std::string_view message);

  boost::asio::io_context& loop_;
  boost::asio::ip::tcp::acceptor acceptor_;
  Background background_;
  std::function<void()> changed_;
  std::deque<ReceivedMail> mails_;
  std::uint64_t last_id_ = 0;
};

}  // namespace guildhall::sandbox
