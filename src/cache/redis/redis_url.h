#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace guildhall {

struct RedisUrl {
  std::string host;  // a name or an address, without brackets
  int port = 6379;
  std::string user;
  std::string password;
  int database = 0;

  std::string place() const;  // host:port, for people

  // What a new connection says first: AUTH and SELECT where the URL asks for them, and PING at the end.
  std::vector<std::vector<std::string>> greeting() const;
};

// redis://[[user]:password@]host[:port][/db], user and password percent-encoded. Throws std::runtime_error
// with a sentence for the operator that does not repeat the URL, as it may hold a password.
RedisUrl parse_redis_url(std::string_view url);

}  // namespace guildhall
