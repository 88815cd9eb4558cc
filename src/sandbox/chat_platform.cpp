#include "sandbox/chat_platform.h"

#include <simdjson.h>

#include "base/encoding.h"
#include "base/failure.h"
#include "base/text.h"
#include "sandbox/chat_rules.h"
#include "sandbox/json_text.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

constexpr std::size_t interactions_max = 1000;
constexpr std::chrono::minutes token_lifetime{15};
constexpr int calls_per_second_max = 50;
constexpr std::int64_t ephemeral_flag = 64;
constexpr std::size_t commands_max = 100;

Reply error(int status, int code, std::string_view message) {
  return json_reply(status, json::object({{"code", code}, {"message", message}}));
}

json::Value user_json(const Member& member) {
  return json::object({{"id", member.id},
                       {"username", member.username},
                       {"global_name", member.display_name},
                       {"email", member.username + "@example.com"},
                       {"avatar", nullptr}});
}

json::Value member_json(const Member& member) {
  const std::string roles = json::write_array([&](json::ArrayWriter& list) {
    for (const std::string& role : member.roles) list.add(role);
  });
  return json::object({{"user", user_json(member)},
                       {"nick", nullptr},
                       {"roles", json::verbatim(roles)},
                       {"permissions", member.permissions}});
}

// The roles of the guild, after the one that everybody has.
json::Value roles_json(const Guild& guild) {
  return json::verbatim(json::write_array([&](json::ArrayWriter& list) {
    const auto add = [&](const std::string& id, std::string_view name, int color, int position) {
      list.add(json::object({{"id", id},
                             {"name", name},
                             {"color", color},
                             {"position", position},
                             {"managed", position == bot_role_position}}));  // the bot's own
    };
    add(guild.id, "@everyone", 0, 0);
    for (const Role& role : guild.roles) add(role.id, role.name, role.color, role.position);
  }));
}

json::Value message_json(const Channel& channel, const Message& message) {
  return json::object({{"id", message.id},
                       {"channel_id", channel.id},
                       {"content", message.content},
                       {"embeds", json::verbatim(message.embeds)},
                       {"components", json::verbatim(message.components)},
                       {"timestamp", to_string(message.created_at)}});
}

// Replaces the parts of the message that the JSON names.
void apply(Message& message, std::string_view json) {
  const auto lookup = JsonLookup::parse(json);
  if (!lookup) return;
  if (lookup->has("/content")) message.content = lookup->text("/content");
  message.embeds = json_at(json, "/embeds", message.embeds);
  message.components = json_at(json, "/components", message.components);
  message.pending = false;
}

// Why the platform refuses a message that the bot sends through the REST API; empty if it does not.
std::string faults_of_message(const PartyRequest& request) {
  if (!request.json) return "The body is not JSON.";
  const bool is_empty =
      request.text("/content").empty() && request.json->size("/embeds") == 0 && request.json->size("/components") == 0;
  if (is_empty) return "Cannot send an empty message";
  return faults_of_content(request.http.body);
}

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
    return error(401, 0, "401: Unauthorized");
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
    if (channel == nullptr) return error(404, 10003, "Unknown Channel");
    if (!channel->recipient.empty()) return json_reply(200, json::object({{"id", channel->id}, {"type", 1}}));
    return json_reply(
        200, json::object({{"id", channel->id}, {"type", 0}, {"guild_id", guild.id}, {"name", channel->name}}));
  }
  if (request.is(Method::post, "/users/@me/channels")) return open_direct_channel(request);
  if (request.is(Method::get, "/guilds/*/members/*")) {
    if (request.part(1) != guild.id) return error(404, 10004, "Unknown Guild");
    const Member* member = guild.find_member(request.part(3));
    return member == nullptr ? error(404, 10007, "Unknown Member") : json_reply(200, member_json(*member));
  }
  if (request.is(Method::get, "/guilds/*/roles")) {
    if (request.part(1) != guild.id) return error(404, 10004, "Unknown Guild");
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
  return error(404, 0, "404: Not Found");
}

json::Value ChatPlatform::application_json() const {
  return json::object({{"id", world.options.secrets.of("chat application")},
                       {"name", "Guildhall"},
                       {"verify_key", hex(key_.public_key_bytes)},
                       {"interactions_endpoint_url", world.options.server + "/chat/interactions"}});
}

Reply ChatPlatform::change_role(const PartyRequest& request) {
  if (request.part(1) != guild.id) return error(404, 10004, "Unknown Guild");
  Member* member = guild.find_member(request.part(3));
  const Role* role = guild.find_role(request.part(5));
  if (member == nullptr) return error(404, 10007, "Unknown Member");
  if (role == nullptr) return error(404, 10011, "Unknown Role");
  if (role->position >= bot_role_position) return error(403, 50013, "Missing Permissions");
  std::erase(member->roles, role->id);
  if (request.http.method == Method::put) member->roles.push_back(role->id);
  world.touch();
  return {.status = 204, .content_type = ""};
}

