#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/instant.h"

namespace guildhall {

// The time that a clock on a wall shows.
using LocalTime = std::chrono::local_time<std::chrono::milliseconds>;

// A time zone of the IANA database that the operating system installs (package tzdata). UTC works without it.
class TimeZone {
 public:
  TimeZone() = default;  // UTC

  // Returns nothing for an unknown name. Names are compared with case.
  static std::optional<TimeZone> find(std::string_view iana_name);

  const std::string& name() const { return name_; }

  // The first instant of the date. Where a clock is put forward at midnight, that is the instant of the change.
  Instant start_of(Date date) const;
  Date date_of(Instant instant) const;

  // A time that clocks skip is the instant of that change; of a time that they show twice, the first counts.
  Instant instant_of(LocalTime time) const;
  LocalTime local_time(Instant instant) const;

  // The parts of a time span in which the difference to UTC does not change, in order and without gaps.
  struct Part {
    Instant begin, end;
    std::chrono::seconds offset;
  };
  std::vector<Part> parts_of(Instant begin, Instant end) const;

 private:
  std::string name_ = "UTC";
  const void* zone_ = nullptr;  // the library's time zone; null: UTC
};

template <>
struct Codec<TimeZone> : PlainCodec {
  static void decode(JsonValue value, TimeZone& out, Decoder& decoder);
  static void encode(std::string& out, const TimeZone& value) { json::append_string(out, value.name()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

}  // namespace guildhall
