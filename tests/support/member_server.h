#pragma once

#include <map>
#include <mutex>
#include <set>

#include "support/http_receiver.h"

namespace guildhall::test {

// A chat server with members, their roles and their direct messages, over real HTTP.
class MemberServer {
 public:
  MemberServer() {
    for (const char* method : {"PUT", "DELETE"}) {
      platform.on(method, "/guilds/*", [this](const ReceivedRequest& request) { return change(request); });
    }
    platform.on("GET", "/guilds/*", ReceiverReply{.body = R"({"roles":[]})"});
    platform.on("POST", "/users/@me/channels", [](const ReceivedRequest& request) {
      const std::size_t begin = request.body.rfind(':') + 2;  // {"recipient_id":"7"}
      return ReceiverReply{.body =
                              R"({"id":"dm-)" + request.body.substr(begin, request.body.size() - begin - 2) + "\"}"};
    });
    platform.on("POST", "/channels/*", [this](const ReceivedRequest& request) { return receive(request); });
  }

  // The members who have the role.
  std::set<std::string> members_with(const std::string& role) const {
    const std::lock_guard lock(mutex_);
    const auto found = members_.find(role);
    return found == members_.end() ? std::set<std::string>() : found->second;
  }

  // How often a role was taken from a member.
  int removals() const {
    const std::lock_guard lock(mutex_);
    return removals_;
  }

  // The bodies of the direct messages to a member.
  std::vector<std::string> messages_to(const std::string& member) const {
    const std::lock_guard lock(mutex_);
    const auto found = messages_.find("/channels/dm-" + member + "/messages");
    return found == messages_.end() ? std::vector<std::string>() : found->second;
  }

  HttpReceiver platform;

 private:
  // /guilds/900/members/7/roles/41
  ReceiverReply change(const ReceivedRequest& request) {
    const std::size_t role = request.path.rfind('/'), end = request.path.rfind("/roles/");
    const std::size_t member = request.path.rfind('/', end - 1);
    const std::lock_guard lock(mutex_);
    std::set<std::string>& members = members_[request.path.substr(role + 1)];
    const std::string id = request.path.substr(member + 1, end - member - 1);
    request.method == "PUT" ? void(members.insert(id)) : void(removals_ += static_cast<int>(members.erase(id)));
    return {.status = 204};
  }

  ReceiverReply receive(const ReceivedRequest& request) {
    const std::lock_guard lock(mutex_);
    messages_[request.path].push_back(request.body);
    return {.body = R"({"id":"1"})"};
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::set<std::string>> members_;      // by role
  std::map<std::string, std::vector<std::string>> messages_;  // by path
  int removals_ = 0;
};

}  // namespace guildhall::test
