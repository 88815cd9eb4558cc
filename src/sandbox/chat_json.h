#pragma once

#include "sandbox/guild.h"
#include "sandbox/party.h"

// The chat platform's JSON.
namespace guildhall::sandbox {

http::Reply chat_error(int status, int code, std::string_view message);

json::Value user_json(const Member& member);
json::Value member_json(const Member& member);
json::Value roles_json(const Guild& guild);  // after the one that everybody has
json::Value message_json(const Channel& channel, const Message& message);

// Replaces the parts of the message that the JSON names.
void apply_content(Message& message, std::string_view json);

// Why the platform refuses a message that the bot sends through the REST API; empty if it does not.
std::string faults_of_message(const PartyRequest& request);

}  // namespace guildhall::sandbox
