#include "sandbox/call_log.h"

#include <algorithm>

#include "base/json_writer.h"
#include "base/text.h"

namespace guildhall::sandbox {
namespace {

void append_call(std::string& out, const Call& call) {
  json::ObjectWriter object(out);
  object.add("id", call.id);
  object.add("at", to_string(call.at));
  object.add("direction", call.outgoing ? "out" : "in");
  object.add("party", call.party);
  object.add("method", call.method);
  object.add("url", call.url);
  {
    json::ObjectWriter headers(object.key("requestHeaders"));
    for (const auto& [name, value] : call.request_headers) headers.add(name, storable_text(value));
  }
  object.add("requestBody", call.request_body);
  object.add("status", call.status);
  object.add("responseBody", call.response_body);
  object.add("milliseconds", call.took.count());
  if (call.signature_header.empty()) {
    object.add("signature", nullptr);
  } else {
    object.add("signature", json::object({{"header", call.signature_header}, {"valid", call.status != 401}}));
  }
}

}  // namespace

void CallLog::add(Call call) {
  call.id = ++last_;
  call.request_body = storable_text(call.request_body, body_bytes_max);
  call.response_body = storable_text(call.response_body, body_bytes_max);
  calls_.push_back(std::move(call));
  if (calls_.size() > calls_max) calls_.pop_front();
}

const Call* CallLog::find(std::int64_t id) const {
  const auto found = std::ranges::find(calls_, id, &Call::id);
  return found == calls_.end() ? nullptr : &*found;
}

std::string CallLog::json_after(std::int64_t id) const {
  return json::write_object([&](json::ObjectWriter& object) {
    {
      json::ArrayWriter items(object.key("items"));
      for (const Call& call : calls_) {
        if (call.id > id) append_call(items.next(), call);
      }
    }
    object.add("last", last_);
  });
}

}  // namespace guildhall::sandbox
