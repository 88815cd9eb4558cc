#include "support/chat_user.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/declared.h"
#include "base/encoding.h"
#include "base/ids.h"
#include "sandbox/chat_platform.h"
#include "sandbox/chat_rules.h"

namespace guildhall::test {
namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ",") + to_json(text);
  return "[" + out + "]";
}

}  // namespace

std::string chat_public_key() {
  return hex(sandbox_secrets().chat_key().public_key_bytes);
}

HttpHeaders signed_headers(const std::string& body, const std::string& timestamp) {
  static const Ed25519Key key = sandbox_secrets().chat_key();
  return {{"Content-Type", "application/json"},
          {"X-Signature-Ed25519", hex(sign_ed25519(key, timestamp + body))},
          {"X-Signature-Timestamp", timestamp}};
}

HttpReply ChatUser::command(const std::string& name, const std::string& options) {
  return interact(2, fmt::format(R"({{"id":"1","name":{},"type":1,"options":[{}]}})", to_json(name), options));
}

HttpReply ChatUser::press(const std::string& custom_id) {
  return interact(3, fmt::format(R"({{"custom_id":{},"component_type":2}})", to_json(custom_id)));
}

HttpReply ChatUser::choose(const std::string& custom_id, const std::string& value) {
  return interact(
      3, fmt::format(R"({{"custom_id":{},"component_type":3,"values":[{}]}})", to_json(custom_id), to_json(value)));
}

HttpReply ChatUser::submit(const std::string& custom_id, const Inputs& inputs, bool labelled) {
  std::string components;
  for (const auto& [name, value] : inputs) {
    const std::string input = fmt::format(R"({{"type":4,"custom_id":{},"value":{}}})", to_json(name), to_json(value));
    components += components.empty() ? "" : ",";
    components += labelled ? fmt::format(R"({{"type":18,"component":{}}})", input)
                           : fmt::format(R"({{"type":1,"components":[{}]}})", input);
  }
  return interact(5, fmt::format(R"({{"custom_id":{},"components":[{}]}})", to_json(custom_id), components));
}

std::string ChatUser::interaction(int type, const std::string& data) {
  const std::string interaction_id = next_id.empty() ? make_uuid(now()) : next_id;
  next_id.clear();
  const std::string user =
      fmt::format(R"({{"id":{},"username":"user{}","global_name":"User {}"}})", to_json(id), id, id);
  const std::string who = guild.empty()
                              ? fmt::format(R"("user":{})", user)
                              : fmt::format(R"("guild_id":{},"member":{{"user":{},"roles":{},"permissions":"{}"}})",
                                            to_json(guild), user, list_of(roles), permissions);
  return fmt::format(
      R"({{"id":{},"application_id":"app","type":{},"token":{},"channel_id":"{}","locale":{},{},"data":{}}})",
      to_json(interaction_id), type, to_json(token), channel, to_json(locale), who, data);
}

HttpReply ChatUser::interact(int type, const std::string& data) {
  if (sandbox == nullptr) return send(interaction(type, data));
  const sandbox::Interacting interacting{
      .type = type, .member = id, .channel = std::string(channel), .command = "", .data = data};
  sandbox->run([&](sandbox::World& world) { world.chat->begin(token, interacting); });
  HttpReply reply = send(interaction(type, data));
  if (reply.status == 200) {
    sandbox->run([&](sandbox::World& world) { world.chat->apply_answer(token, reply.body); });
  }
  return reply;
}

HttpReply ChatUser::send(const std::string& body) {
  const std::string timestamp = std::to_string(now().ms / 1000);
  HttpHeaders headers = signed_headers(body, timestamp);
  if (!address.empty()) headers.emplace_back("X-Forwarded-For", address);
  HttpReply reply = http_.send("POST", path, body, headers);
  if (reply.status == 200) {
    EXPECT_EQ(sandbox::faults_of_answer(reply.body), "") << reply.body;
  }
  return reply;
}

std::string component(const HttpReply& message, const std::string& step) {
  const std::string begins = "\"custom_id\":\"" + step + ".";
  const std::size_t found = message.body.find(begins);
  if (found == std::string::npos) throw std::runtime_error("no component leads to " + step + ": " + message.body);
  const std::size_t start = found + std::string_view("\"custom_id\":\"").size();
  return message.body.substr(start, message.body.find('"', start) - start);
}

}  // namespace guildhall::test
