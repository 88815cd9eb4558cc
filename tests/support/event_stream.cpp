#include "support/event_stream.h"

#include <fmt/format.h>
#include <sstream>

namespace guildhall::test {
namespace {

StreamEvent parsed(const std::string& block) {
  StreamEvent event;
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    const std::string name = line.substr(0, colon), value = colon == line.npos ? "" : line.substr(colon + 2);
    if (name == "id") event.id = value;
    if (name == "event") event.type = value;
    if (name == "data") event.data.body = value;
  }
  return event;
}

}  // namespace

EventStream::EventStream(std::uint16_t port, const HttpClient& caller, const Options& options)
    : connection_(port, options.receive_buffer_bytes) {
  std::string request = fmt::format("GET /api/admin/changes{} HTTP/1.1\r\nHost: test\r\n", options.query);
  for (const auto& [name, value] : caller.cookies) request += fmt::format("Cookie: {}={}\r\n", name, value);
  for (const auto& [name, value] : options.headers) request += fmt::format("{}: {}\r\n", name, value);
  if (!options.last_event_id.empty()) request += fmt::format("Last-Event-ID: {}\r\n", options.last_event_id);
  connection_.send(request + "\r\n");
  head = connection_.receive();
  if (head.status == 200) last_event_id = parsed(next_block().value_or("")).id;
}

std::optional<std::string> EventStream::next_block() {
  while (buffer_.find("\n\n") == std::string::npos) {
    const std::string chunk = connection_.receive_chunk();
    if (chunk.empty()) return std::nullopt;
    buffer_ += chunk;
  }
  const std::size_t end = buffer_.find("\n\n") + 2;
  std::string block = buffer_.substr(0, end);
  buffer_.erase(0, end);
  return block;
}

std::optional<StreamEvent> EventStream::next() {
  while (const auto block = next_block()) {
    StreamEvent event = parsed(*block);
    if (!event.id.empty()) last_event_id = event.id;
    if (!event.type.empty()) return event;
  }
  return std::nullopt;
}

bool EventStream::next_is_heartbeat() {
  const auto block = next_block();
  return block && block->starts_with(": heartbeat\n");
}

}  // namespace guildhall::test
