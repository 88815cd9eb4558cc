#include "api/api_version.h"

namespace guildhall::api {
namespace {

std::string_view wanted_version(const Request& request, const Caller* caller) {
  const std::string_view named = request.header("guildhall-version");
  if (!named.empty() || caller == nullptr) return named;
  return caller->api_version;
}

Date oldest_version() {
  using namespace std::chrono;
  const year_month_day present(parse_date(api_version)->days);
  const year_month_day before(present.year() - years(1), present.month(), present.day());
  return {before.ok() ? sys_days(before) : sys_days(before.year() / before.month() / last)};
}

Date today(Instant now) {
  return {std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(now.ms)))};
}

bool is_supported(std::string_view text, Instant now) {
  const auto version = parse_date(text);
  return version && is_supported_version(*version, now);
}

}  // namespace

bool is_supported_version(Date version, Instant now) {
  return version >= oldest_version() && version <= std::max(today(now), *parse_date(api_version));
}

std::string version_of(const Request& request, const Caller* caller, Instant now) {
  const std::string_view wanted = wanted_version(request, caller);
  return std::string(!wanted.empty() && is_supported(wanted, now) ? wanted : api_version);
}

void require_supported_version(const Request& request, const Caller* caller, Instant now) {
  const std::string_view wanted = wanted_version(request, caller);
  if (wanted.empty() || is_supported(wanted, now)) return;
  throw bad_request("VERSION_NOT_SUPPORTED",
                    fmt::format("Guildhall-Version must be a date from {} to today; the present version is {}.",
                                to_string(oldest_version()), api_version));
}

void add_deprecation(Reply& reply) {
  reply
      .with("Deprecation", "@1794960000")  // 2026-11-18
      .with("Sunset", "Thu, 18 Nov 2027 00:00:00 GMT")
      .with("Link", R"(</docs/guides/api-stability>; rel="deprecation"; type="text/html")");
}

}  // namespace guildhall::api
