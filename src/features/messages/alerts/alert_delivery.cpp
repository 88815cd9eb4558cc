#include "features/messages/alerts/alert_delivery.h"

#include "base/url.h"
#include "features/catalog/product_store.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/fund/fund_celebration.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/user_store.h"
#include "features/messages/alerts/alert_store.h"
#include "features/messages/alerts/alert_text.h"
#include "features/messages/message_render.h"
#include "features/orders/order_store.h"
#include "features/payments/payment_store.h"
#include "outbound/smtp.h"

namespace guildhall {
namespace {

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
                                                              MessageMedium medium) const {
  const auto alert = from_json<Alert>(delivery.payload);
  std::optional<Prepared> prepared;
  storage_.read_now([&](Tx& tx) {
    const auto settings = tx.one(alert_settings_of(delivery.tenant, alert.person()));
    if (!settings) return;
    const AlertSwitch wanted = settings->switch_of(alert.kind);
    if (medium == MessageMedium::DIRECT ? !wanted.direct : !wanted.email) return;
    if (settings->is_at_limit(now())) return;
    auto user = find_receiver(tx, delivery.tenant, alert.person(), installation_.default_tenant);
    if (!user) return;
    const Language language = language_of(settings->locale.value_or("en")).value_or(Language::en);
    auto text = alert_text(alert.kind, read_alert_records(tx, delivery.tenant, alert), language);
    if (!text) return;
    const ShopLook shop = read_shop_look(tx, delivery.tenant, installation_.public_base_url);
    const std::string url =
        fmt::format("{}{}{}tenant={}", installation_.public_base_url, text->path,
                    text->path.find('?') != std::string::npos ? '&' : '?', url_encode(delivery.tenant.text()));
    prepared = Prepared{alert, std::move(*user), shop.name, language, std::move(*text), url};
  });
  return prepared;
}

outbox::Verdict AlertDelivery::send_direct(const outbox::Delivery& delivery) const {
  const auto prepared = prepare(delivery, MessageMedium::DIRECT);
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
  const auto prepared = prepare(delivery, MessageMedium::EMAIL);
  if (!prepared || !prepared->user.email || !media_.has_email()) return outbox::done();
  const AlertText& text = prepared->text;
  const outbound::MailResult result =
      outbound::send_mail({.url = media_.smtp.smtp_url, .from = media_.smtp.smtp_from},
                          {.id = delivery.id,
                           .to = *prepared->user.email,
                           .subject = fmt::format("{} – {}", text.title, prepared->shop),
                           .text = fmt::format("{}\n{}\n\n{}: {}\n", text.title, text.detail,
                                               alert_link_label(prepared->language), prepared->url)});
  if (!result.sent) return result.refused ? outbox::dead(result.error) : outbox::retry(result.error);
  return counted(outbox::done(), delivery.tenant, prepared->alert.person());
}

}  // namespace guildhall
