#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/crypto.h"
#include "support/http_client.h"
#include "support/test_sandbox.h"

namespace guildhall::test {

// For the configuration of a server that has nothing else of the sandbox.
std::string chat_public_key();

// A member who uses a chat client: sends interactions, signed with the sandbox's key, and receives the server's
// answers. Every 200 is checked against the platform's rules.
class ChatUser {
 public:
  ChatUser(std::uint16_t port, std::string id) : id(std::move(id)), http_(port) {}
  ChatUser(const ChatUser&) = default;

  // `options` are the elements of a JSON list: {"name":"number","type":3,"value":"1"}.
  HttpReply command(const std::string& name, const std::string& options = "");
  HttpReply press(const std::string& custom_id);
  HttpReply choose(const std::string& custom_id, const std::string& value);

  using Inputs = std::map<std::string, std::string>;
  HttpReply submit(const std::string& custom_id, const Inputs& inputs, bool labelled = false);

  // Sends an interaction of that type; `data` is a JSON object. If `next_id` is set, uses and clears it. The sandbox,
  // if there is one, shows the answer, which the server may edit later.
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
  std::string next_id{};  // the id of the next interaction; empty: a new id
  std::string path = "/chat/interactions";
  std::string address{};  // the client address that a trusted proxy would report
  const TestSandbox* sandbox = nullptr;

  static constexpr std::string_view channel = "77";

 private:
  HttpClient http_;
};

// Returns the custom id of the message's component that leads to this step.
std::string component(const HttpReply& message, const std::string& step);

HttpHeaders signed_headers(const std::string& body, const std::string& timestamp);

}  // namespace guildhall::test
