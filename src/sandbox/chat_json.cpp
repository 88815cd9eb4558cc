#include "sandbox/chat_json.h"

#include "sandbox/chat_rules.h"
#include "sandbox/json_text.h"

namespace guildhall::sandbox {

using http::Reply;

Reply chat_error(int status, int code, std::string_view message) {
  return json_reply(status, json::object({{"code", code}, {"message", message}}));
}

json::Value user_json(const Member& member) {
  return json::object(
      {{"id", member.id}, {"username", member.username}, {"global_name", member.display_name}, {"avatar", nullptr}});
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

void apply_content(Message& message, std::string_view json) {
  const auto lookup = JsonLookup::parse(json);
  if (!lookup) return;
  if (lookup->has("/content")) message.content = lookup->text("/content");
  message.embeds = json_at(json, "/embeds", message.embeds);
  message.components = json_at(json, "/components", message.components);
  message.pending = false;
}

std::string faults_of_message(const PartyRequest& request) {
  if (!request.json) return "The body is not JSON.";
  const bool is_empty =
      request.text("/content").empty() && request.json->size("/embeds") == 0 && request.json->size("/components") == 0;
  if (is_empty) return "Cannot send an empty message";
  return faults_of_content(request.http.body);
}

}  // namespace guildhall::sandbox
