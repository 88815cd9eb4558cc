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

  std::string place() const;  // host:port, for log lines and messages

  // The first commands on a new connection: AUTH and SELECT if the URL has a password or a database, then PING.
  std::vector<std::vector<std::string>> greeting() const;
};

// Parses redis://[[user]:password@]host[:port][/db], with user and password percent-encoded. Throws std::runtime_error
// with a sentence for the operator that does not contain the URL, because it may contain a password.
RedisUrl parse_redis_url(std::string_view url);

}  // namespace guildhall
