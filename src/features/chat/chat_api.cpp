#include "api/failure_reply.h"
#include "base/encoding.h"
#include "base/field_types.h"
#include "features/chat/interaction_handler.h"
#include "features/chat/routes.h"
#include "features/webhooks/webhook_checks.h"

namespace guildhall {
namespace {

using api::Access, api::Call, api::route, http::Method, http::Reply;
using chat::Bot, chat::ParsedInteraction;

constexpr std::size_t body_bytes_max = 64 * 1024;
constexpr std::int64_t timestamp_off_seconds_max = 300;
constexpr std::int64_t bad_signatures_per_minute = 30;

bool is_signed(const Call& call, const std::string& public_key) {
  const std::string_view timestamp = call.request.header("x-signature-timestamp");
  const auto signature = from_hex(call.request.header("x-signature-ed25519"));
  std::uint32_t seconds = 0;
  const auto [end, error] = std::from_chars(timestamp.data(), timestamp.data() + timestamp.size(), seconds);
  if (!signature || error != std::errc() || end != timestamp.data() + timestamp.size()) return false;
  const std::int64_t off = call.now.ms / 1000 - seconds;
  if (off > timestamp_off_seconds_max || off < -timestamp_off_seconds_max) return false;
  return verify_ed25519(public_key, fmt::format("{}{}", timestamp, call.request.body), *signature);
}

// Nothing if the request is accepted. Without a public key no signature can be verified: then development accepts every
// request and production only pings, unless the operator has set CHAT_INTERACTIONS_UNVERIFIED.
std::optional<Failure> signature_failure(const Call& call, const Bot& bot, const ParsedInteraction& parsed) {
  const chat::ChatConfig& config = bot.config;
  if (!config.chat_public_key.empty()) {
    return is_signed(call, config.chat_public_key) ? std::nullopt : std::optional(bad_signature());
  }
  if (bot.installation.development || config.chat_interactions_unverified || parsed.is_ping()) return std::nullopt;
  return Failure(Failure::Kind::unauthenticated, "SIGNATURE_REQUIRED",
                 "Interactions are not accepted: CHAT_INTERACTIONS_PUBLIC_KEY is not set, so none can be verified.");
}

// Rate-limits addresses that send invalid signatures. The platform's own requests are not counted.
Task<Reply> refuse(const Call& call, const Bot& bot, const Failure& failure) {
  const auto verdict = co_await bot.limiter.count({"chat_signature", bad_signatures_per_minute}, call.source());
  if (!verdict.exceeded) throw Failure(failure);
  Reply reply = api::too_many_requests_reply(api::RateLimiter::window.count());
  verdict.add_headers(reply);
  co_return reply;
}

Task<Reply> answer(const Call& call, const Bot& bot, const ParsedInteraction& parsed) {
  if (const auto failure = signature_failure(call, bot, parsed)) co_return co_await refuse(call, bot, *failure);
  if (parsed.failure) throw Failure(*parsed.failure);
  if (parsed.is_ping()) co_return Reply{.body = chat::answer_json(chat::Pong{})};
  co_return Reply{.body = chat::answer_json(co_await chat::handle_interaction(bot, call, parsed.interaction))};
}

// Each member of an address is counted alone. The member is named in the body, so the limit cannot be checked before
// the handler runs, as other routes' limits are.
Task<Reply> receive(Call& call, const Bot& bot) {
  const ParsedInteraction parsed = chat::parse_interaction(call.request.body);
  const std::string source = parsed.sender.empty() ? call.source() : fmt::format("{}:{}", call.source(), parsed.sender);
  const auto verdict = co_await bot.limiter.count({"chat_interactions", bot.config.rate_limit_chat_per_min}, source);
  Reply reply;
  if (verdict.exceeded) {
    reply = api::too_many_requests_reply(api::RateLimiter::window.count());
  } else {
    try {
      reply = co_await answer(call, bot, parsed);
    } catch (...) {
      reply = api::failure_reply(std::current_exception(), call.request.request_id);
    }
  }
  verdict.add_headers(reply);
  co_return reply;
}

}  // namespace

std::vector<api::Route> chat_routes(const chat::Bot& bot) {
  std::vector<api::Route> routes;
  for (const std::string_view path : {"/chat/interactions", "/api/chat/interactions"}) {
    routes.push_back(route(Method::post, path, Access::open, "What members do in the chat", receive, bot)
                         .unlimited("The handler counts each member of an address.")
                         .takes_raw(body_bytes_max)
                         .gives<RawJson>(200, "The answer: a message, a modal, or the pong to a ping."));
  }
  return routes;
}

}  // namespace guildhall
