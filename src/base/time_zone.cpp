#include "base/time_zone.h"

#include <date/tz.h>

namespace guildhall {
namespace {

const date::time_zone& zone_of(const void* zone) {
  return *static_cast<const date::time_zone*>(zone);
}

date::sys_seconds seconds_of(Instant instant) {
  return std::chrono::floor<std::chrono::seconds>(
      date::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(instant.ms)));
}

Instant to_instant(date::sys_seconds seconds) {
  return {std::chrono::milliseconds(seconds.time_since_epoch()).count()};
}

}  // namespace

std::optional<TimeZone> TimeZone::find(std::string_view iana_name) {
  TimeZone found;
  if (iana_name == found.name_) return found;
  try {
    found.zone_ = date::locate_zone(iana_name);
  } catch (const std::runtime_error&) {  // unknown, or tzdata is not installed
    return std::nullopt;
  }
  found.name_ = iana_name;
  return found;
}

Instant TimeZone::start_of(Date date) const {
  const auto midnight = date.days.time_since_epoch();
  if (zone_ == nullptr) return {std::chrono::milliseconds(midnight).count()};
  return to_instant(zone_of(zone_).to_sys(date::local_seconds(midnight), date::choose::earliest));
}

Date TimeZone::date_of(Instant instant) const {
  auto seconds = seconds_of(instant);
  if (zone_ != nullptr) seconds += zone_of(zone_).get_info(seconds).offset;
  return {std::chrono::sys_days(std::chrono::floor<std::chrono::days>(seconds.time_since_epoch()))};
}

Instant TimeZone::instant_of(LocalTime time) const {
  const auto since_epoch = time.time_since_epoch();
  if (zone_ == nullptr) return {since_epoch.count()};
  const date::local_time<std::chrono::milliseconds> local(since_epoch);
  return {zone_of(zone_).to_sys(local, date::choose::earliest).time_since_epoch().count()};
}

LocalTime TimeZone::local_time(Instant instant) const {
  std::chrono::milliseconds since_epoch(instant.ms);
  if (zone_ != nullptr) since_epoch += zone_of(zone_).get_info(seconds_of(instant)).offset;
  return LocalTime(since_epoch);
}

void Codec<TimeZone>::decode(JsonValue value, TimeZone& out, Decoder& decoder) {
  std::string_view name;
  auto zone = value.get(name) == simdjson::SUCCESS ? TimeZone::find(name) : std::nullopt;
  if (!zone) return decoder.problem("must be a time zone of the IANA database, such as Europe/Berlin");
  out = std::move(*zone);
}

std::vector<TimeZone::Part> TimeZone::parts_of(Instant begin, Instant end) const {
  if (zone_ == nullptr) return {{begin, end, {}}};
  std::vector<Part> parts;
  while (begin < end) {
    const date::sys_info info = zone_of(zone_).get_info(seconds_of(begin));
    const Instant until = seconds_of(end) < info.end ? end : to_instant(info.end);
    parts.push_back({begin, until, info.offset});
    begin = until;
  }
  return parts;
}

}  // namespace guildhall
