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
// the cause, and its throw undoes the cause. Afterwards the event goes to the outside through the outbox.
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

  // All subscriptions are made while the app is wired, before the first event.
  void subscribe(std::string name, Subscriber subscriber) {
    subscribers_[std::move(name)].push_back(std::move(subscriber));
  }

  // Runs the subscribers in the order of their subscription, then appends {"type", "timestamp", "data": payload} to
  // the outbox under the topic "event".
  void emit(Tx& tx, const Event& event) const;

 private:
  std::map<std::string, std::vector<Subscriber>, std::less<>> subscribers_;
};

// In which transaction, for which tenant, by whom and when something is done: what actions that tell others of it hand
// to each other.
struct ActionContext {
  Tx& tx;
  const Events& events;
  const TenantId& tenant;
  const Actor& actor;
  Instant now;

  void tell(std::string_view event, std::string subject, std::string payload) const {
    events.emit(tx, {.tenant = tenant,
                     .name = std::string(event),
                     .subject = std::move(subject),
                     .payload = std::move(payload),
                     .actor = actor,
                     .at = now});
  }
};

}  // namespace guildhall
