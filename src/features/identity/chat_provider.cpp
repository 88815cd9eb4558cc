#include "features/identity/chat_provider.h"

#include "base/ascii.h"
#include "base/json_lookup.h"
#include "base/log.h"
#include "outbound/http_client.h"

namespace guildhall {
namespace {

constexpr std::size_t names_bytes_max = 200, guild_id_bytes_max = 64;

Failure exchange_failed() {
  return bad_request("TOKEN_EXCHANGE_FAILED", "The chat platform did not confirm the sign-in: begin again.");
}

Failure unreachable() {
  return bad_request("AUTH_PROVIDER_UNREACHABLE", "The chat platform does not answer at present: try again later.");
}

// Calls the platform and reads its answer. Throws bad_request when it is not what `read` expects.
template <class T>
Task<T> ask(WorkerPool& outbound, outbound::Request request, std::optional<T> (*read)(const JsonLookup& answer)) {
  const std::string url = request.url;
  const outbound::Reply reply = co_await outbound::send(outbound, std::move(request));
  if (reply.status == 0 || reply.status >= 500) {
    log::warn("the chat platform does not answer", {{"url", url}, {"status", reply.status}, {"error", reply.error}});
    throw unreachable();
  }
  if (!reply.ok()) {
    log::info("the chat platform refused a sign-in", {{"url", url}, {"status", reply.status}});
    throw exchange_failed();
  }
  const auto document = JsonLookup::parse(reply.body);
  auto answer = document ? read(*document) : std::nullopt;
  if (answer) co_return std::move(*answer);
  log::warn("the chat platform answered what we do not understand", {{"url", url}, {"status", reply.status}});
  throw exchange_failed();
}

std::optional<ChatToken> token_of(const JsonLookup& answer) {
  const auto text = answer.string("/access_token");
  if (!text || !is_visible_ascii(*text)) return std::nullopt;
  ChatToken token{.access_token = *text, .lives_for = std::nullopt, .guild_id = answer.string("/guild/id")};
  if (token.guild_id && (token.guild_id->empty() || token.guild_id->size() > guild_id_bytes_max)) return std::nullopt;
  if (!answer.has("/expires_in")) return token;
  const auto seconds = answer.integer("/expires_in");
  if (!seconds || *seconds < 1) return std::nullopt;
  token.lives_for = std::chrono::seconds(std::min(*seconds, chat_session_seconds_max));
  return token;
}

std::optional<ChatProfile> profile_of(const JsonLookup& answer) {
  const auto id = answer.string("/id"), username = answer.string("/username");
  if (!id || !username || id->size() > names_bytes_max || username->size() > names_bytes_max) return std::nullopt;
  ChatProfile profile{.id = *id,
                      .username = *username,
                      .display_name = answer.string("/global_name").value_or(*username),
                      .email = answer.string("/email"),
                      .avatar_url = answer.string("/avatar")};
  if (profile.email && !is_email(*profile.email)) profile.email.reset();
  if (profile.avatar_url && !is_http_url(*profile.avatar_url)) profile.avatar_url.reset();
  return profile;
}

}  // namespace

Task<ChatToken> ChatProvider::exchange(const std::string& code, const std::string& redirect_uri,
                                       const std::string& verifier) const {
  std::string form = fmt::format(
      "grant_type=authorization_code&code={}&redirect_uri={}&code_verifier={}&client_id={}&client_secret={}",
      url_encode(code), url_encode(redirect_uri), url_encode(verifier), url_encode(config_.client_id),
      url_encode(config_.client_secret));
  return ask(outbound_,
             {.method = "POST",
              .url = environment_.token_url,
              .headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}},
              .body = std::move(form),
              .total_ms_max = std::chrono::milliseconds(environment_.timeout_ms)},
             token_of);
}

Task<ChatProfile> ChatProvider::profile(const ChatToken& token) const {
  return ask(outbound_,
             {.method = "GET",
              .url = environment_.user_url,
              .headers = {{"Authorization", "Bearer " + token.access_token}, {"Accept", "application/json"}},
              .total_ms_max = std::chrono::milliseconds(environment_.timeout_ms)},
             profile_of);
}

}  // namespace guildhall