Reply ChatPlatform::create_message(const PartyRequest& request) {
  Channel* channel = guild.find_channel(request.part(1));
  if (channel == nullptr) return error(404, 10003, "Unknown Channel");
  if (const std::string faults = faults_of_message(request); !faults.empty()) return error(400, 50035, faults);
  const std::string nonce = request.text("/enforce_nonce") == "true" ? request.text("/nonce") : "";
  const auto same = std::ranges::find(channel->messages, nonce, &Message::nonce);
  if (!nonce.empty() && same != channel->messages.end()) return json_reply(200, message_json(*channel, *same));
  Message message{.id = new_snowflake(), .author = "Guildhall", .created_at = now(), .nonce = nonce};
  apply(message, request.http.body);
  world.touch();
  return json_reply(200, message_json(*channel, channel->add(std::move(message))));
}

Reply ChatPlatform::edit_message(const PartyRequest& request) {
  Channel* channel = guild.find_channel(request.part(1));
  Message* message = channel == nullptr ? nullptr : channel->find(request.part(3));
  if (message == nullptr) return error(404, 10008, "Unknown Message");
  world.touch();
  if (request.http.method == Method::del) {
    channel->remove(request.part(3));
    return {.status = 204, .content_type = ""};
  }
  if (const std::string faults = faults_of_message(request); !faults.empty()) return error(400, 50035, faults);
  apply(*message, request.http.body);
  return json_reply(200, message_json(*channel, *message));
}

Reply ChatPlatform::open_direct_channel(const PartyRequest& request) {
  const Member* member = guild.find_member(request.text("/recipient_id"));
  if (member == nullptr) return error(400, 50033, "Invalid Recipient(s)");
  return json_reply(200, json::object({{"id", guild.direct_channel(member->id).id}, {"type", 1}}));
}

Reply ChatPlatform::publish_commands(const PartyRequest& request) {
  const auto list = JsonLookup::parse_list(request.http.body);
  if (!list || list->size("") > commands_max) return error(400, 50035, "Invalid Form Body");
  commands = request.http.body;
  world.touch();
  return json_reply(200, commands);
}

// Answers that the bot sends after the first: the token in the path is the credential.
Reply ChatPlatform::answer_interaction(const PartyRequest& request) {
  const bool first = request.is(Method::post, "/interactions/*/*/callback");
  const auto found = request.parts.size() > 2 ? interactions_.find(request.part(2)) : interactions_.end();
  if (found == interactions_.end() || found->second.at + token_lifetime < now()) {
    return first ? error(404, 10062, "Unknown interaction") : error(404, 10015, "Unknown Webhook");
  }
  Interaction& interaction = found->second;
  Channel& channel = *guild.find_channel(interaction.channel);
  world.touch();
  if (first) {
    if (!interaction.message.empty()) return error(400, 40060, "Interaction has already been acknowledged.");
    apply_answer(request.part(2), request.http.body);
    return {.status = 204, .content_type = ""};
  }
  if (request.is(Method::post, "/webhooks/*/*")) {
    if (const std::string faults = faults_of_message(request); !faults.empty()) return error(400, 50035, faults);
    Interaction next = interaction;
    next.message.clear();
    return json_reply(
        200, message_json(channel, show(next, request.http.body, request.json->integer("/flags").value_or(0))));
  }
  Message* message = channel.find(interaction.message);
  if (message == nullptr) return error(404, 10008, "Unknown Message");
  if (request.is(Method::del, "/webhooks/*/*/messages/@original")) {
    channel.remove(interaction.message);
    return {.status = 204, .content_type = ""};
  }
  if (!request.is(Method::patch, "/webhooks/*/*/messages/@original")) return error(404, 0, "404: Not Found");
  if (const std::string faults = faults_of_message(request); !faults.empty()) return error(400, 50035, faults);
  apply(*message, request.http.body);
  return json_reply(200, message_json(channel, *message));
}

std::string ChatPlatform::command_data(const std::string& name, std::string_view options) const {
  const auto all = JsonLookup::parse_list(commands);
  std::optional<JsonLookup> command;
  for (std::size_t i = 0; all && i < all->size(""); ++i) {
    if (all->text(fmt::format("/{}/name", i)) == name) command = all->at(fmt::format("/{}", i));
  }
  if (!command) throw bad_request("UNKNOWN_COMMAND", fmt::format("The bot has no command {}.", name));
  std::map<std::string, std::int64_t> types;
  for (std::size_t i = 0; i < command->size("/options"); ++i) {
    const std::string option = fmt::format("/options/{}", i);
    types[command->text(option + "/name")] = command->integer(option + "/type").value_or(3);
  }
  std::string resolved_members, resolved_channels;
  const std::string list = json::write_array([&](json::ArrayWriter& out) {
    simdjson::dom::parser parser;
    simdjson::dom::object given;
    if (parser.parse(options.data(), options.size()).get(given) != simdjson::SUCCESS) return;
    for (const auto field : given) {
      const std::string key(field.key);
      const std::int64_t type = types.contains(key) ? types[key] : 3;
      out.add(json::object({{"name", key}, {"type", type}, {"value", json::verbatim(simdjson::minify(field.value))}}));
      if (type == 6) resolved_members += (resolved_members.empty() ? "" : ",") + simdjson::minify(field.value) + ":{}";
      if (type == 7)
        resolved_channels += (resolved_channels.empty() ? "" : ",") + simdjson::minify(field.value) + ":{}";
    }
  });
  return json::object({{"id", "1"},
                       {"name", name},
                       {"type", 1},
                       {"options", json::verbatim(list)},
                       {"resolved", json::object({{"members", json::verbatim("{" + resolved_members + "}")},
                                                  {"channels", json::verbatim("{" + resolved_channels + "}")}})}})
      .text;
}

