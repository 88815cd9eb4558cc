#include "support/http_receiver.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace guildhall::test {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool fits(std::string_view path, std::string_view pattern) {
  if (!pattern.ends_with('*')) return path == pattern;
  pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

// Reads one request at a time from a socket.
class Requests {
 public:
  explicit Requests(int socket) : socket_(socket) {}

  std::optional<ReceivedRequest> next() {
    std::size_t head_end;
    while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) return std::nullopt;
    }
    ReceivedRequest request = head(buffer_.substr(0, head_end));
    buffer_.erase(0, head_end + 4);
    const std::string length = request.header("content-length");
    const std::size_t size = length.empty() ? 0 : std::stoul(length);
    while (buffer_.size() < size) {
      if (!more()) return std::nullopt;
    }
    request.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return request;
  }

 private:
  bool more() {
    char part[16384];
    const ssize_t received = ::recv(socket_, part, sizeof(part), 0);
    if (received <= 0) return false;
    buffer_.append(part, static_cast<std::size_t>(received));
    return true;
  }

  static ReceivedRequest head(const std::string& text) {
    ReceivedRequest request;
    const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
    request.method = text.substr(0, first);
    const std::string target = text.substr(first + 1, second - first - 1);
    request.path = target.substr(0, target.find('?'));
    if (target.size() > request.path.size()) request.query = target.substr(request.path.size() + 1);
    for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at + 2)) {
      const std::size_t colon = text.find(':', at), end = std::min(text.find("\r\n", at + 2), text.size());
      const std::size_t value = std::min(text.find_first_not_of(' ', colon + 1), end);
      request.headers[lower_case(text.substr(at + 2, colon - at - 2))] = text.substr(value, end - value);
    }
    return request;
  }

  int socket_;
  std::string buffer_;
};

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

std::string ReceivedRequest::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? "" : found->second;
}

HttpReceiver::HttpReceiver() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the receiver cannot listen");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept(); });
}

HttpReceiver::~HttpReceiver() {
  stop();
}

std::string HttpReceiver::url(std::string_view path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

void HttpReceiver::on(std::string_view method, std::string_view path, Handler handler) {
  const std::lock_guard lock(mutex_);
  handlers_[{std::string(method), std::string(path)}] = std::move(handler);
}

void HttpReceiver::on(std::string_view method, std::string_view path, ReceiverReply reply) {
  on(method, path, [reply = std::move(reply)](const ReceivedRequest&) { return reply; });
}

std::vector<ReceivedRequest> HttpReceiver::requests(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  std::vector<ReceivedRequest> found;
  for (const ReceivedRequest& request : requests_) {
    if (fits(request.path, path)) found.push_back(request);
  }
  return found;
}

bool HttpReceiver::wait_for_requests(std::size_t count, std::string_view path) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(10), [&] {
    return std::count_if(requests_.begin(), requests_.end(), [&](const ReceivedRequest& request) {
             return fits(request.path, path);
           }) >= static_cast<std::ptrdiff_t>(count);
  });
}

void HttpReceiver::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  changed_.notify_all();
  acceptor_.join();  // afterwards no thread is added
  for (std::thread& thread : threads_) thread.join();
  ::close(listener_);
}

void HttpReceiver::accept() {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (socket >= 0 && stopping_) ::close(socket);
    if (socket < 0 || stopping_) return;
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void HttpReceiver::serve(int socket) {
  Requests requests(socket);
  while (const auto request = requests.next()) {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(*request);
    }
    changed_.notify_all();
    if (!answer(socket, *request)) break;
  }
  const std::lock_guard lock(mutex_);
  sockets_.remove(socket);
  ::close(socket);
}

// Sends the reply. Returns false if the connection is closed after it.
bool HttpReceiver::answer(int socket, const ReceivedRequest& request) {
  const ReceiverReply reply = reply_to(request);
  if (reply.delay.count() > 0) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, reply.delay, [this] { return stopping_; });
  }
  if (reply.hang_up) return false;
  if (!reply.raw.empty()) {
    send_all(socket, reply.raw);
    return false;
  }
  std::string text = fmt::format("HTTP/1.1 {} Receiver\r\nContent-Length: {}\r\n", reply.status, reply.body.size());
  if (!reply.body.empty()) text += fmt::format("Content-Type: {}\r\n", reply.content_type);
  for (const auto& [name, value] : reply.headers) text += fmt::format("{}: {}\r\n", name, value);
  send_all(socket, text + "\r\n" + reply.body);
  return true;
}

ReceiverReply HttpReceiver::reply_to(const ReceivedRequest& request) {
  Handler handler;
  {
    const std::lock_guard lock(mutex_);
    const auto exact = handlers_.find({request.method, request.path});
    if (exact != handlers_.end()) handler = exact->second;
    for (auto it = handlers_.begin(); !handler && it != handlers_.end(); ++it) {
      if (it->first.first == request.method && fits(request.path, it->first.second)) handler = it->second;
    }
  }
  return handler ? handler(request) : ReceiverReply{.status = 404, .body = R"({"message":"not found"})"};
}

}  // namespace guildhall::test
