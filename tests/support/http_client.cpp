#include "support/http_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace guildhall::test {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::string HttpReply::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? "" : found->second;
}

simdjson::dom::element HttpReply::at(std::string_view pointer) const {
  thread_local simdjson::dom::parser parser;  // one for each thread: threads of a test share a reply
  simdjson::dom::element document;
  if (parser.parse(body).get(document) != simdjson::SUCCESS) throw std::runtime_error("not JSON: " + body);
  simdjson::dom::element found;
  if (document.at_pointer(pointer).get(found) != simdjson::SUCCESS) {
    throw std::runtime_error(fmt::format("nothing at {} in {}", pointer, body));
  }
  return found;
}

std::string HttpReply::text(std::string_view pointer) const {
  const auto found = at(pointer);
  return found.is_null() ? "" : std::string(std::string_view(found));
}

std::int64_t HttpReply::integer(std::string_view pointer) const {
  return at(pointer);
}

bool HttpReply::boolean(std::string_view pointer) const {
  return at(pointer);
}

bool HttpReply::is_null(std::string_view pointer) const {
  return at(pointer).is_null();
}

bool HttpReply::has(std::string_view pointer) const {
  try {
    at(pointer);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::size_t HttpReply::size(std::string_view pointer) const {
  return simdjson::dom::array(at(pointer)).size();
}

std::vector<std::string> HttpReply::wrong_fields() const {
  std::vector<std::string> fields;
  for (const auto detail : simdjson::dom::array(at("/details"))) {
    fields.emplace_back(std::string_view(detail["field"]));
  }
  std::sort(fields.begin(), fields.end());
  return fields;
}

RawConnection::RawConnection(std::uint16_t port, int receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{.tv_sec = 60, .tv_usec = 0};
  const int one = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  if (receive_buffer_bytes > 0) {
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(receive_buffer_bytes));
  }
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    ::close(socket_);
    throw std::runtime_error(fmt::format("cannot connect to port {}", port));
  }
}

RawConnection::~RawConnection() {
  ::close(socket_);
}

void RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the connection does not take more");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawConnection::finish_sending() {
  ::shutdown(socket_, SHUT_WR);
}

bool RawConnection::was_closed() const {
  char next;
  return buffer_.empty() && ::recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

bool RawConnection::receive_more() {
  char part[16384];
  const ssize_t received = ::recv(socket_, part, sizeof(part), 0);
  if (received <= 0) return false;
  buffer_.append(part, static_cast<std::size_t>(received));
  return true;
}

HttpReply RawConnection::receive(bool to_head) {
  const auto need = [this](bool enough) {
    if (!enough && !receive_more()) throw std::runtime_error("the connection ended within a reply: " + buffer_);
    return enough;
  };
  while (!need(buffer_.find("\r\n\r\n") != std::string::npos)) continue;
  HttpReply reply;
  const std::size_t head_end = buffer_.find("\r\n\r\n");
  reply.status = std::stoi(buffer_.substr(9, 3));
  for (std::size_t at = buffer_.find("\r\n") + 2; at < head_end + 2;) {
    const std::size_t end = buffer_.find("\r\n", at), colon = buffer_.find(':', at);
    reply.headers.emplace(lower(buffer_.substr(at, colon - at)), buffer_.substr(colon + 2, end - colon - 2));
    at = end + 2;
  }
  buffer_.erase(0, head_end + 4);
  if (reply.header("content-type") == "text/event-stream") to_head = true;
  if (to_head || reply.status == 204 || reply.status == 304 || reply.status < 200) return reply;
  if (reply.header("transfer-encoding") == "chunked") {
    while (true) {
      const std::string chunk = receive_chunk();
      if (chunk.empty()) return reply;
      reply.body += chunk;
    }
  }
  const std::size_t length = std::stoul(reply.header("content-length"));
  while (!need(buffer_.size() >= length)) continue;
  reply.body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return reply;
}

void RawConnection::receive_up_to(std::size_t bytes) {
  while (buffer_.size() < bytes) {
    if (!receive_more()) throw std::runtime_error("the connection ended within a reply: " + buffer_);
  }
}

std::string RawConnection::receive_chunk() {
  while (buffer_.find("\r\n") == std::string::npos) receive_up_to(buffer_.size() + 1);
  const std::size_t size = std::stoul(buffer_, nullptr, 16), start = buffer_.find("\r\n") + 2;
  receive_up_to(start + size + 2);
  std::string chunk = buffer_.substr(start, size);
  buffer_.erase(0, start + size + 2);
  return chunk;
}

std::string RawConnection::receive_until_closed() {
  while (receive_more()) continue;
  return std::exchange(buffer_, {});
}

bool RawConnection::has_bytes() const {
  pollfd state{.fd = socket_, .events = POLLIN, .revents = 0};
  return !buffer_.empty() || ::poll(&state, 1, 0) > 0;
}

HttpReply HttpClient::send(const std::string& method, const std::string& path, const std::string& body,
                           const HttpHeaders& headers) {
  std::string request = fmt::format("{} {} HTTP/1.1\r\nHost: test\r\n", method, path);
  for (const auto& [name, value] : headers) request += fmt::format("{}: {}\r\n", name, value);
  std::string pairs;
  for (const auto& [name, value] : cookies) pairs += fmt::format("{}{}={}", pairs.empty() ? "" : "; ", name, value);
  if (!pairs.empty()) request += fmt::format("Cookie: {}\r\n", pairs);
  if (!body.empty()) request += fmt::format("Content-Length: {}\r\n", body.size());
  request += "\r\n" + body;

  connect();
  connection_->send(request);
  HttpReply reply = connection_->receive(method == "HEAD");
  if (reply.header("connection") == "close" || reply.header("content-type") == "text/event-stream") connection_.reset();
  const auto [first, last] = reply.headers.equal_range("set-cookie");
  for (auto cookie = first; cookie != last; ++cookie) {
    const std::string pair = cookie->second.substr(0, cookie->second.find(';'));
    const std::string name = pair.substr(0, pair.find('=')), value = pair.substr(pair.find('=') + 1);
    value.empty() ? void(cookies.erase(name)) : void(cookies[name] = value);
  }
  return reply;
}

void HttpClient::connect() {
  if (connection_ && connection_->was_closed()) connection_.reset();
  if (!connection_) connection_ = std::make_unique<RawConnection>(port_);
}

HttpReply HttpClient::get(const std::string& path, const HttpHeaders& headers) {
  return send("GET", path, "", headers);
}

static HttpHeaders with_json_type(HttpHeaders headers) {
  headers.emplace_back("Content-Type", "application/json");
  return headers;
}

HttpReply HttpClient::post(const std::string& path, const std::string& json, const HttpHeaders& headers) {
  return send("POST", path, json, with_json_type(headers));
}

HttpReply HttpClient::put(const std::string& path, const std::string& json, const HttpHeaders& headers) {
  return send("PUT", path, json, with_json_type(headers));
}

HttpReply HttpClient::patch(const std::string& path, const std::string& json, const HttpHeaders& headers) {
  return send("PATCH", path, json, with_json_type(headers));
}

HttpReply HttpClient::del(const std::string& path, const HttpHeaders& headers) {
  return send("DELETE", path, "", headers);
}

}  // namespace guildhall::test
