#include "outbound/http_client.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include "base/address.h"
#include "base/ascii.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/trace.h"

namespace guildhall::outbound {
namespace {

std::atomic<bool> private_targets_allowed{false};

struct Transfer {
  const Request& request;
  Reply reply;
  bool too_large = false;
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::size_t bytes = size * count;
  transfer.too_large = transfer.reply.body.size() + bytes > transfer.request.reply_bytes_max;
  if (transfer.too_large) return 0;  // ends the transfer
  transfer.reply.body.append(data, bytes);
  return bytes;
}

std::size_t take_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(data, size * count);
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && transfer.reply.headers.size() < 100) {
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(), lower);
    std::string_view value = line.substr(colon + 1);
    while (value.ends_with('\n') || value.ends_with('\r')) value.remove_suffix(1);
    transfer.reply.headers[name] = trim(value);
  }
  return line.size();
}

// curl calls this for every address that it is about to connect to, after the name was resolved. So a name that
// resolves to a private address the second time is refused, too.
curl_socket_t open_public_socket(void*, curlsocktype, curl_sockaddr* target) {
  char text[INET6_ADDRSTRLEN] = {};
  const void* address = target->family == AF_INET
                            ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(&target->addr)->sin_addr)
                            : &reinterpret_cast<const sockaddr_in6*>(&target->addr)->sin6_addr;
  if (::inet_ntop(target->family, address, text, sizeof(text)) == nullptr || !is_public_address(text)) {
    return CURL_SOCKET_BAD;
  }
  return ::socket(target->family, target->socktype | SOCK_CLOEXEC, target->protocol);
}

class HeaderList {
 public:
  ~HeaderList() { curl_slist_free_all(list_); }
  void add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

void set_limits(CURL* curl, const Request& request) {
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request.total_ms_max.count()));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::min<std::int64_t>(request.total_ms_max.count(), 5000)));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  if (request.url_from_tenant && !private_targets_allowed) {
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_public_socket);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
  }
}

void set_request(CURL* curl, const Request& request, const HeaderList& headers) {
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
  }
}

void set_signature(CURL* curl, const S3Credentials& credentials) {
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, ("aws:amz:" + credentials.region + ":s3").c_str());
  curl_easy_setopt(curl, CURLOPT_USERNAME, credentials.access_key.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, credentials.secret_key.c_str());
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool can_be_sent(const Request& request) {
  return !has_control_character(request.method) && !has_control_character(request.url) &&
         std::none_of(request.headers.begin(), request.headers.end(), [](const auto& header) {
           return has_control_character(header.first) || has_control_character(header.second);
         });
}

Reply not_sent(std::string reason) {
  return {.status = 0, .headers = {}, .body = {}, .error = std::move(reason)};
}

// The host and port of a URL; user and password, path and query may contain secrets.
std::string host_of(const std::string& url) {
  const std::size_t begin = std::min(url.find("://") + 3, url.size());
  const std::string authority = url.substr(begin, url.find_first_of("/?#", begin) - begin);
  return authority.substr(authority.rfind('@') + 1);
}

// Passes the trace on.
void add_trace(HeaderList& headers, trace::SpanTimer& span, const Request& request) {
  const trace::Context* context = span.context();
  if (context == nullptr) return;
  headers.add("traceparent: " + trace::traceparent(*context));
  if (!context->state.empty() && !request.url_from_tenant) headers.add("tracestate: " + context->state);
  if (!span.is_recorded()) return;
  span.add("http.request.method", request.method);
  span.add("server.address", host_of(request.url));
}

bool names_agent(const std::pair<std::string, std::string>& header) {
  return header.first == "User-Agent";
}

}  // namespace

void allow_private_targets(bool allowed) {
  private_targets_allowed = allowed;
}

bool is_public_address(std::string_view address) {
  static const std::vector<AddressRange> special = [] {
    std::vector<AddressRange> ranges;
    for (const char* text :
         {"0.0.0.0/8",      "10.0.0.0/8",   "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16", "172.16.0.0/12",
          "192.0.0.0/24",   "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",  "198.51.100.0/24",
          "203.0.113.0/24", "224.0.0.0/3",  "::/96",          "64:ff9b::/96",   "100::/64",       "2001::/23",
          "2001:db8::/32",  "2002::/16",    "fc00::/7",       "fe80::/10",      "fec0::/10",      "ff00::/8"}) {
      ranges.push_back(AddressRange::parse(text).value());
    }
    return ranges;
  }();
  return AddressRange::parse(address) && std::none_of(special.begin(), special.end(), [&](const AddressRange& range) {
           return range.contains(address);
         });
}

Reply send_now(const Request& request) {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  if (initialised != CURLE_OK || !curl) return not_sent("curl does not start");
  if (!can_be_sent(request)) return not_sent("the method, the address or a header has a control character");
  HeaderList headers;
  // Do not wait for 100 Continue. curl would sign this header for S3, although it is not sent.
  if (!request.s3) headers.add("Expect:");
  if (std::none_of(request.headers.begin(), request.headers.end(), names_agent)) {
    headers.add("User-Agent: guildhall/" GUILDHALL_VERSION);
  }
  for (const auto& [name, value] : request.headers) headers.add(name + ": " + value);
  trace::SpanTimer span("outgoing call", trace::Span::Kind::client);
  add_trace(headers, span, request);
  Transfer transfer{request, {}, false};
  set_limits(curl.get(), request);
  if (request.s3) {
    headers.add("x-amz-content-sha256: " + hex(sha256(request.body)));
    set_signature(curl.get(), *request.s3);
  }
  set_request(curl.get(), request, headers);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &transfer);
  const CURLcode result = curl_easy_perform(curl.get());
  if (result != CURLE_OK) {
    span.fail();
    transfer.reply.error = transfer.too_large ? "the reply is too large" : curl_easy_strerror(result);
    return transfer.reply;
  }
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  transfer.reply.status = static_cast<int>(status);
  span.add("http.response.status_code", std::int64_t{status});
  if (status >= 400) span.fail();
  return transfer.reply;
}

Task<Reply> send(WorkerPool& workers, Request request) {
  co_return co_await workers.run([&] { return send_now(request); });
}

}  // namespace guildhall::outbound
