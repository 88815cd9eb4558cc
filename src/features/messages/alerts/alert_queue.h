#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "features/messages/alerts/alert_store.h"
#include "outbox/events.h"

// Queues alerts in the outbox, in the transaction of their cause.
namespace guildhall {

constexpr std::string_view direct_alert_topic = "alert.direct";
constexpr std::string_view email_alert_topic = "alert.email";
constexpr std::string_view push_alert_topic = "alert.push";

// Appends an alert to the outbox. Those of a person, or of one of the person's browsers, have a lane of their own.
void append_alert(Tx& tx, const TenantId& tenant, std::string_view topic, const Alert& alert, Instant now);

// The settings of the tenants, kept for a few seconds, so that an order of a shop without alerts costs no statement.
// Another node may notice a change after this time; an alert is checked again before it is sent. Thread-safe.
class AlertReceivers {
 public:
  using List = std::shared_ptr<const std::vector<AlertSettings>>;
  List find(Tx& tx, const TenantId& tenant);

  // Must be called after a change was committed.
  void forget(const TenantId& tenant);

 private:
  struct Known {
    List list;
    Instant until;
  };

  std::mutex mutex_;
  std::map<std::string, Known> known_;
  std::int64_t changes_ = 0;  // a read that began before the last one is not kept
};

void subscribe_alerts(Events& events, const std::shared_ptr<AlertReceivers>& receivers);

}  // namespace guildhall
