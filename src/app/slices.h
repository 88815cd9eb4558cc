#pragma once

#include <span>

#include "features/slice.h"

namespace guildhall {

// All slices, in the order in which one may use another: it uses those before it.
const std::vector<Slice>& all_slices();

// The tables of all slices and of the modules below them. Those whose rows identify others come first.
std::span<const SliceTable> all_slice_tables();

// The names of those that grow without end, for storage's partition().
std::vector<std::string_view> growing_tables();

// Those that a process serves: all of them, and a test may add its own.
using Slices = std::vector<Slice>;
Slices slices_with(const Slices* added);

// Makes the objects that each loop has of its own.
void make_loop_objects(const Slices& slices, Services& loop);

// A route that no slice declares does not exist.
std::vector<api::Route> routes_of(const Slices& slices, const Services& services);

void subscribe(const Slices& slices, Events& events, const Services& services);
void handle_topics(const Slices& slices, outbox::Dispatcher& dispatcher, const Services& services);
void handle_webhooks(const Slices& slices, WebhookIntake& intake, const Services& services);

// The names of all domain events.
std::span<const std::string_view> event_names();

// The names of those that leave the process: a webhook endpoint may ask for them, and docs/events.md describes them.
std::span<const std::string_view> published_event_names();
std::vector<std::string_view> published_event_names_of(const Slices& slices);

}  // namespace guildhall
