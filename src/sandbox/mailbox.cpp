#include "sandbox/mailbox.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/ascii.h"

namespace guildhall::sandbox {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr asio::use_awaitable_t<asio::io_context::executor_type> awaited;
constexpr std::size_t receivers_max = 100;

// MAIL FROM:<ada@example.com> SIZE=1 is about ada@example.com.
std::string between_brackets(std::string_view line) {
  const std::size_t start = line.find('<'), end = line.find('>', start);
  return end == std::string_view::npos ? "" : std::string(line.substr(start + 1, end - start - 1));
}

bool is_command(std::string_view line, std::string_view lower_case) {
  return line.size() >= lower_case.size() && is_text(line.substr(0, lower_case.size()), lower_case);
}

}  // namespace

struct Mailbox::Session {
  tcp::socket socket;
  std::string buffer{};
  std::string from{};
  std::vector<std::string> to{};

  // Everything up to the mark, which is removed. Throws if the peer goes away or sends more than a mail may have.
  Task<std::string> read_until(std::string_view mark) {
    std::size_t end = 0;
    while ((end = buffer.find(mark)) == std::string::npos) {
      if (buffer.size() > mail_bytes_max) throw std::runtime_error("the mail is too large");
      char bytes[16384];
      buffer.append(bytes, co_await socket.async_read_some(asio::buffer(bytes), awaited));
    }
    std::string text = buffer.substr(0, end);
    buffer.erase(0, end + mark.size());
    co_return text;
  }

  Task<> say(std::string line) {
    line += "\r\n";
    co_await asio::async_write(socket, asio::buffer(line), awaited);
  }
};

Mailbox::Mailbox(asio::io_context& loop, std::function<void()> changed)
    : loop_(loop), acceptor_(loop), background_(loop), changed_(std::move(changed)) {}

std::uint16_t Mailbox::listen(std::uint16_t port) {
  boost::system::error_code error;
  const tcp::endpoint address(asio::ip::address_v4::loopback(), port);
  acceptor_.open(address.protocol(), error);
  acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  acceptor_.bind(address, error);
  if (!error) acceptor_.listen(16, error);
  if (error) return 0;
  background_.start(accept());
  return acceptor_.local_endpoint().port();
}

Task<> Mailbox::accept() {
  while (true) {
    tcp::socket socket = co_await acceptor_.async_accept(loop_, awaited);
    background_.start(serve(Session{std::move(socket)}));
  }
}

Task<> Mailbox::serve(Session session) {
  try {
    co_await session.say("220 sandbox");
    while (true) {
      std::string line = co_await session.read_until("\r\n");
      const bool is_last = is_command(line, "quit");
      co_await session.say(co_await reply_to(session, std::move(line)));
      if (is_last) co_return;
    }
  } catch (const std::exception&) {  // the peer has gone away, or has sent too much
  }
}

Task<std::string> Mailbox::reply_to(Session& session, std::string line) {
  if (is_command(line, "ehlo")) co_return fmt::format("250-sandbox\r\n250-8BITMIME\r\n250 SIZE {}", mail_bytes_max);
  if (is_command(line, "mail from:")) {
    session.from = between_brackets(line);
    session.to.clear();
  } else if (is_command(line, "rcpt to:")) {
    if (session.to.size() == receivers_max) co_return "452 too many receivers";
    session.to.push_back(between_brackets(line));
  } else if (is_command(line, "data")) {
    if (session.to.empty()) co_return "503 no receiver";
    co_await session.say("354 go on");
    keep(session, co_await session.read_until("\r\n.\r\n"));
  } else if (is_command(line, "rset")) {
    session.to.clear();
  } else if (is_command(line, "quit")) {
    co_return "221 bye";
  } else if (!is_command(line, "helo") && !is_command(line, "noop")) {
    co_return "502 not implemented";
  }
  co_return "250 ok";
}

void Mailbox::keep(Session& session, std::string_view message) {
  std::string text = "\r\n";
  text += message;
  for (std::size_t at = 0; (at = text.find("\r\n..", at)) != std::string::npos; at += 3) text.erase(at + 2, 1);
  if (mails_.size() == mails_max) mails_.pop_front();
  mails_.push_back({.id = std::to_string(++last_id_),
                    .at = now(),
                    .from = session.from,
                    .to = std::move(session.to),
                    .content = read_mail(std::string_view(text).substr(2))});
  session.to.clear();
  changed_();
}

const ReceivedMail* Mailbox::find(std::string_view id) const {
  for (const ReceivedMail& mail : mails_) {
    if (mail.id == id) return &mail;
  }
  return nullptr;
}

void Mailbox::clear() {
  mails_.clear();
  changed_();
}

}  // namespace guildhall::sandbox
