#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall::test {

// A reply. The values of its JSON body are read with JSON pointers: reply.text("/session/user/userId").
struct HttpReply {
  int status = 0;
  std::multimap<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& lower_case_name) const;  // empty when there is none
  std::string text(std::string_view pointer) const;              // "" for null; throws if there is no such value
  std::int64_t integer(std::string_view pointer) const;
  bool boolean(std::string_view pointer) const;
  bool has(std::string_view pointer) const;  // also true for null
  bool is_null(std::string_view pointer) const;
  std::size_t size(std::string_view pointer = "") const;  // the size of an array
  std::string code() const { return text("/code"); }
  std::vector<std::string> wrong_fields() const;  // the fields in `details`, sorted

 private:
  // Valid until the thread reads the next value, of this or of another reply.
  simdjson::dom::element at(std::string_view pointer) const;
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// A plain blocking connection to 127.0.0.1, for bytes that no well-behaved client would send.
class RawConnection {
 public:
  // `receive_buffer_bytes` sets the size of the kernel's buffer; 0: the system's default.
  explicit RawConnection(std::uint16_t port, int receive_buffer_bytes = 0);
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void send(std::string_view bytes);
  void finish_sending();
  bool was_closed() const;  // by the server, which has sent nothing since the last reply

  // Receives the next reply. Throws when the connection ends before it is complete, or after ten seconds.
  HttpReply receive(bool to_head = false);
  std::string receive_until_closed();

  // Receives the next piece of a chunked body, after receive(true). Empty at the end of the body.
  std::string receive_chunk();

  // True if bytes have arrived that have not been received yet.
  bool has_bytes() const;

 private:
  bool receive_more();
  void receive_up_to(std::size_t bytes);

  int socket_;
  std::string buffer_;
};

// A client that keeps its connection and its cookies, as a browser does. Not thread-safe.
class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port) : port_(port) {}
  HttpClient(const HttpClient& other) : cookies(other.cookies), port_(other.port_) {}  // with a new connection
  HttpClient& operator=(const HttpClient&) = delete;
  virtual ~HttpClient() = default;

  HttpReply get(const std::string& path, const HttpHeaders& headers = {});
  HttpReply post(const std::string& path, const std::string& json, const HttpHeaders& headers = {});
  HttpReply put(const std::string& path, const std::string& json, const HttpHeaders& headers = {});
  HttpReply patch(const std::string& path, const std::string& json, const HttpHeaders& headers = {});
  HttpReply del(const std::string& path, const HttpHeaders& headers = {});

  // Sends the request with only the given headers and, if there is a body, Content-Length. Of a stream of events only
  // the head is received.
  virtual HttpReply send(const std::string& method, const std::string& path, const std::string& body,
                         const HttpHeaders& headers);

  // Connects, if there is no connection, or if the server has closed it since the last reply, as it does with one that
  // was not used for a minute. Each request does so first.
  void connect();
  void disconnect() { connection_.reset(); }

  std::map<std::string, std::string> cookies;

 private:
  std::uint16_t port_;
  std::unique_ptr<RawConnection> connection_;
};

}  // namespace guildhall::test
