#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace guildhall {

// The sessions whose cookies came lately, so that not every request verifies, hashes and decodes the same again. The
// cache still decides at every request: what is remembered serves only while the cache holds the very same text.
template <class Session>
class RecentSessions {
 public:
  static constexpr std::size_t cookies_max = 1'000;  // one more forgets them all

  // Where the cache keeps the session of this cookie, whose signature was found to be ours; null: not lately.
  const std::string* key_of(std::string_view cookie) const {
    const auto found = by_cookie_.find(cookie);
    return found == by_cookie_.end() ? nullptr : &found->second.key;
  }

  // What the text was decoded to; null: the cache now holds another.
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
