#include "app/slices.h"

#include <algorithm>

#include "features/tenancy/installation_config.h"
#include "features/webhooks/routes.h"

// A slice uses only those above it (script/check reads this list). Each is declared in features/<slice>/slice.cpp.
#define GUILDHALL_SLICES(SLICE) \
  SLICE(tenancy)                \
  SLICE(email)                  \
  SLICE(identity)               \
  SLICE(webhooks)               \
  SLICE(chat_platform)          \
  SLICE(media)                  \
  SLICE(catalog)                \
  SLICE(customers)              \
  SLICE(discounts)              \
  SLICE(orders)                 \
  SLICE(fund)                   \
  SLICE(entitlements)           \
  SLICE(delivery)               \
  SLICE(fulfilment)             \
  SLICE(payments)               \
  SLICE(memberships)            \
  SLICE(messages)               \
  SLICE(reports)                \
  SLICE(billing)                \
  SLICE(chat)                   \
  SLICE(console)                \
  SLICE(changes)                \
  SLICE(operations)

namespace guildhall {

#define GUILDHALL_DECLARED(name) Slice name##_slice();
GUILDHALL_SLICES(GUILDHALL_DECLARED)
#undef GUILDHALL_DECLARED

const std::vector<Slice>& all_slices() {
#define GUILDHALL_MADE(name) name##_slice(),
  static const std::vector<Slice> slices{GUILDHALL_SLICES(GUILDHALL_MADE)};
#undef GUILDHALL_MADE
  return slices;
}

namespace {

// Messages that wait to be sent are not erased; the search for remaining rows finds them.
constexpr SliceTable tables_of_modules[]{
    {.name = "audit_entries",
     .other = "actor_kind request_id subject action hash",
     .personal = "actor_id subject_id changes",
     .erased = erased_by_code,
     .grows = true},
    {.name = "audit_chains", .other = "hash"},
    {.name = "outbox_messages",
     .other = "topic status last_error traceparent",
     .personal = "payload lane",
     .erased = "payload = CASE WHEN status = 'PENDING' THEN payload ELSE '{}' END,"
               " lane = CASE WHEN status = 'PENDING' THEN lane ELSE topic END"},
    {.name = "idempotency_records", .personal = "user_id route key body_hash headers body", .erased = "DELETE"},
    {.name = "idempotency_bytes"},
    {.name = "metadata_entries", .personal = "record_table entry record_id", .erased = "DELETE"},
    {.name = "key_checks", .other = "sealed"},
    {.name = "write_probes"},
};

}  // namespace

std::span<const SliceTable> all_slice_tables() {
  static const std::vector<SliceTable> all = [] {
    std::vector<SliceTable> tables;
    for (const Slice& slice : all_slices()) tables.insert(tables.end(), slice.tables().begin(), slice.tables().end());
    tables.insert(tables.end(), std::begin(tables_of_modules), std::end(tables_of_modules));
    std::ranges::stable_partition(tables, &SliceTable::identifies);
    return tables;
  }();
  return all;
}

std::vector<std::string_view> growing_tables() {
  std::vector<std::string_view> names;
  for (const SliceTable& table : all_slice_tables()) {
    if (table.grows) names.push_back(table.name);
  }
  std::ranges::sort(names);
  return names;
}

Slices slices_with(const Slices* added) {
  Slices slices = all_slices();
  if (added != nullptr) slices.insert(slices.end(), added->begin(), added->end());
  return slices;
}

void make_loop_objects(const Slices& slices, Services& loop) {
  for (const Slice& slice : slices) {
    for (const auto& make : slice.loop_objects()) make(loop);
  }
}

std::vector<api::Route> routes_of(const Slices& slices, const Services& services) {
  std::vector<api::Route> routes;
  std::vector<api::OutgoingEvent> outgoing;
  for (const Slice& slice : slices) {
    for (const auto& make : slice.routes()) std::ranges::move(make(services), std::back_inserter(routes));
    for (const Slice::Event& event : slice.events()) {
      if (event.payload != nullptr) outgoing.push_back({event.name, event.payload});
    }
  }
  outgoing.push_back(test_webhook());
  api::add_description_route(routes, outgoing, services.get<const InstallationConfig>().public_base_url);
  return routes;
}

void subscribe(const Slices& slices, Events& events, const Services& services) {
  for (const auto turn : {Slice::Turn::informs, Slice::Turn::reads, Slice::Turn::acts}) {
    for (const Slice& slice : slices) {
      for (const Slice::Subscription& subscription : slice.subscriptions()) {
        if (subscription.turn == turn) subscription.subscribe(services, events);
      }
    }
  }
}

void handle_topics(const Slices& slices, outbox::Dispatcher& dispatcher, const Services& services) {
  for (const Slice& slice : slices) {
    for (const auto& handle : slice.topics()) handle(services, dispatcher);
  }
}

void handle_webhooks(const Slices& slices, WebhookIntake& intake, const Services& services) {
  for (const Slice& slice : slices) {
    for (const auto& handle : slice.webhooks()) handle(services, intake);
  }
}

namespace {

std::vector<std::string_view> names_of_events(const Slices& slices, bool only_published) {
  std::vector<std::string_view> names;
  for (const Slice& slice : slices) {
    for (const Slice::Event& event : slice.events()) {
      if (!only_published || event.payload != nullptr) names.push_back(event.name);
    }
  }
  return names;
}

}  // namespace

std::span<const std::string_view> event_names() {
  static const std::vector<std::string_view> names = names_of_events(all_slices(), false);
  return names;
}

std::span<const std::string_view> published_event_names() {
  static const std::vector<std::string_view> names = published_event_names_of(all_slices());
  return names;
}

std::vector<std::string_view> published_event_names_of(const Slices& slices) {
  return names_of_events(slices, true);
}

}  // namespace guildhall
