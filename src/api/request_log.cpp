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
    object.add("level", level == log::Level::error ? "error" : "info");
    object.add("message", "request");
    object.add("method", line.method);
    object.add("route", line.route);
    object.add("status", line.status);
    append_milliseconds(object.key("milliseconds"),
                        std::chrono::duration_cast<std::chrono::microseconds>(line.took).count());
    object.add("bytes", line.bytes);
    if (!line.tenant.empty()) object.add("tenant", line.tenant);
    if (!line.user.empty()) object.add("user", line.user);
    object.add("address", line.address);
    object.add("requestId", line.request_id);
  }
  out += '\n';
}

void append_readable(std::string& out, log::Level level, const RequestLine& line) {
  fmt::format_to(std::back_inserter(out), "{} {:<5} request  {} {}  status={}  milliseconds=", to_string(now()),
                 level == log::Level::error ? "error" : "info", line.method, line.route, line.status);
  append_milliseconds(out, std::chrono::duration_cast<std::chrono::microseconds>(line.took).count());
  fmt::format_to(std::back_inserter(out), "  bytes={}  tenant={}  user={}  address={}  requestId={}\n", line.bytes,
                 line.tenant, line.user, line.address, line.request_id);
}

}  // namespace

bool RequestLog::is_due(int status) {
  credit_ += share_;
  if (credit_ >= 1) {
    credit_ -= 1;
    return true;
  }
  return status >= 500;
}

void RequestLog::add(const RequestLine& line) {
  const log::Level level = line.status >= 500 ? log::Level::error : log::Level::info;
  if (buffer_ == nullptr || !log::is_written(level) || !is_due(line.status)) return;
  text_.clear();
  (log::is_json() ? append_json : append_readable)(text_, level, line);
  buffer_->append(text_);
}

}  // namespace guildhall::api
