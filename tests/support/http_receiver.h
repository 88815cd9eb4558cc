#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace guildhall::test {

struct ReceivedRequest {
  std::string method;
  std::string path;                            // without the query
  std::string query;                           // after the '?', as sent
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& lower_case_name) const;  // empty when there is none
};

struct ReceiverReply {
  int status = 200;
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string content_type = "application/json";
  std::chrono::milliseconds delay{0};  // before the reply; ends early when the receiver stops
  std::string raw{};                   // sends these bytes instead of a reply and then closes the connection
  bool hang_up = false;                // closes the connection without a reply
};

// A server on 127.0.0.1 that receives the webhooks that we send, with any reply:
//
//   HttpReceiver receiver;
//   receiver.on("POST", "/hook", ReceiverReply{.status = 500});
//
// Handlers run on threads of the receiver, several at once. A request for something else gets a 404. Every request is
// recorded before its handler runs.
class HttpReceiver {
 public:
  using Handler = std::function<ReceiverReply(const ReceivedRequest&)>;

  HttpReceiver();
  ~HttpReceiver();
  HttpReceiver(const HttpReceiver&) = delete;
  HttpReceiver& operator=(const HttpReceiver&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url(std::string_view path = "") const;  // http://127.0.0.1:<port><path>

  // Adds or replaces a route. A path that ends with '*' matches all paths with that prefix; an exact path takes
  // precedence.
  void on(std::string_view method, std::string_view path, Handler handler);
  void on(std::string_view method, std::string_view path, ReceiverReply reply);

  // The recorded requests, in the order of their arrival; with a path, only those for it (a trailing '*' as above).
  std::vector<ReceivedRequest> requests(std::string_view path = "*") const;

  // Waits until that many requests have been recorded; returns false after ten seconds.
  bool wait_for_requests(std::size_t count, std::string_view path = "*") const;

  // Refuses all further connections, like a server that is down.
  void stop();

 private:
  void accept();
  void serve(int socket);
  bool answer(int socket, const ReceivedRequest& request);
  ReceiverReply reply_to(const ReceivedRequest& request);

  int listener_;
  std::uint16_t port_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool stopping_ = false;
  std::map<std::pair<std::string, std::string>, Handler> handlers_;  // by method and path
  std::vector<ReceivedRequest> requests_;
  std::list<int> sockets_;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace guildhall::test
