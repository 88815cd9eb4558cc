#include "api/request_log.h"

#include "base/codec.h"
#include "base/log.h"

namespace guildhall::api {
namespace {

// Appends microseconds as milliseconds with three decimals: 1234 becomes 1.234.
void append_milliseconds(std::string& out, std::int64_t microseconds) {
  json::append_integer(out, microseconds / 1000);
  const auto rest = static_cast<int>(microseconds % 1000);
  out += '.';
  for (const int unit : {100, 10, 1}) out += static_cast<char>('0' + rest / unit % 10);
}

void append_json(std::string& out, log::Level level, const RequestLine& line) {
  {
    json::ObjectWriter object(out);
    object.add("time", now());
    object.add("level", log::level_name(level));
    object.add("message", "request");
    object.add("method", line.method);
    object.add("route", line.route);
    object.add("status", line.status);
    append_milliseconds(object.key("milliseconds"),
                        std::chrono::duration_cast<std::chrono::microseconds>(line.took).count());
    object.add("bytes", line.bytes);
    if (!line.tenant.empty()) object.add("tenant", line.tenant);
    if (!line.user.empty()) object.add("user", line.user);
    if (!line.token.empty()) object.add("token", line.token);
    object.add("address", line.address);
    object.add("requestId", line.request_id);
    if (!line.trace_id.empty()) object.add("traceId", line.trace_id);
  }
  out += '\n';
}

void append_readable(std::string& out, log::Level level, const RequestLine& line) {
  fmt::format_to(std::back_inserter(out), "{} {:<5} request  {} {}  status={}  milliseconds=", to_string(now()),
                 log::level_name(level), line.method, line.route, line.status);
  append_milliseconds(out, std::chrono::duration_cast<std::chrono::microseconds>(line.took).count());
  fmt::format_to(std::back_inserter(out), "  bytes={}  tenant={}  user={}  address={}  requestId={}\n", line.bytes,
                 line.tenant, line.user, line.address, line.request_id);
}

}  // namespace

void RequestLog::add(const RequestLine& line) {
  if (buffer_ == nullptr) return;
  const bool slow = line.took >= slow_;
  const log::Level level = line.status >= 500 ? log::Level::error : slow ? log::Level::warn : log::Level::info;
  if (!log::is_written(level) || (!share_.take_next() && level == log::Level::info)) return;
  text_.clear();
  (log::is_json() ? append_json : append_readable)(text_, level, line);
  buffer_->append(text_);
}

}  // namespace guildhall::api
