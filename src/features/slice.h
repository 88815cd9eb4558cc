#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "api/openapi.h"
#include "api/route.h"
#include "base/job_failures.h"
#include "base/services.h"
#include "features/slice_table.h"
#include "outbox/dispatcher.h"
#include "outbox/events.h"

namespace guildhall {

class WebhookIntake;

// The names of the events that leave the process: a webhook endpoint may ask for them.
struct PublishedEvents {
  std::span<const std::string_view> names;
};

// Everything that the rest of the server knows of a slice. Each folder of features/ declares its own in slice.cpp;
// app/slices.cpp lists them. A function that makes a part of a slice names the services that it needs as its last
// parameters: `std::vector<api::Route> product_routes(Database& db, const Events& events)`.
class Slice {
 public:
  template <class Result, class... Given>
  using Part = std::function<Result(const Services&, Given...)>;

  explicit Slice(std::string_view name) : name_(name) {}

  Slice& table(const SliceTable& table) {
    tables_.push_back(table);
    return *this;
  }

  template <class... Needs>
  Slice& routes(std::vector<api::Route> (*make)(Needs&...)) {
    routes_.push_back([make](const Services& services) { return make(services.get<Needs>()...); });
    return *this;
  }

  // An object that every loop has of its own, for the routes of this slice and later ones.
  template <class T, class... Needs>
  Slice& per_loop(std::unique_ptr<T> (*make)(Needs&...)) {
    loop_objects_.push_back([make](Services& services) { services.own(make(services.get<Needs>()...)); });
    return *this;
  }

  // Adds to an object of an earlier slice what this one knows better. It is called before the routes are made.
  template <class... Needs>
  Slice& contributes(void (*add)(Needs&...)) {
    loop_objects_.push_back([add](Services& services) { add(services.get<Needs>()...); });
    return *this;
  }

  // The events that the slice emits.
  template <DomainEvent... Emitted>
  Slice& events() {
    (events_.push_back({Emitted::name, schema_of<Emitted>()}), ...);
    return *this;
  }

  // In which turn the subscribers of an event are called, whatever the order of their slices.
  enum class Turn {
    informs,  // first: a buyer is informed of a payment before what follows from it
    reads,
    acts,  // last, since it may lock what others read
  };

  template <class... Needs>
  Slice& subscribes(void (*subscribe)(Events&, Needs&...), Turn turn = Turn::acts) {
    subscriptions_.push_back({turn, bound(subscribe)});
    return *this;
  }

  // Registers the handlers of topics of the outbox.
  template <class... Needs>
  Slice& topics(void (*handle)(outbox::Dispatcher&, Needs&...)) {
    topics_.push_back(bound(handle));
    return *this;
  }

  // Registers the handlers of webhooks that come in.
  template <class... Needs>
  Slice& webhooks(void (*handle)(WebhookIntake&, Needs&...)) {
    webhooks_.push_back(bound(handle));
    return *this;
  }

  // Background work, repeated with a pause before each run.
  template <class... Needs>
  Slice& job(std::string_view name, std::chrono::milliseconds pause, void (*run)(const JobFailures&, Needs&...)) {
    jobs_.push_back({name, pause, bound(run)});
    return *this;
  }

  struct Event {
    std::string_view name;
    api::SchemaOf payload;  // null: the event does not leave the process
  };
  struct Subscription {
    Turn turn;
    Part<void, Events&> subscribe;
  };
  struct Job {
    std::string_view name;
    std::chrono::milliseconds pause;
    Part<void, const JobFailures&> run;
  };

  std::string_view name() const { return name_; }
  const std::vector<SliceTable>& tables() const { return tables_; }
  const std::vector<Part<std::vector<api::Route>>>& routes() const { return routes_; }
  const std::vector<std::function<void(Services&)>>& loop_objects() const { return loop_objects_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<Subscription>& subscriptions() const { return subscriptions_; }
  const std::vector<Part<void, outbox::Dispatcher&>>& topics() const { return topics_; }
  const std::vector<Part<void, WebhookIntake&>>& webhooks() const { return webhooks_; }
  const std::vector<Job>& jobs() const { return jobs_; }

 private:
  template <class Given, class... Needs>
  static Part<void, Given> bound(void (*function)(Given, Needs&...)) {
    return [function](const Services& services, Given given) { function(given, services.get<Needs>()...); };
  }

  template <DomainEvent E>
  static api::SchemaOf schema_of() {
    if constexpr (PublishedEvent<E>) {
      return &Codec<std::remove_cvref_t<decltype(std::declval<const E&>().payload())>>::schema;
    } else {
      return nullptr;
    }
  }

  std::string_view name_;
  std::vector<SliceTable> tables_;
  std::vector<Part<std::vector<api::Route>>> routes_;
  std::vector<std::function<void(Services&)>> loop_objects_;
  std::vector<Event> events_;
  std::vector<Subscription> subscriptions_;
  std::vector<Part<void, outbox::Dispatcher&>> topics_;
  std::vector<Part<void, WebhookIntake&>> webhooks_;
  std::vector<Job> jobs_;
};

}  // namespace guildhall
