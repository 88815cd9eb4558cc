#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/actor.h"
#include "base/declared.h"
#include "storage/database.h"

// Domain events: what has happened, told in the transaction in which it happens. A subscriber's effects commit with
// the cause, and its throw undoes the cause.
namespace guildhall {

struct Event {
  TenantId tenant;
  std::string name;     // order.paid
  std::string subject;  // the record's id
  std::string payload;  // JSON; each event's is documented in docs/events.md
  Actor actor;
  Instant at;
};

class Events {
 public:
  using Subscriber = std::function<void(Tx&, const Event&)>;
  using Interest = std::function<bool(Tx&, const TenantId&, std::string_view name)>;

  // All subscriptions are made while the app is wired, before the first event.
  void subscribe(std::string name, Subscriber subscriber) {
    subscribers_[std::move(name)].push_back(std::move(subscriber));
  }

  // Hears of every event that it says to be interested in, after those who asked for one by name.
  void subscribe_to_all(Interest interest, Subscriber subscriber) {
    general_subscribers_.push_back({std::move(interest), std::move(subscriber)});
  }

  // Whether anybody listens.
  bool has_subscribers(Tx& tx, const TenantId& tenant, std::string_view name) const;

  // Runs the subscribers in the order of their subscription.
  void emit(Tx& tx, const Event& event) const;

 private:
  std::map<std::string, std::vector<Subscriber>, std::less<>> subscribers_;
  struct GeneralSubscriber {
    Interest interest;
    Subscriber hear;
  };
  std::vector<GeneralSubscriber> general_subscribers_;
};

// In which transaction, for which tenant, by whom and when something is done: what actions that tell others of it hand
// to each other.
struct ActionContext {
  Tx& tx;
  const Events& events;
  const TenantId& tenant;
  const Actor& actor;
  Instant now;

  // `payload()` makes the JSON; it is not asked for when nobody listens.
  void emit(std::string_view event, const std::string& subject, FunctionRef<std::string()> payload) const {
    if (!events.has_subscribers(tx, tenant, event)) return;
    events.emit(tx, {.tenant = tenant,
                     .name = std::string(event),
                     .subject = subject,
                     .payload = payload(),
                     .actor = actor,
                     .at = now});
  }
};

}  // namespace guildhall
