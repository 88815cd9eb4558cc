// The chat platform's interactions: what members do with the bot, and how it answers.
#include <simdjson.h>

#include "base/encoding.h"
#include "base/failure.h"
#include "sandbox/chat_json.h"
#include "sandbox/chat_platform.h"
#include "sandbox/chat_rules.h"
#include "sandbox/json_text.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

constexpr std::size_t interactions_max = 1000;
constexpr std::chrono::minutes token_lifetime{15};
constexpr std::int64_t ephemeral_flag = 64;
constexpr std::int64_t string_option = 3, user_option = 6, channel_option = 7;
constexpr std::string_view command_id = "500000000000000001";

}  // namespace

// Answers that the bot sends after the first: the token in the path is the credential.
Reply ChatPlatform::answer_interaction(const PartyRequest& request) {
  const bool first = request.is(Method::post, "/interactions/*/*/callback");
  const auto found = request.parts.size() > 2 ? interactions_.find(request.part(2)) : interactions_.end();
  if (found == interactions_.end() || found->second.at + token_lifetime < now()) {
    return first ? chat_error(404, 10062, "Unknown interaction") : chat_error(404, 10015, "Unknown Webhook");
  }
  Interaction& interaction = found->second;
  Channel& channel = *guild.find_channel(interaction.channel);
  world.touch();
  if (first) {
    if (!interaction.message.empty()) return chat_error(400, 40060, "Interaction has already been acknowledged.");
    apply_answer(request.part(2), request.http.body);
    return {.status = 204, .content_type = ""};
  }
  if (request.is(Method::post, "/webhooks/*/*")) {
    if (const std::string faults = faults_of_message(request); !faults.empty()) return chat_error(400, 50035, faults);
    Interaction next = interaction;
    next.message.clear();
    return json_reply(
        200, message_json(channel, show(next, request.http.body, request.json->integer("/flags").value_or(0))));
  }
  Message* message = channel.find(interaction.message);
  if (message == nullptr) return chat_error(404, 10008, "Unknown Message");
  if (request.is(Method::del, "/webhooks/*/*/messages/@original")) {
    channel.remove(interaction.message);
    return {.status = 204, .content_type = ""};
  }
  if (!request.is(Method::patch, "/webhooks/*/*/messages/@original")) return chat_error(404, 0, "404: Not Found");
  if (const std::string faults = faults_of_message(request); !faults.empty()) return chat_error(400, 50035, faults);
  apply_content(*message, request.http.body);
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
    types[command->text(option + "/name")] = command->integer(option + "/type").value_or(string_option);
  }
  std::vector<std::pair<std::int64_t, std::string>> named;  // ids in the options, with their type
  const std::string list = json::write_array([&](json::ArrayWriter& out) {
    simdjson::dom::parser parser;
    simdjson::dom::object given;
    if (parser.parse(options.data(), options.size()).get(given) != simdjson::SUCCESS) return;
    for (const auto field : given) {
      const std::string key(field.key);
      const std::int64_t type = types.contains(key) ? types[key] : string_option;
      out.add(json::object({{"name", key}, {"type", type}, {"value", json::verbatim(simdjson::minify(field.value))}}));
      std::string_view id;
      if (field.value.get(id) == simdjson::SUCCESS) named.emplace_back(type, id);
    }
  });
  return json::object({{"id", command_id},
                       {"name", name},
                       {"type", 1},
                       {"options", json::verbatim(list)},
                       {"resolved", resolved(named)}})
      .text;
}

// The users, members and channels that options name.
json::Value ChatPlatform::resolved(const std::vector<std::pair<std::int64_t, std::string>>& options) const {
  std::string users, members, channels;
  {
    json::ObjectWriter user_list(users), member_list(members), channel_list(channels);
    for (const auto& [type, id] : options) {
      const auto member = std::ranges::find(guild.members, id, &Member::id);
      const auto channel = std::ranges::find(guild.channels, id, &Channel::id);
      if (type == user_option && member != guild.members.end()) {
        user_list.add(id, user_json(*member));
        member_list.add(id, member_json(*member));
      }
      if (type == channel_option && channel != guild.channels.end()) {
        channel_list.add(id, json::object({{"id", id}, {"name", channel->name}, {"type", 0}}));
      }
    }
  }
  return json::object(
      {{"users", json::verbatim(users)}, {"members", json::verbatim(members)}, {"channels", json::verbatim(channels)}});
}

std::string ChatPlatform::interaction_body(const Interacting& interacting, const std::string& token) {
  const Member& member = *guild.find_member(interacting.member);
  Channel& channel = *guild.find_channel(interacting.channel);
  return json::write_object([&](json::ObjectWriter& body) {
    body.add("id", new_snowflake());
    body.add("application_id", world.options.secrets.chat_application());
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
  apply_content(message, json);
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
                                         {"application_id", world.options.secrets.chat_application()},
                                         {"type", 1},
                                         {"version", 1}})
                               .text;
  const outbound::Reply reply = co_await world.send(*this, world.options.server + "/chat/interactions", body);
  co_return reply.status;
}

}  // namespace guildhall::sandbox
