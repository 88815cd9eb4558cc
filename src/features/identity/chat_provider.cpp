#include "features/identity/chat_provider.h"

#include "base/log.h"
#include "outbound/http_client.h"

namespace guildhall {
namespace {

constexpr std::size_t names_bytes_max = 200;

std::optional<std::string> text_at(JsonValue object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS || is_blank(text)) return std::nullopt;
  return std::string(text);
}

Failure exchange_failed() {
  return bad_request("TOKEN_EXCHANGE_FAILED", "The chat platform did not confirm the sign-in: begin again.");
}

Failure unreachable() {
  return bad_request("AUTH_PROVIDER_UNREACHABLE", "The chat platform does not answer at present: try again later.");
}

// Calls the platform and reads its answer, which must be a JSON object; whatever it is otherwise, nobody signs in.
Task<> ask(WorkerPool& outbound, outbound::Request request, std::function<bool(JsonValue)> read) {
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
  bool understood = false;
  try {
    decode_document(reply.body, [&](JsonValue document, Decoder&) { understood = read(document); });
  } catch (const Failure&) {
    understood = false;
  }
  if (understood) co_return;
  log::warn("the chat platform answered what we do not understand", {{"url", url}, {"status", reply.status}});
  throw exchange_failed();
}

}  // namespace

Task<ChatToken> ChatProvider::exchange(const std::string& code, const std::string& redirect_uri,
                                       const std::string& verifier) const {
  std::string form = fmt::format(
      "grant_type=authorization_code&code={}&redirect_uri={}&code_verifier={}&client_id={}&client_secret={}",
      url_encode(code), url_encode(redirect_uri), url_encode(verifier), url_encode(config_.client_id),
      url_encode(config_.client_secret));
  ChatToken token;
  co_await ask(outbound_,
               {.method = "POST",
                .url = environment_.token_url,
                .headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}},
                .body = std::move(form),
                .total_ms_max = std::chrono::milliseconds(environment_.timeout_ms)},
               [&](JsonValue answer) {
                 const auto text = text_at(answer, "access_token");
                 if (!text || !std::all_of(text->begin(), text->end(), [](char c) { return c > 0x20 && c < 0x7f; })) {
                   return false;
                 }
                 token.access_token = *text;
                 JsonValue lifetime;
                 if (answer["expires_in"].get(lifetime) != simdjson::SUCCESS || lifetime.is_null()) return true;
                 std::int64_t seconds = 0;
                 if (lifetime.get(seconds) != simdjson::SUCCESS || seconds < 1) return false;
                 token.lives_for = std::chrono::seconds(std::min(seconds, chat_session_seconds_max));
                 return true;
               });
  co_return token;
}

Task<ChatProfile> ChatProvider::profile(const ChatToken& token) const {
  ChatProfile profile;
  co_await ask(outbound_,
               {.method = "GET",
                .url = environment_.user_url,
                .headers = {{"Authorization", "Bearer " + token.access_token}, {"Accept", "application/json"}},
                .total_ms_max = std::chrono::milliseconds(environment_.timeout_ms)},
               [&](JsonValue answer) {
                 const auto id = text_at(answer, "id"), username = text_at(answer, "username");
                 if (!id || !username || id->size() > names_bytes_max || username->size() > names_bytes_max)
                   return false;
                 profile.id = *id;
                 profile.username = *username;
                 profile.display_name = text_at(answer, "global_name").value_or(*username);
                 profile.email = text_at(answer, "email");
                 if (profile.email && !is_email(*profile.email)) profile.email.reset();
                 profile.avatar_url = text_at(answer, "avatar");
                 if (profile.avatar_url && !is_http_url(*profile.avatar_url)) profile.avatar_url.reset();
                 return true;
               });
  co_return profile;
}

}  // namespace guildhall
