#pragma once

#include <span>
#include <string_view>

#include "api/openapi.h"

namespace guildhall {

// The names of all domain events.
std::span<const std::string_view> event_names();

// The names of those that leave the process: a webhook endpoint may ask for them, and docs/events.md describes them.
std::span<const std::string_view> published_event_names();

// The same events with the types of their payloads, for /openapi.json.
std::span<const api::OutgoingEvent> published_events();

}  // namespace guildhall
