#include "features/chat_platform/chat_call.h"

#include <initializer_list>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/json_writer.h"
#include "base/url.h"

namespace guildhall {
namespace {

constexpr std::size_t nonce_bytes = 18;  // 24 characters of base64url

// `/guilds/1/members/2`. Every part is encoded, so that no part can contain a slash.
std::string path_of(std::initializer_list<std::string_view> parts) {
  std::string path;
  for (const std::string_view part : parts) {
    const bool is_dots = part == "." || part == "..";  // encoding leaves these as they are, but they change the path
    path.append("/").append(is_dots ? "-" : url_encode(part));
  }
  return path;
}

// Contains a digest of the token instead of the token, which is a credential.
std::string answers_bucket(const InteractionAddress& address) {
  return "/webhooks/" + nonce_of(address.token);
}

ChatCall of_role(std::string_view method, const ChatMember& member, const std::string& role) {
  return {.method = std::string(method),
          .path = path_of({"guilds", member.guild, "members", member.user, "roles", role}),
          .bucket = fmt::format("{} /guilds/{}/members/roles", method, member.guild)};
}

}  // namespace

std::string message_body(std::string_view content, std::string_view nonce, const LinkButton& link) {
  return json::write_object([&](json::ObjectWriter& body) {
    body.add("content", content);
    body.add("allowed_mentions", json::object({{"parse", json::array({})}}));
    if (!link.url.empty()) {
      const auto button = json::object({{"type", 2}, {"style", 5}, {"label", link.label}, {"url", link.url}});
      body.add("components", json::array({json::object({{"type", 1}, {"components", json::array({button})}})}));
    }
    if (nonce.empty()) return;
    body.add("enforce_nonce", true);
    body.add("nonce", nonce);
  });
}

std::string nonce_of(std::string_view text) {
  const Sha256 digest = sha256(text);
  return base64url(std::span(digest).first(nonce_bytes));
}

ChatCall create_message(const std::string& channel, std::string body) {
  return {.method = "POST",
          .path = path_of({"channels", channel, "messages"}),
          .bucket = fmt::format("POST /channels/{}/messages", channel),
          .body = std::move(body)};
}

ChatCall edit_message(const std::string& channel, const std::string& message, std::string body) {
  return {.method = "PATCH",
          .path = path_of({"channels", channel, "messages", message}),
          .bucket = fmt::format("PATCH /channels/{}/messages", channel),
          .body = std::move(body)};
}

ChatCall read_channel(const std::string& channel) {
  return {.method = "GET", .path = path_of({"channels", channel}), .bucket = "GET /channels/" + channel};
}

ChatCall open_direct_channel(const std::string& user) {
  return {.method = "POST",
          .path = "/users/@me/channels",
          .bucket = "POST /users/@me/channels",
          .body = json::object({{"recipient_id", user}}).text};
}

ChatCall answer_interaction(const std::string& interaction_id, const std::string& token, std::string body) {
  return {.method = "POST",
          .path = path_of({"interactions", interaction_id, token, "callback"}),
          .bucket = "/interactions/" + interaction_id,
          .body = std::move(body),
          .needs_bot_token = false};
}

ChatCall edit_answer(const InteractionAddress& address, std::string body) {
  return {.method = "PATCH",
          .path = path_of({"webhooks", address.application_id, address.token, "messages"}) + "/@original",
          .bucket = answers_bucket(address),
          .body = std::move(body),
          .needs_bot_token = false};
}

ChatCall follow_up(const InteractionAddress& address, std::string body) {
  return {.method = "POST",
          .path = path_of({"webhooks", address.application_id, address.token}),
          .bucket = answers_bucket(address),
          .body = std::move(body),
          .needs_bot_token = false};
}

ChatCall read_roles(const std::string& guild) {
  return {.method = "GET",
          .path = path_of({"guilds", guild, "roles"}),
          .bucket = fmt::format("GET /guilds/{}/roles", guild)};
}

ChatCall read_member(const ChatMember& member) {
  return {.method = "GET",
          .path = path_of({"guilds", member.guild, "members", member.user}),
          .bucket = fmt::format("GET /guilds/{}/members", member.guild)};
}

ChatCall add_role(const ChatMember& member, const std::string& role) {
  return of_role("PUT", member, role);
}

ChatCall remove_role(const ChatMember& member, const std::string& role) {
  return of_role("DELETE", member, role);
}

ChatCall read_application() {
  return {.method = "GET", .path = "/applications/@me", .bucket = "GET /applications/@me"};
}

ChatCall read_commands(const std::string& application_id) {
  return {.method = "GET",
          .path = path_of({"applications", application_id, "commands"}),
          .bucket = "GET /applications/commands"};
}

ChatCall publish_commands(const std::string& application_id, const std::string& guild, std::string body) {
  return {.method = "PUT",
          .path = guild.empty() ? path_of({"applications", application_id, "commands"})
                                : path_of({"applications", application_id, "guilds", guild, "commands"}),
          .bucket = "PUT /applications/commands",
          .body = std::move(body)};
}

}  // namespace guildhall
