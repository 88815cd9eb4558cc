#include "features/chat_platform/chat_client.h"

#include <cmath>

#include "base/json_lookup.h"
#include "base/storable_text.h"
#include "base/url.h"
#include "http/outbound.h"

namespace guildhall {
namespace {

using std::chrono::milliseconds;

const std::string all_buckets;
constexpr std::size_t buckets_max = 10'000;
constexpr double wait_seconds_max = 3600;

std::string header(const http::OutboundReply& reply, const std::string& lower_case_name) {
  const auto found = reply.headers.find(lower_case_name);
  return found == reply.headers.end() ? "" : found->second;
}

// A decimal number of seconds; one that is no number is a second.
milliseconds seconds_of(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !(seconds >= 0)) return milliseconds(1000);
  return milliseconds(static_cast<std::int64_t>(std::ceil(std::min(seconds, wait_seconds_max) * 1000)));
}

http::OutboundRequest request_for(std::string_view method, std::string url, const std::string& token,
                                  const std::string& body) {
  http::OutboundRequest request{.method = std::string(method), .url = std::move(url)};
  request.headers.emplace_back("Authorization", "Bot " + token);
  request.headers.emplace_back("User-Agent", "DiscordBot (https://guildhall.example, " GUILDHALL_VERSION ")");
  if (!body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  request.body = body;
  return request;
}

}  // namespace

std::string chat_path(std::initializer_list<std::string_view> parts) {
  std::string path;
  for (const std::string_view part : parts) path.append("/").append(part == "@me" ? "@me" : url_encode(part));
  return path;
}

ChatReply ChatClient::send(std::string_view method, const std::string& path, const std::string& bucket,
                           const std::string& body) {
  if (!configured()) return {.message = "CHAT_BOT_TOKEN is not set."};
  if (const auto wait = wait_for(bucket)) return {.message = "The chat platform's rate limit holds.", .wait = wait};
  const http::OutboundReply answer = http::send_now(request_for(method, base_url_ + path, bot_token_, body));
  ChatReply reply{.status = answer.status, .body = answer.body, .message = answer.error};
  if (header(answer, "x-ratelimit-remaining") == "0")
    close(bucket, seconds_of(header(answer, "x-ratelimit-reset-after")));
  if (answer.status == 0 || reply.ok()) return reply;
  const auto error = JsonLookup::parse(answer.body);
  if (error) {
    reply.code = std::strtoll(error->text("/code").c_str(), nullptr, 10);
    reply.message = storable_text(error->text("/message"));
  }
  if (answer.status == 429) {
    const bool told = error && error->has("/retry_after");
    reply.wait = seconds_of(told ? error->text("/retry_after") : header(answer, "retry-after"));
    const bool global = error && error->text("/global") == "true";
    close(global ? all_buckets : bucket, *reply.wait);
  }
  return reply;
}

std::optional<milliseconds> ChatClient::wait_for(const std::string& bucket) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  auto until = now;
  for (const std::string& name : {all_buckets, bucket}) {
    const auto found = closed_until_.find(name);
    if (found != closed_until_.end()) until = std::max(until, found->second);
  }
  if (until <= now) return std::nullopt;
  return std::chrono::ceil<milliseconds>(until - now);
}

void ChatClient::close(const std::string& bucket, milliseconds wait) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (closed_until_.size() >= buckets_max) {
    std::erase_if(closed_until_, [&](const auto& entry) { return entry.second <= now; });
  }
  auto& until = closed_until_[bucket];
  until = std::max(until, now + wait);
}

}  // namespace guildhall
