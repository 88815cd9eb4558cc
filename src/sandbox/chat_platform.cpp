#include "sandbox/chat_platform.h"

#include "base/encoding.h"
#include "base/failure.h"
#include "sandbox/chat_json.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

constexpr int calls_per_second_max = 50;
constexpr std::size_t commands_max = 100;

}  // namespace

ChatPlatform::ChatPlatform(World& world)
    : Party(world, "chat", "Chat platform"),
      guild(lantern_guild(world.options.guild)),
      commands(world.options.commands),
      key_(world.options.secrets.chat_key()) {}

Headers ChatPlatform::signature(const std::string&, const std::string& body) const {
  const std::string timestamp = std::to_string(now().ms / 1000);
  return {{"X-Signature-Ed25519", hex(sign_ed25519(key_, timestamp + body))}, {"X-Signature-Timestamp", timestamp}};
}

Reply ChatPlatform::answer(const PartyRequest& request) {
  if (request.is(Method::get, "/oauth2/authorize")) return ask_for_consent(request);
  if (request.is(Method::post, "/oauth2/authorize")) return give_consent(request);
  if (request.is(Method::post, "/oauth2/token")) return exchange_code(request);
  if (request.is(Method::get, "/users/@me")) return show_user(request);
  if (auto limited = over_limit()) return std::move(*limited);
  if (!request.parts.empty() && (request.part(0) == "webhooks" || request.part(0) == "interactions")) {
    return answer_interaction(request);
  }
  if (request.header("authorization") != "Bot " + world.options.secrets.of("chat bot")) {
    return chat_error(401, 0, "401: Unauthorized");
  }
  return answer_bot(request)
      .with("X-RateLimit-Limit", std::to_string(calls_per_second_max))
      .with("X-RateLimit-Remaining", std::to_string(calls_per_second_max - calls_in_window_))
      .with("X-RateLimit-Reset-After", "1.000")
      .with("X-RateLimit-Bucket", "sandbox");
}

// The platform's global limit.
std::optional<Reply> ChatPlatform::over_limit() {
  if (window_ + std::chrono::seconds(1) <= now()) {
    window_ = now();
    calls_in_window_ = 0;
  }
  // The last call of a second is announced as such, so this is reached only by clients that do not read the headers.
  if (calls_in_window_ >= calls_per_second_max) {
    return json_reply(429,
                      json::verbatim(R"({"message":"You are being rate limited.","retry_after":1.0,"global":true})"))
        .with("Retry-After", "1");
  }
  ++calls_in_window_;
  return std::nullopt;
}

Reply ChatPlatform::answer_bot(const PartyRequest& request) {
  if (request.is(Method::post, "/channels/*/messages")) return create_message(request);
  if (request.is(Method::patch, "/channels/*/messages/*") || request.is(Method::del, "/channels/*/messages/*")) {
    return edit_message(request);
  }
  if (request.is(Method::get, "/channels/*")) {
    const Channel* channel = guild.find_channel(request.part(1));
    if (channel == nullptr) return chat_error(404, 10003, "Unknown Channel");
    if (!channel->recipient.empty()) return json_reply(200, json::object({{"id", channel->id}, {"type", 1}}));
    return json_reply(
        200, json::object({{"id", channel->id}, {"type", 0}, {"guild_id", guild.id}, {"name", channel->name}}));
  }
  if (request.is(Method::post, "/users/@me/channels")) return open_direct_channel(request);
  if (request.is(Method::get, "/guilds/*/members/*")) {
    if (request.part(1) != guild.id) return chat_error(404, 10004, "Unknown Guild");
    const Member* member = guild.find_member(request.part(3));
    return member == nullptr ? chat_error(404, 10007, "Unknown Member") : json_reply(200, member_json(*member));
  }
  if (request.is(Method::get, "/guilds/*/roles")) {
    if (request.part(1) != guild.id) return chat_error(404, 10004, "Unknown Guild");
    return json_reply(200, roles_json(guild));
  }
  if (request.is(Method::put, "/guilds/*/members/*/roles/*") ||
      request.is(Method::del, "/guilds/*/members/*/roles/*")) {
    return change_role(request);
  }
  if (request.is(Method::get, "/applications/@me")) return json_reply(200, application_json());
  if (request.is(Method::get, "/applications/*/commands")) return json_reply(200, commands);
  if (request.is(Method::put, "/applications/*/commands") ||
      request.is(Method::put, "/applications/*/guilds/*/commands")) {
    return publish_commands(request);
  }
  return chat_error(404, 0, "404: Not Found");
}

