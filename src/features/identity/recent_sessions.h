#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace guildhall {

// Remembers recently verified cookies and decoded sessions, which saves verifying, hashing and decoding at every
// request. Every request still gets the session from the cache: a decoded session is used only if the cache returns the
// same text.
template <class Session>
class RecentSessions {
 public:
  static constexpr std::size_t cookies_max = 1'000;  // one more empties the table

  // The cache key of the session of a cookie whose signature was verified recently; null if it was not.
  const std::string* key_of(std::string_view cookie) const {
    const auto found = by_cookie_.find(cookie);
    return found == by_cookie_.end() ? nullptr : &found->second.key;
  }

  // The session decoded from that text; null if the last decoded text was another.
  const Session* session_of(std::string_view cookie, const std::string& kept) const {
    const auto found = by_cookie_.find(cookie);
    return found == by_cookie_.end() || found->second.kept != kept ? nullptr : &found->second.session;
  }

  void remember(std::string_view cookie, const std::string& key, const std::string& kept, const Session& session) {
    if (by_cookie_.size() >= cookies_max) by_cookie_.clear();
    by_cookie_.insert_or_assign(std::string(cookie), Recent{key, kept, session});
  }

 private:
  struct Recent {
    std::string key, kept;
    Session session;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::unordered_map<std::string, Recent, Hash, std::equal_to<>> by_cookie_;
};

}  // namespace guildhall
