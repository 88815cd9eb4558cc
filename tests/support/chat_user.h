#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/crypto.h"
#include "support/http_client.h"

namespace guildhall::test {

// What the test's chat platform signs with, and what the server is configured with to believe it.
const Ed25519Key& chat_key();
std::string chat_public_key();

// A member at their chat client: does things, and sees what the server answers. Every 200 is held against the
// platform's rules.
class ChatUser {
 public:
  ChatUser(std::uint16_t port, std::string id) : id(std::move(id)), http_(port) {}
  ChatUser(const ChatUser&) = default;

  // `options` are members of a list: {"name":"number","type":3,"value":"1"}.
  HttpReply command(const std::string& name, const std::string& options = "");
  HttpReply press(const std::string& custom_id);
  HttpReply choose(const std::string& custom_id, const std::string& value);

  using Inputs = std::map<std::string, std::string>;
  HttpReply submit(const std::string& custom_id, const Inputs& inputs, bool labelled = false);

  // An interaction of that type; `data` is a JSON object. Uses up `next_id`, if there is one.
  HttpReply interact(int type, const std::string& data);
  std::string interaction(int type, const std::string& data);

  // Signs and sends any bytes, as the platform would.
  HttpReply send(const std::string& body);

  std::string id;
  std::string guild = "9001";  // empty: a direct message
  std::vector<std::string> roles{};
  std::string permissions = "0";
  std::string locale = "en-US";
  std::string token = "token";
  std::string next_id{};  // otherwise each interaction has an id of its own
  std::string path = "/chat/interactions";
  std::string address{};  // as a trusted proxy would tell it

 private:
  HttpClient http_;
};

// Where a component of a message is, by the beginning of its custom id: the step it leads to.
std::string component(const HttpReply& message, const std::string& step);

HttpHeaders signed_headers(const std::string& body, const std::string& timestamp);

}  // namespace guildhall::test
