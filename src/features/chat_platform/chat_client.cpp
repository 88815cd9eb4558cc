#include "features/chat_platform/chat_client.h"

#include "base/json_lookup.h"
#include "base/text.h"
#include "outbound/http_client.h"
#include "outbox/verdict.h"

namespace guildhall {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds wait_if_unknown{1000};  // if the platform sends no wait that can be parsed

std::string header(const outbound::Reply& reply, const std::string& lower_case_name) {
  const auto found = reply.headers.find(lower_case_name);
  return found == reply.headers.end() ? "" : found->second;
}

// Parses a decimal number of seconds, or a Retry-After header in one of its other forms.
milliseconds parse_wait(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0';
  return (is_number ? outbox::requested_wait_of(seconds) : outbox::parse_retry_after(text, now()))
      .value_or(wait_if_unknown);
}

outbound::Request request_for(const ChatCall& call, const std::string& base_url, const std::string& bot_token) {
  outbound::Request request{.method = call.method, .url = base_url + call.path};
  if (call.needs_bot_token) request.headers.emplace_back("Authorization", "Bot " + bot_token);
  request.headers.emplace_back("User-Agent", "DiscordBot (https://guildhall.example, " GUILDHALL_VERSION ")");
  if (!call.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  request.body = call.body;
  return request;
}

}  // namespace

std::string ChatReply::description() const {
  return fmt::format("{} ({}{})", message, status, code != 0 ? fmt::format(", code {}", code) : "");
}

ChatReply ChatClient::send(const ChatCall& call) {
  if (call.needs_bot_token && !has_bot()) return {.message = "CHAT_BOT_TOKEN is not set."};
  if (const auto wait = limits_.wait_for(call.bucket)) {
    return {.message = "The chat platform's rate limit applies.", .wait = wait};
  }
  const outbound::Reply answer = outbound::send_now(request_for(call, base_url_, bot_token_));
  ChatReply reply{.status = answer.status, .body = answer.body, .message = answer.error};
  if (header(answer, "x-ratelimit-remaining") == "0") {
    limits_.block(call.bucket, parse_wait(header(answer, "x-ratelimit-reset-after")));
  }
  if (answer.status == 0 || reply.ok()) return reply;
  const auto error = JsonLookup::parse(answer.body);
  if (error) {
    reply.code = std::strtoll(error->text("/code").c_str(), nullptr, 10);
    reply.message = storable_text(error->text("/message"));
  }
  if (answer.status == 429) {
    const bool in_body = error && error->has("/retry_after");
    reply.wait = parse_wait(in_body ? error->text("/retry_after") : header(answer, "retry-after"));
    const bool global = error && error->text("/global") == "true";
    global ? limits_.block_all(*reply.wait) : limits_.block(call.bucket, *reply.wait);
  }
  return reply;
}

}  // namespace guildhall
