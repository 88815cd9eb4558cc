#include "features/messages/alerts/alert_queue.h"

#include "features/catalog/product_events.h"
#include "features/delivery/delivery_actions.h"
#include "features/orders/order.h"
#include "features/orders/order_events.h"
#include "features/payments/payment_events.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds receivers_kept_for{5};
constexpr std::size_t receivers_tenants_max = 10'000;

void queue_alert(const ActionContext& context, const std::vector<AlertSettings>& people, Alert alert) {
  for (const AlertSettings& person : people) {
    if (person.is_at_limit(context.now)) continue;  // otherwise a flood of orders would write many rows for each
    const AlertSwitch wanted = person.switch_of(alert.kind);
    alert.user_tenant_id = person.user_tenant_id.value.text();
    alert.user_id = person.user_id.text();
    const auto append = [&](std::string_view topic) {
      append_alert(context.tx, context.tenant, topic, alert, context.now);
    };
    if (wanted.direct) append(direct_alert_topic);
    if (wanted.email) append(email_alert_topic);
    if (wanted.push) append(push_alert_topic);
  }
}

}  // namespace

void append_alert(Tx& tx, const TenantId& tenant, std::string_view topic, const Alert& alert, Instant now) {
  outbox::append(tx,
                 {.tenant = tenant,
                  .topic = std::string(topic),
                  .payload = to_json(alert),
                  .due = now,
                  .receiver = alert.subscription_id.value_or(alert.user_id)},
                 now);
}

AlertReceivers::List AlertReceivers::find(Tx& tx, const TenantId& tenant) {
  const Instant at = now();
  std::int64_t changes = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(tenant.text());
    if (known != known_.end() && at < known->second.until) return known->second.list;
    changes = changes_;
  }
  const List list = std::make_shared<const std::vector<AlertSettings>>(tx.all(alert_settings_in(tenant)));
  const std::lock_guard lock(mutex_);
  if (changes != changes_) return list;
  if (known_.size() >= receivers_tenants_max) known_.clear();
  known_[tenant.text()] = {list, at + receivers_kept_for};
  return list;
}

void AlertReceivers::forget(const TenantId& tenant) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  known_.erase(tenant.text());
}

void subscribe_alerts(Events& events, const std::shared_ptr<AlertReceivers>& receivers) {
  events.subscribe<OrderCreated>([receivers](const ActionContext& context, const OrderCreated& event) {
    queue_alert(context, *receivers->find(context.tx, context.tenant),
                {.kind = AlertKind::NEW_ORDER, .order_id = event.order.id.text()});
  });
  const auto announce_stock = [receivers](const ActionContext& context, const StockPayload& stock) {
    queue_alert(context, *receivers->find(context.tx, context.tenant),
                {.kind = AlertKind::LOW_STOCK, .product_id = stock.product_id});
  };
  events.subscribe<StockLow>(
      [announce_stock](const ActionContext& context, const StockLow& event) { announce_stock(context, event.stock); });
  events.subscribe<StockOut>(
      [announce_stock](const ActionContext& context, const StockOut& event) { announce_stock(context, event.stock); });
  events.subscribe<PaymentChanged>([receivers](const ActionContext& context, const PaymentChanged& event) {
    const auto before = event.before == nullptr ? std::nullopt : event.before->attention;
    if (!event.payment.attention || event.payment.attention == before) return;
    queue_alert(context, *receivers->find(context.tx, context.tenant),
                {.kind = AlertKind::FLAGGED_PAYMENT, .payment_id = event.payment.id.text()});
  });
  events.subscribe<KeysMissing>([receivers](const ActionContext& context, const KeysMissing& event) {
    queue_alert(context, *receivers->find(context.tx, context.tenant),
                {.kind = AlertKind::KEYS_MISSING,
                 .order_id = event.item.order_id.text(),
                 .product_id = event.item.product_id.text()});
  });
}

}  // namespace guildhall
