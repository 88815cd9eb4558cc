#pragma once

#include <span>

#include "features/slice.h"

namespace guildhall {

// All slices, in the order in which one may use another: it uses those before it.
std::span<const Slice> all_slices();

// The tables of all slices and of the modules below them. Those whose rows identify others come first.
std::span<const SliceTable> all_slice_tables();

// Makes the objects that each loop has of its own.
void make_loop_objects(Services& loop);

// All routes of the server. A route that no slice declares does not exist.
std::vector<api::Route> all_routes(const Services& services);

void subscribe_all(Events& events, const Services& services);
void handle_all_topics(outbox::Dispatcher& dispatcher, const Services& services);
void handle_all_webhooks(WebhookIntake& intake, const Services& services);

// The names of all domain events.
std::span<const std::string_view> event_names();

// The names of those that leave the process: a webhook endpoint may ask for them, and docs/events.md describes them.
std::span<const std::string_view> published_event_names();

}  // namespace guildhall
