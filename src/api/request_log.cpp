#include "api/request_log.h"

#include "base/instant.h"
#include "base/json_writer.h"
#include "base/log.h"

namespace guildhall::api {
namespace {

void append_text(std::string& out, std::string_view key, std::string_view value) {
  out += key;
  json::append_string(out, value);
}

// Microseconds as milliseconds with three decimals: 1234 is 1.234.
void append_milliseconds(std::string& out, std::int64_t microseconds) {
  json::append_integer(out, microseconds / 1000);
  const auto rest = static_cast<int>(microseconds % 1000);
  out += '.';
  for (const int unit : {100, 10, 1}) out += static_cast<char>('0' + rest / unit % 10);
}

void append_json(std::string& out, log::Level level, const RequestLine& line) {
  out += R"({"time":")";
  append_to(out, now());
  out += level == log::Level::error ? R"(","level":"error","message":"request","method":")"
                                    : R"(","level":"info","message":"request","method":")";
  out += line.method;
  append_text(out, R"(","route":)", line.route);
  out += R"(,"status":)";
  json::append_integer(out, line.status);
  out += R"(,"milliseconds":)";
  append_milliseconds(out, std::chrono::duration_cast<std::chrono::microseconds>(line.took).count());
  out += R"(,"bytes":)";
  json::append_integer(out, static_cast<std::int64_t>(line.bytes));
  if (!line.tenant.empty()) append_text(out, R"(,"tenant":)", line.tenant);
  if (!line.user.empty()) append_text(out, R"(,"user":)", line.user);
  append_text(out, R"(,"address":)", line.address);
  append_text(out, R"(,"requestId":)", line.request_id);
  out += "}\n";
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