std::string ChatPlatform::interaction_body(const Interacting& interacting, const std::string& token) {
  const Member& member = *guild.find_member(interacting.member);
  Channel& channel = *guild.find_channel(interacting.channel);
  return json::write_object([&](json::ObjectWriter& body) {
    body.add("id", new_snowflake());
    body.add("application_id", world.options.secrets.of("chat application"));
    body.add("type", interacting.type);
    body.add("version", 1);
    body.add("token", token);
    body.add("channel_id", channel.id);
    body.add("locale", "en-US");
    if (channel.recipient.empty()) {
      body.add("guild_id", guild.id);
      body.add("member", member_json(member));
    } else {
      body.add("user", user_json(member));
    }
    if (const Message* message = channel.find(interacting.message)) {
      body.add("message", message_json(channel, *message));
    }
    body.key("data") += interacting.data;
  });
}

void ChatPlatform::begin(const std::string& token, const Interacting& interacting) {
  if (!interactions_.contains(token)) tokens_.push_back(token);
  interactions_[token] = {interacting.member, interacting.channel, interacting.command, "", now()};
  if (tokens_.size() > interactions_max) {
    interactions_.erase(tokens_.front());
    tokens_.pop_front();
  }
}

Task<InteractionResult> ChatPlatform::interact(Interacting interacting) {
  if (guild.find_member(interacting.member) == nullptr) throw not_found("Member");
  const Channel* channel = guild.find_channel(interacting.channel);
  if (channel == nullptr || (!channel->recipient.empty() && channel->recipient != interacting.member)) {
    throw not_found("Channel");
  }
  const std::string token = base64url(random_bytes(48));
  begin(token, interacting);
  const outbound::Reply reply =
      co_await world.send(*this, world.options.server + "/chat/interactions", interaction_body(interacting, token));
  if (!reply.ok()) {
    throw conflict("INTERACTION_FAILED",
                   fmt::format("The application did not respond: {}",
                               reply.status == 0 ? reply.error : fmt::format("{} {}", reply.status, reply.body)));
  }
  if (const std::string faults = faults_of_answer(reply.body); !faults.empty()) {
    throw conflict("ANSWER_REFUSED", "The platform refuses the answer: " + faults);
  }
  co_return apply_answer(token, reply.body);
}

Message& ChatPlatform::show(const Interaction& interaction, std::string_view json, std::int64_t flags) {
  Message message{.id = new_snowflake(),
                  .author = "Guildhall",
                  .created_at = now(),
                  .reply_member = interaction.member,
                  .reply_command = interaction.command};
  if ((flags & ephemeral_flag) != 0) message.ephemeral_for = interaction.member;
  apply(message, json);
  world.touch();
  return guild.find_channel(interaction.channel)->add(std::move(message));
}

InteractionResult ChatPlatform::apply_answer(const std::string& token, std::string_view answer) {
  Interaction& interaction = interactions_.at(token);
  const auto lookup = JsonLookup::parse(answer);
  const std::int64_t type = lookup ? lookup->integer("/type").value_or(0) : 0;
  InteractionResult result;
  if (type == 9) {
    result.modal = json::object({{"customId", lookup->text("/data/custom_id")},
                                 {"title", lookup->text("/data/title")},
                                 {"components", json::verbatim(json_at(answer, "/data/components", "[]"))}})
                       .text;
  } else if (type == 4 || type == 5) {
    Message& message = show(interaction, json_at(answer, "/data", "{}"), lookup->integer("/data/flags").value_or(0));
    message.pending = type == 5;
    interaction.message = message.id;
    result.messages.push_back(message.id);
  }
  return result;
}

Task<int> ChatPlatform::ping() {
  const std::string body = json::object({{"id", new_snowflake()},
                                         {"application_id", world.options.secrets.of("chat application")},
                                         {"type", 1},
                                         {"version", 1}})
                               .text;
  const outbound::Reply reply = co_await world.send(*this, world.options.server + "/chat/interactions", body);
  co_return reply.status;
}

const Member& ChatPlatform::add_member(const std::string& display_name) {
  if (guild.members.size() >= Guild::members_max) throw conflict("GUILD_FULL", "The guild has enough members.");
  const std::string id = new_snowflake();
  world.touch();
  return guild.members.emplace_back(
      Member{.id = id, .username = "member" + id.substr(id.size() - 6), .display_name = display_name});
}

}  // namespace guildhall::sandbox
