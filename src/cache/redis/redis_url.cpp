#include "cache/redis/redis_url.h"

#include <charconv>
#include <fmt/format.h>
#include <stdexcept>

#include "base/url.h"

namespace guildhall {
namespace {

std::runtime_error wrong(std::string_view why) {
  return std::runtime_error(
      fmt::format("CACHE_URL must look like redis://[[user]:password@]host[:port][/db]: {}.", why));
}

int number(std::string_view text, int least, int most, std::string_view what) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    throw wrong(fmt::format("{} is not a number from {} to {}", what, least, most));
  }
  return value;
}

std::string decoded(std::string_view text) {
  auto plain = url_decode(text);
  if (!plain) throw wrong("user or password has a broken percent escape");
  return *std::move(plain);
}

void read_credentials(RedisUrl& url, std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) throw wrong("before the @ stands user:password, or :password alone");
  url.user = decoded(text.substr(0, colon));
  url.password = decoded(text.substr(colon + 1));
  if (url.password.empty()) throw wrong("the password is empty");
}

void read_place(RedisUrl& url, std::string_view text) {
  std::string_view rest;
  if (text.starts_with('[')) {  // an IPv6 address
    const auto bracket = text.find(']');
    if (bracket == std::string_view::npos) throw wrong("the address has no closing bracket");
    url.host = text.substr(1, bracket - 1);
    rest = text.substr(bracket + 1);
  } else {
    const auto colon = std::min(text.find(':'), text.size());
    url.host = text.substr(0, colon);
    rest = text.substr(colon);
  }
  if (url.host.empty()) throw wrong("the host is missing");
  if (rest.empty()) return;
  if (!rest.starts_with(':')) throw wrong("after the address comes :port");
  url.port = number(rest.substr(1), 1, 65535, "the port");
}

}  // namespace

std::string RedisUrl::place() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

std::vector<std::vector<std::string>> RedisUrl::greeting() const {
  std::vector<std::vector<std::string>> commands;
  if (!user.empty()) {
    commands.push_back({"AUTH", user, password});
  } else if (!password.empty()) {
    commands.push_back({"AUTH", password});
  }
  if (database != 0) commands.push_back({"SELECT", std::to_string(database)});
  commands.push_back({"PING"});
  return commands;
}

RedisUrl parse_redis_url(std::string_view text) {
  constexpr std::string_view scheme = "redis://";
  if (!text.starts_with(scheme)) throw wrong("it begins with something else");
  text.remove_prefix(scheme.size());

  RedisUrl url;
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    read_credentials(url, text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  const auto slash = std::min(text.find('/'), text.size());
  read_place(url, text.substr(0, slash));
  if (const auto database = text.substr(slash); database.size() > 1) {
    url.database = number(database.substr(1), 0, 65535, "the database");
  }
  return url;
}

}  // namespace guildhall
