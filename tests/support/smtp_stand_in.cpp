#include "support/smtp_stand_in.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

#include "base/encoding.h"
#include "outbound/quoted_printable.h"

namespace guildhall::test {
namespace {

// Lines over a connection, which is encrypted if there is a context.
class Lines {
 public:
  Lines(int socket, SSL_CTX* context) : socket_(socket), tls_(context ? SSL_new(context) : nullptr, SSL_free) {
    if (!tls_) return;
    SSL_set_fd(tls_.get(), socket);
    SSL_accept(tls_.get());  // if the client refuses the certificate, nothing can be read
  }

  std::optional<std::string> next() {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n")) == std::string::npos) {
      char bytes[4096];
      const ssize_t count =
          tls_ ? SSL_read(tls_.get(), bytes, sizeof(bytes)) : ::recv(socket_, bytes, sizeof(bytes), 0);
      if (count <= 0) return std::nullopt;
      buffer_.append(bytes, static_cast<std::size_t>(count));
    }
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 2);
    return line;
  }

  void say(const std::string& line) {
    const std::string bytes = line + "\r\n";
    if (tls_) {
      SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()));
    } else {
      ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
  }

 private:
  int socket_;
  std::unique_ptr<SSL, decltype(&SSL_free)> tls_;
  std::string buffer_;
};

std::string between_brackets(const std::string& line) {
  const std::size_t start = line.find('<') + 1;
  return line.substr(start, line.find('>') - start);
}

// Decodes the parts of a mail that are quoted-printable.
std::string decoded_parts(const std::string& mail) {
  constexpr std::string_view header = "Content-Transfer-Encoding: quoted-printable\n\n";
  std::string out, rest = mail;
  for (std::size_t at = 0; (at = rest.find(header)) != std::string::npos;) {
    const std::size_t start = at + header.size(), end = std::min(rest.find("\n--=_", start), rest.size());
    out += rest.substr(0, start) + outbound::from_quoted_printable(rest.substr(start, end - start));
    rest.erase(0, end);
  }
  return out + rest;
}

std::string read_data(Lines& lines) {
  std::string text;
  while (const auto line = lines.next()) {
    if (*line == ".") break;
    if (std::any_of(line->begin(), line->end(), [](char c) { return (c & 0x80) != 0; })) {
      throw std::runtime_error("the mail stand-in does not offer 8BITMIME, but gets " + *line);
    }
    text += (line->starts_with("..") ? line->substr(1) : *line) + "\n";
  }
  return decoded_parts(text);
}

}  // namespace

SmtpStandIn::SmtpStandIn() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the mail stand-in cannot listen");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { accept(); });
}

SmtpStandIn::SmtpStandIn(const TestCertificate& certificate, std::string user, std::string password) : SmtpStandIn() {
  login_ = {std::move(user), std::move(password)};
  tls_.reset(SSL_CTX_new(TLS_server_method()));
  certificate.use_in(tls_.get());
}

SmtpStandIn::~SmtpStandIn() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::string SmtpStandIn::url() const {
  if (!tls_) return fmt::format("smtp://127.0.0.1:{}", port_);
  return fmt::format("smtps://{}:{}@127.0.0.1:{}", login_.user, login_.password, port_);
}

void SmtpStandIn::refuse_receivers(std::string reply) {
  const std::lock_guard lock(mutex_);
  refusal_ = std::move(reply);
}

bool SmtpStandIn::wait_for_mails(std::size_t count) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return mails_.size() >= count; });
}

std::vector<ReceivedMail> SmtpStandIn::mails() const {
  const std::lock_guard lock(mutex_);
  return mails_;
}

int SmtpStandIn::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

int SmtpStandIn::sign_ins() const {
  const std::lock_guard lock(mutex_);
  return sign_ins_;
}

void SmtpStandIn::accept() {
  while (true) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    serve(socket);
    ::close(socket);
  }
}

void SmtpStandIn::serve(int socket) {
  Lines lines(socket, tls_.get());
  bool signed_in = !tls_;
  ReceivedMail mail;
  lines.say("220 stand-in");
  while (const auto line = lines.next()) {
    const std::string verb = line->substr(0, 4);
    if (verb == "EHLO" || verb == "HELO") {
      lines.say(tls_ ? "250 AUTH PLAIN" : "250 stand-in");
    } else if (verb == "AUTH") {
      lines.say("334 ");
      const std::string given = from_base64(lines.next().value_or("")).value_or("");
      signed_in = given == fmt::format("{0}{1}{0}{2}", '\0', login_.user, login_.password);
      const std::lock_guard lock(mutex_);
      if (signed_in) ++sign_ins_;
      lines.say(signed_in ? "235 welcome" : "535 wrong user or password");
    } else if (!signed_in && verb != "QUIT") {
      lines.say("530 sign in first");
    } else if (verb == "MAIL") {
      mail = {.from = between_brackets(*line), .to = {}, .text = {}};
      lines.say("250 ok");
    } else if (verb == "RCPT") {
      const std::lock_guard lock(mutex_);
      if (!refusal_.empty()) ++refused_;
      if (refusal_.empty()) mail.to.push_back(between_brackets(*line));
      lines.say(refusal_.empty() ? "250 ok" : refusal_);
    } else if (verb == "DATA") {
      lines.say("354 go on");
      mail.text = read_data(lines);
      {
        const std::lock_guard lock(mutex_);
        mails_.push_back(mail);
      }
      changed_.notify_all();
      lines.say("250 taken");
    } else if (verb == "QUIT") {
      lines.say("221 bye");
      return;
    } else {
      lines.say("250 ok");
    }
  }
}

}  // namespace guildhall::test
