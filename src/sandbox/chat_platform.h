#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/crypto.h"
#include "base/task.h"
#include "sandbox/guild.h"
#include "sandbox/party.h"

namespace guildhall::sandbox {

// The interaction of a member with the bot.
struct Interacting {
  int type = 2;  // 2: a command, 3: a component, 5: a modal
  std::string member;
  std::string channel;
  std::string command;    // for the message that answers it
  std::string data;       // JSON
  std::string message{};  // the message with the component
};

struct InteractionResult {
  std::vector<std::string> messages;  // ids of the messages that it created or changed
  std::string modal = "null";         // JSON of the form that opens
};

// The chat platform: Discord's interactions, REST API and OAuth2.
class ChatPlatform final : public Party {
 public:
  explicit ChatPlatform(World& world);

  http::Reply answer(const PartyRequest& request) override;
  Headers signature(const std::string& url, const std::string& body) const override;

  // Sends the interaction to the server and shows its answer. Throws Failure if the member or channel is unknown, or
  // if the server does not answer as the platform requires.
  Task<InteractionResult> interact(Interacting interacting);

  // Registers an interaction under its token, so that the bot may answer it.
  void begin(const std::string& token, const Interacting& interacting);

  // Shows the bot's answer to the interaction with this token.
  InteractionResult apply_answer(const std::string& token, std::string_view answer);

  // A command's data, from its name and a JSON object of options. Throws Failure if there is no such command.
  std::string command_data(const std::string& name, std::string_view options) const;

  // Sends a PING, which the platform uses to check an address. Returns the status of the server's answer.
  Task<int> ping();

  // Throws Failure when the guild is full.
  const Member& add_member(const std::string& display_name);

  Guild guild;
  std::string commands;  // JSON

 private:
  struct Interaction {
    std::string member, channel, command, message;  // the id of the message that answers it
    Instant at;
  };
  struct Grant {
    std::string member, challenge, redirect_uri;
    Instant until;
    bool adds_bot = false;  // to the guild
  };

  http::Reply answer_bot(const PartyRequest& request);
  http::Reply answer_interaction(const PartyRequest& request);
  http::Reply change_role(const PartyRequest& request);
  http::Reply create_message(const PartyRequest& request);
  http::Reply edit_message(const PartyRequest& request);
  http::Reply open_direct_channel(const PartyRequest& request);
  http::Reply publish_commands(const PartyRequest& request);
  http::Reply ask_for_consent(const PartyRequest& request);
  http::Reply give_consent(const PartyRequest& request);
  http::Reply ask_for_guild(const Fields& query) const;
  http::Reply add_bot(const Fields& form);
  std::string new_code(Grant grant);
  http::Reply exchange_code(const PartyRequest& request);
  http::Reply show_user(const PartyRequest& request);
  bool may_redirect_to(const std::string& client, const std::string& uri) const;
  std::optional<http::Reply> over_limit();

  json::Value application_json() const;
  json::Value resolved(const std::vector<std::pair<std::int64_t, std::string>>& options) const;
  Message& show(const Interaction& interaction, std::string_view message_json, std::int64_t flags);
  std::string interaction_body(const Interacting& interacting, const std::string& token);

  Ed25519Key key_;
  std::map<std::string, Interaction> interactions_;  // by token; the newest ones
  std::deque<std::string> tokens_;                   // of interactions_, oldest first
  std::map<std::string, Grant> codes_;
  std::map<std::string, std::string> access_tokens_;  // token → member
  Instant window_{};
  int calls_in_window_ = 0;
};

}  // namespace guildhall::sandbox
