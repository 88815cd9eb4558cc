#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "audit/audit.h"

// Domain events. Each event is a struct in the slice that emits it, which declares it (features/slice.h). An event is
// emitted in the transaction in which it happens. A subscriber receives the struct and runs in the same transaction:
// its effects are committed together with the cause, and the cause is rolled back when it throws.
namespace guildhall {

// The struct exists only while it is emitted, so it may refer to the emitter's records instead of copying them.
template <class T>
concept DomainEvent = requires {
  { T::name } -> std::convertible_to<std::string_view>;
};

// An event that may leave the process: `payload()` returns the described struct that becomes its JSON. docs/events.md
// documents these payloads. An event without a payload reaches subscribers in the process only.
template <class T>
concept PublishedEvent = DomainEvent<T> && requires(const T& event) { event.payload(); };

struct ActionContext;

// The subscribers of all events. A default-constructed one has none.
class Events {
 public:
  // Takes events out of the process.
  struct Publisher {
    std::function<bool(const ActionContext&, std::string_view name)> wants;  // if not, no JSON is made
    std::function<void(const ActionContext&, std::string_view name, const std::string& payload)> publish;
  };

  // Subscribers and the publisher are set while the app is wired, before the first event.
  template <DomainEvent E>
  void subscribe(std::function<void(const ActionContext&, const E&)> subscriber) {
    subscribers_[typeid(E)].push_back(
        [subscriber = std::move(subscriber)](const ActionContext& context, const void* event) {
          subscriber(context, *static_cast<const E*>(event));
        });
  }

  void set_publisher(Publisher publisher) { publisher_ = std::move(publisher); }

  // Calls the event's subscribers in the order of their subscription, then the publisher.
  template <DomainEvent E>
  void emit(const ActionContext& context, const E& event) const {
    call_subscribers(typeid(E), context, &event);
    if constexpr (PublishedEvent<E>) {
      if (!publisher_.wants || !publisher_.wants(context, E::name)) return;
      publisher_.publish(context, E::name, to_json(event.payload()));
    }
  }

 private:
  void call_subscribers(std::type_index type, const ActionContext& context, const void* event) const {
    const auto found = subscribers_.find(type);
    if (found == subscribers_.end()) return;
    for (const Subscriber& subscriber : found->second) subscriber(context, event);
  }

  using Subscriber = std::function<void(const ActionContext&, const void* event)>;
  std::unordered_map<std::type_index, std::vector<Subscriber>> subscribers_;
  Publisher publisher_;
};

// The transaction, tenant, actor and time of an action, and the subscribers of the events that it emits. Actions pass
// it on to each other. Do not keep it beyond the call.
struct ActionContext : AuditContext {
  const Events& events;

  ActionContext(Tx& tx, const Events& events, const TenantId& tenant, Actor actor, Instant now)
      : AuditContext{tx, tenant, std::move(actor), now}, events(events) {}

  // The same action in another tenant.
  ActionContext in_tenant(const TenantId& other) const { return {tx, events, other, actor, now}; }

  template <DomainEvent E>
  void emit(const E& event) const {
    events.emit(*this, event);
  }
};

}  // namespace guildhall
