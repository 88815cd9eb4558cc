#pragma once

#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/route.h"

// The table of which user may change which other user, for all tests of rank.
namespace guildhall::test {

using Keys = std::vector<std::string>;

inline const std::vector<Keys> rank_targets{
    {}, {"data.read"}, {"TenantStaff"}, {"admin.access"}, {"TenantAdmin"}, {"treasurer"}, {"PlatformAdmin"}};

// `may_change` has a column for each target: `y` yes, `.` no (403), `g` only the grants, because a TenantAdmin may give
// and take custom keys.
struct RankRow {
  Keys actor;
  std::string_view may_change;
};
inline const std::vector<RankRow> rank_table{
    {{}, "......."},
    {{"data.read"}, "......."},
    {{"TenantStaff"}, "......."},
    {{"admin.access"}, "y..y..."},
    {{"admin.access", "TenantStaff"}, "yyyy..."},
    {{"admin.access", "data.read", "data.write"}, "yyyy..."},
    {{"TenantManager"}, "yyyy..."},
    {{"admin.access", "treasurer"}, "y..y.y."},
    {{"TenantAdmin"}, "yyyyyg."},
    {{"TenantAdmin", "treasurer"}, "yyyyyy."},
    {{"PlatformAdmin"}, "yyyyyyy"},
};

// The body for each route that changes a user. It removes every grant, or adds none.
inline const std::map<std::string, std::string> rank_bodies{
    {"PATCH /api/data/user/:id", R"({"displayName":"changed"})"},
    {"DELETE /api/data/user/:id", ""},
    {"PUT /api/data/user/:id/password", R"({"password":"long enough"})"},
    {"DELETE /api/data/user/:id/sessions", ""},
    {"POST /api/data/user/:id/password-reset", ""},
    {"DELETE /api/data/user/:id/password-reset", ""},
    {"DELETE /api/data/user/:id/second-factor", ""},
    {"PUT /api/admin/grants/:userId", R"({"keys":[]})"},
};

inline bool changes_a_user(const api::Route& route) {
  return route.method != http::Method::get &&
         (route.path.starts_with("/api/data/user/:id") || route.path.starts_with("/api/admin/grants/:userId"));
}

inline bool changes_grants(const api::Route& route) {
  return route.path.starts_with("/api/admin/grants/");
}

inline std::string route_name(const api::Route& route) {
  return fmt::format("{} {}", to_string(route.method), route.path);
}

inline bool may_change(const RankRow& actor, std::size_t target, const api::Route& route) {
  const char answer = actor.may_change.at(target);
  return answer == 'y' || (answer == 'g' && changes_grants(route));
}

}  // namespace guildhall::test