json::Value ChatPlatform::application_json() const {
  return json::object({{"id", world.options.secrets.chat_application()},
                       {"name", "Guildhall"},
                       {"verify_key", hex(key_.public_key_bytes)},
                       {"interactions_endpoint_url", world.options.server + "/chat/interactions"}});
}

Reply ChatPlatform::change_role(const PartyRequest& request) {
  if (request.part(1) != guild.id) return chat_error(404, 10004, "Unknown Guild");
  Member* member = guild.find_member(request.part(3));
  const Role* role = guild.find_role(request.part(5));
  if (member == nullptr) return chat_error(404, 10007, "Unknown Member");
  if (role == nullptr) return chat_error(404, 10011, "Unknown Role");
  if (role->position >= bot_role_position) return chat_error(403, 50013, "Missing Permissions");
  std::erase(member->roles, role->id);
  if (request.http.method == Method::put) member->roles.push_back(role->id);
  world.touch();
  return {.status = 204, .content_type = ""};
}

Reply ChatPlatform::create_message(const PartyRequest& request) {
  Channel* channel = guild.find_channel(request.part(1));
  if (channel == nullptr) return chat_error(404, 10003, "Unknown Channel");
  if (const std::string faults = faults_of_message(request); !faults.empty()) return chat_error(400, 50035, faults);
  const std::string nonce = request.text("/enforce_nonce") == "true" ? request.text("/nonce") : "";
  const auto same = std::ranges::find(channel->messages, nonce, &Message::nonce);
  if (!nonce.empty() && same != channel->messages.end()) return json_reply(200, message_json(*channel, *same));
  Message message{.id = new_snowflake(), .author = "Guildhall", .created_at = now(), .nonce = nonce};
  apply_content(message, request.http.body);
  world.touch();
  return json_reply(200, message_json(*channel, channel->add(std::move(message))));
}

Reply ChatPlatform::edit_message(const PartyRequest& request) {
  Channel* channel = guild.find_channel(request.part(1));
  Message* message = channel == nullptr ? nullptr : channel->find(request.part(3));
  if (message == nullptr) return chat_error(404, 10008, "Unknown Message");
  world.touch();
  if (request.http.method == Method::del) {
    channel->remove(request.part(3));
    return {.status = 204, .content_type = ""};
  }
  if (const std::string faults = faults_of_message(request); !faults.empty()) return chat_error(400, 50035, faults);
  apply_content(*message, request.http.body);
  return json_reply(200, message_json(*channel, *message));
}

Reply ChatPlatform::open_direct_channel(const PartyRequest& request) {
  const Member* member = guild.find_member(request.text("/recipient_id"));
  if (member == nullptr) return chat_error(400, 50033, "Invalid Recipient(s)");
  return json_reply(200, json::object({{"id", guild.direct_channel(member->id).id}, {"type", 1}}));
}

Reply ChatPlatform::publish_commands(const PartyRequest& request) {
  const auto list = JsonLookup::parse_list(request.http.body);
  if (!list || list->size("") > commands_max) return chat_error(400, 50035, "Invalid Form Body");
  commands = request.http.body;
  world.touch();
  return json_reply(200, commands);
}

const Member& ChatPlatform::add_member(const std::string& display_name) {
  if (guild.members.size() >= Guild::members_max) throw conflict("GUILD_FULL", "The guild has enough members.");
  const std::string id = new_snowflake();
  world.touch();
  return guild.members.emplace_back(
      Member{.id = id, .username = "member" + id.substr(id.size() - 6), .display_name = display_name});
}

}  // namespace guildhall::sandbox
