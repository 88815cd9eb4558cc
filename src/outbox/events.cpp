#include "outbox/events.h"

#include "outbox/outbox.h"

namespace guildhall {

void Events::emit(Tx& tx, const Event& event) const {
  const auto found = subscribers_.find(event.name);
  if (found != subscribers_.end()) {
    for (const Subscriber& subscriber : found->second) subscriber(tx, event);
  }
  std::string message = R"({"type":)";
  json::append_string(message, event.name);
  message.append(R"(,"timestamp":")")
      .append(to_string(event.at))
      .append(R"(","data":)")
      .append(event.payload)
      .append("}");
  outbox::append(tx, {.tenant = event.tenant, .topic = "event", .payload = std::move(message), .due = event.at},
                 event.at);
}

}  // namespace guildhall
