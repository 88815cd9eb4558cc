#include "features/messages/alerts/alert_delivery.h"

#include "base/json_writer.h"
#include "base/text.h"
#include "base/url.h"
#include "features/catalog/product_store.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/fund/fund_celebration.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/user_store.h"
#include "features/messages/alerts/alert_store.h"
#include "features/messages/alerts/alert_text.h"
#include "features/messages/alerts/push_store.h"
#include "features/messages/message_render.h"
#include "features/orders/order_store.h"
#include "features/payments/payment_store.h"
#include "outbound/smtp.h"

namespace guildhall {
namespace {

constexpr std::size_t push_part_units_max = 300;

// The person; nothing if the person may not read the shop's data any more.
std::optional<User> find_receiver(Tx& tx, const TenantId& tenant, const AlertedPerson& person,
                                  const TenantId& home_tenant) {
  auto user = tx.one(user_by_id(person.user_tenant, person.user));
  if (!user) return std::nullopt;
  const auto keys = with_implied(tx.all(grants_of(tenant, person.user_tenant, person.user, home_tenant)));
  return holds(keys, "data.read") ? std::move(user) : std::nullopt;
}

AlertRecords read_alert_records(Tx& tx, const TenantId& tenant, const Alert& alert) {
  AlertRecords records;
  if (alert.payment_id) records.payment = tx.one(payment_by_id(tenant, PaymentId(*alert.payment_id)));
  if (alert.product_id) records.product = tx.one(product_by_id(tenant, ProductId(*alert.product_id)));
  const std::string order = alert.order_id ? *alert.order_id : records.payment ? records.payment->order_id.text() : "";
  if (!order.empty()) records.order = tx.one(order_by_id(tenant, OrderId(order)));
  return records;
}

// Counts the alert together with marking it as sent.
outbox::Verdict counted(outbox::Verdict verdict, const TenantId& tenant, const AlertedPerson& person) {
  if (verdict.kind != outbox::Verdict::Kind::done) return verdict;
  return outbox::done([tenant, person](Tx& tx) { count_alert(tx, tenant, person, alert_hour(now())); });
}

// Queues the alert for each of the person's browsers, and counts it once.
std::function<void(Tx&)> to_each_browser(const TenantId& tenant, const Alert& alert) {
  return [tenant, alert](Tx& tx) {
    const auto browsers = tx.all(push_subscriptions_of(tenant, alert.person()));
    for (const PushSubscription& browser : browsers) {
      Alert one = alert;
      one.subscription_id = browser.id.text();
      append_alert(tx, tenant, push_alert_topic, one, now());
    }
    if (!browsers.empty()) count_alert(tx, tenant, alert.person(), alert_hour(now()));
  };
}

// The message that the console's service worker shows. A later alert about the same record replaces it.
std::string push_text(const Alert& alert, const AlertText& text, const std::string& url, const std::string& shop) {
  const std::string record = alert.order_id.value_or(alert.product_id.value_or(alert.payment_id.value_or("")));
  return json::object({{"title", cut_text(text.title, push_part_units_max)},
                       {"body", cut_text(fmt::format("{}\n{}", text.detail, shop), push_part_units_max)},
                       {"url", url},
                       {"tag", fmt::format("{}/{}", name_of(alert.kind), record)}})
      .text;
}

// The browser has ended a subscription that its push service does not know any more.
outbox::Verdict verdict_on_push(const outbound::Reply& reply, const TenantId& tenant, const PushSubscriptionId& id) {
  if (reply.ok()) return outbox::done();
  if (reply.status == 404 || reply.status == 410) {
    return outbox::done([tenant, id](Tx& tx) { delete_push_subscription(tx, tenant, id); });
  }
  const std::string reason =
      reply.status == 0 ? reply.error : fmt::format("the push service answered {}", reply.status);
  const bool may_pass = reply.status == 0 || reply.status == 408 || reply.status == 429 || reply.status >= 500;
  if (!may_pass) return outbox::dead(reason);
  const auto asked = reply.headers.find("retry-after");
  return outbox::retry(reason,
                       asked == reply.headers.end() ? std::nullopt : outbox::parse_retry_after(asked->second, now()));
}

}  // namespace

struct AlertDelivery::Prepared {
  Alert alert;
  User user;
  std::string shop;
  Language language = Language::en;
  AlertText text;
  std::string url;
};

std::optional<AlertDelivery::Prepared> AlertDelivery::prepare(const outbox::Delivery& delivery,
                                                              bool AlertSwitch::*medium) const {
  const auto alert = from_json<Alert>(delivery.payload);
  std::optional<Prepared> prepared;
  storage_.read_now([&](Tx& tx) {
    const auto settings = tx.one(alert_settings_of(delivery.tenant, alert.person()));
    if (!settings) return;
    if (!(settings->switch_of(alert.kind).*medium)) return;
    const bool is_counted = alert.subscription_id.has_value();  // together with those for the other browsers
    if (!is_counted && settings->is_at_limit(now())) return;
    auto user = find_receiver(tx, delivery.tenant, alert.person(), messages_.installation.default_tenant);
    if (!user) return;
    const Language language = language_of(settings->locale.value_or("en")).value_or(Language::en);
    auto text = alert_text(alert.kind, read_alert_records(tx, delivery.tenant, alert), language);
    if (!text) return;
    const ShopLook shop = read_shop_look(tx, delivery.tenant, messages_.installation.public_base_url);
    const std::string url =
        fmt::format("{}{}{}tenant={}", messages_.installation.public_base_url, text->path,
                    text->path.find('?') != std::string::npos ? '&' : '?', url_encode(delivery.tenant.text()));
    prepared = Prepared{alert, std::move(*user), shop.name, language, std::move(*text), url};
  });
  return prepared;
}

outbox::Verdict AlertDelivery::send_direct(const outbox::Delivery& delivery) const {
  const auto prepared = prepare(delivery, &AlertSwitch::direct);
  if (!prepared || !prepared->user.chat_id) return outbox::done();
  const AlertText& text = prepared->text;
  const DirectAttempt attempt =
      try_direct_message(client_, storage_, delivery.tenant,
                         {.user_id = *prepared->user.chat_id,
                          .content = fmt::format("**{}**\n{}", plain_in_chat(text.title), plain_in_chat(text.detail)),
                          .link_label = std::string(alert_link_label(prepared->language)),
                          .link_url = prepared->url},
                         nonce_of(delivery.id));
  if (attempt.unreachable) return outbox::done();
  return counted(attempt.verdict, delivery.tenant, prepared->alert.person());
}

outbox::Verdict AlertDelivery::send_email(const outbox::Delivery& delivery) const {
  const auto prepared = prepare(delivery, &AlertSwitch::email);
  if (!prepared || !prepared->user.email || !messages_.media.has_email()) return outbox::done();
  const AlertText& text = prepared->text;
  const outbound::MailResult result =
      outbound::send_mail({.url = messages_.media.smtp.smtp_url, .from = messages_.media.smtp.smtp_from},
                          {.id = delivery.id,
                           .to = *prepared->user.email,
                           .subject = fmt::format("{} – {}", text.title, prepared->shop),
                           .text = fmt::format("{}\n{}\n\n{}: {}\n", text.title, text.detail,
                                               alert_link_label(prepared->language), prepared->url)});
  if (!result.sent) return result.refused ? outbox::dead(result.error) : outbox::retry(result.error);
  return counted(outbox::done(), delivery.tenant, prepared->alert.person());
}

outbox::Verdict AlertDelivery::send_push(const outbox::Delivery& delivery) const {
  const auto prepared = prepare(delivery, &AlertSwitch::push);
  if (!prepared || !messages_.push.key) return outbox::done();
  if (!prepared->alert.subscription_id) return outbox::done(to_each_browser(delivery.tenant, prepared->alert));
  const PushSubscriptionId id(*prepared->alert.subscription_id);
  std::optional<PushSubscription> browser;
  storage_.read_now([&](Tx& tx) { browser = tx.one(push_subscription_by_id(delivery.tenant, id)); });
  if (!browser || browser->person() != prepared->alert.person()) return outbox::done();
  const std::string& base_url = messages_.installation.public_base_url;
  const outbound::Reply reply = outbound::send_now(outbound::push_request(
      push_text(prepared->alert, prepared->text, prepared->url, prepared->shop), browser->receiver(),
      *messages_.push.key, has_scheme(base_url, "https://") ? base_url : "", now()));
  return verdict_on_push(reply, delivery.tenant, id);
}

}  // namespace guildhall
