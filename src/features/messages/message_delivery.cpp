#include "features/messages/message_delivery.h"

#include "base/money_text.h"
#include "features/catalog/product_store.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/delivery/delivered.h"
#include "features/entitlements/entitlement_store.h"
#include "features/messages/message_render.h"
#include "features/messages/message_store.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"
#include "features/tenancy/shop_defaults.h"
#include "outbound/smtp.h"

namespace guildhall {
namespace {

using Type = MessageValue::Type;
using Status = LoggedMessageStatus;

constexpr std::chrono::days receipt_link_lives{365};

// Marks the message's row in the log together with the outbox message.
std::function<void(Tx&)> finish(const outbox::Delivery& delivery, const BuyerMessage& message, Status status,
                                const std::optional<std::string>& reason = {}) {
  return [tenant = delivery.tenant, id = LoggedMessageId(message.log_id), status, reason](Tx& tx) {
    finish_logged_message(tx, tenant, id, status, reason, now());
  };
}

// A verdict that ends the message as failed also marks its row.
outbox::Verdict marked(outbox::Verdict verdict, const outbox::Delivery& delivery, const BuyerMessage& message) {
  const bool is_last =
      verdict.kind == outbox::Verdict::Kind::dead ||
      (verdict.kind == outbox::Verdict::Kind::retry && delivery.attempts >= buyer_message_policy.attempts_max);
  if (is_last) verdict.also = finish(delivery, message, Status::FAILED, verdict.reason);
  return verdict;
}

struct MessageRecords {
  std::optional<Order> order;
  std::optional<Product> product;
  std::optional<DeliveredItem> item;
  TimeZone time_zone;
};

MessageRecords read_records(Tx& tx, const TenantId& tenant, const std::optional<SecretBox>& secrets,
                            const BuyerMessage& message, Instant now) {
  MessageRecords records;
  if (message.order_id) records.order = tx.one(order_by_id(tenant, OrderId(*message.order_id)));
  if (message.product_id) records.product = tx.one(product_by_id(tenant, ProductId(*message.product_id)));
  if (message.entitlement_id) {
    const auto item = tx.one(entitlement_by_id(tenant, EntitlementId(*message.entitlement_id)));
    if (item) records.item = delivered_item(tx, secrets, *item, now);
  }
  if (message.ends_at) records.time_zone = read_shop_defaults(tx, tenant).time_zone;
  return records;
}

// The page where the buyer pays, or sees the receipt. Empty if there is nothing to show.
std::string link_for(Tx& tx, const PaymentService& payments, const TenantId& tenant, const BuyerMessage& message,
                     const std::optional<Order>& order, Instant now) {
  if (!order || !payments.signer().can_sign()) return "";
  const bool pays = message.kind == MessageKind::ORDER_RECEIVED || message.kind == MessageKind::MEMBERSHIP_ENDING ||
                    message.kind == MessageKind::INVOICE_LINK;
  if (!pays) {
    return order->paid_at ? sign_receipt_link(tx, payments, tenant, order->id, now + receipt_link_lives) : "";
  }
  if (order->status != OrderStatus::PENDING_PAYMENT) return "";
  const Instant usual = now + invoice_link_lives;
  if (message.kind == MessageKind::INVOICE_LINK) {
    return sign_invoice_link(tx, payments, tenant, order->id, message.link_ends_at.value_or(usual)).url;
  }
  const Instant expiry = std::clamp(message.link_ends_at.value_or(usual), usual, now + receipt_link_lives);
  return sign_invoice_link(tx, payments, tenant, order->id, expiry).url;
}

MessagePart part_of(const DeliveredPart& part, std::string value) {
  const auto style = part.kind == DeliverableKind::LINK   ? MessagePart::Style::link
                     : part.kind == DeliverableKind::TEXT ? MessagePart::Style::text
                                                          : MessagePart::Style::key;
  return {.style = style, .name = part.name, .text = std::move(value)};
}

// An order may have very many keys: a message names the first ones.
MessageValue value_of(const DeliveredItem& item, Language language) {
  constexpr std::size_t named_parts_max = 100;
  const DeliveryWords& words = delivery_words(language);
  MessageValue value{.type = Type::parts, .text = std::string(words.more)};
  for (const DeliveredPart& part : item.parts) {
    if (part.available_at) {
      value.parts.push_back(
          {MessagePart::Style::date, part.name, std::string(words.available_from), part.available_at});
    }
    for (const std::string& each : part.values) value.parts.push_back(part_of(part, each));
  }
  if (value.parts.size() > named_parts_max) {
    value.parts.resize(named_parts_max);
    value.parts.push_back({MessagePart::Style::text, "…", std::string(words.more)});
  }
  return value;
}

MessageValues values_for(const BuyerMessage& message, const MessageRecords& records, const std::string& shop,
                         const std::string& link, Language language) {
  MessageValues values{{"shop", {Type::text, shop}},
                       {"customer", {Type::text, message.name}},
                       {"link", {Type::link, link}},
                       {"carrier", {Type::text, message.carrier.value_or("")}},
                       {"trackingNumber", {Type::text, message.tracking_number.value_or("")}},
                       {"giver", {Type::text, message.giver.value_or("")}},
                       {"product", {Type::text, records.product ? records.product->name : ""}}};
  if (message.tracking_number) {
    values["trackingLink"] = {Type::link, tracking_link(message.carrier.value_or(""), *message.tracking_number)};
  }
  if (records.order) {
    values["order"] = {Type::text, records.order->order_number};
    values["total"] = {Type::text, money_text(records.order->total_cents, records.order->currency, code_of(language))};
    values["items"] = {Type::text, items_text(*records.order)};
  }
  if (message.ends_at) {
    values["endsAt"] = {Type::date, date_text(records.time_zone.date_of(*message.ends_at), language), message.ends_at};
  }
  if (records.item) values["delivery"] = value_of(*records.item, language);
  if (message.delay) values["reason"] = {Type::sentence, std::string(role_delay_text(*message.delay, language))};
  return values;
}

}  // namespace

struct MessageDelivery::Prepared {
  BuyerMessage message;
  MessageSettings settings;
  std::optional<MessageReceiver> receiver;
  RenderedMessage rendered;
  std::string unsubscribe_url;  // empty: the message is transactional
  std::string skipped;          // why it is not sent; empty: it is
  bool waits = false;           // the tenant has sent very many e-mails
};

MessageDelivery::Prepared MessageDelivery::prepare(const outbox::Delivery& delivery, MessageMedium medium) const {
  Prepared prepared{.message = from_json<BuyerMessage>(delivery.payload),
                    .settings = {},
                    .receiver = {},
                    .rendered = {},
                    .unsubscribe_url = {},
                    .skipped = {}};
  const BuyerMessage& message = prepared.message;
  const bool transactional = is_transactional(message.kind);
  if (!transactional) prepared.unsubscribe_url = links_.url(delivery.tenant, message.receiver_id);
  storage_.read_now([&](Tx& tx) {
    const Instant at = now();
    prepared.settings = read_message_settings(tx, delivery.tenant);
    prepared.receiver = tx.one(message_receiver_by_id(delivery.tenant, message.receiver_id));
    if (!transactional && prepared.receiver && prepared.receiver->unsubscribed_at) {
      prepared.skipped = "The receiver has unsubscribed.";
      return;
    }
    const MessageSwitch wanted = prepared.settings.switch_of(message.kind);
    const bool is_requested = message.kind == MessageKind::INVOICE_LINK;
    if (!wanted.direct && !wanted.email && !is_requested) {
      prepared.skipped = "The shop has switched this message off.";
      return;
    }
    prepared.waits = medium == MessageMedium::EMAIL && has_many_emails(tx, delivery.tenant, at - std::chrono::hours(1),
                                                                       delivery.created_at, emails_per_hour_max);
    const MessageRecords records = read_records(tx, delivery.tenant, secrets_, message, at);
    if (message.kind == MessageKind::ITEM_DELIVERED && (!records.item || records.item->parts.empty())) {
      prepared.skipped = "There is nothing to deliver.";
      return;
    }
    const ShopLook shop = read_shop_look(tx, delivery.tenant, payments_.installation().public_base_url);
    const std::string locale = prepared.receiver ? prepared.receiver->locale.value_or("") : "";
    const ChosenText text = chosen_text(prepared.settings, message.kind, locale);
    const std::string link = link_for(tx, payments_, delivery.tenant, message, records.order, at);
    const MessageValues values = values_for(message, records, shop.name, link, text.language);
    const bool is_receipt = message.kind == MessageKind::ORDER_PAID && records.order;
    prepared.rendered = render({.kind = message.kind,
                                .text = text,
                                .values = values,
                                .shop = shop,
                                .receipt = is_receipt ? &*records.order : nullptr,
                                .unsubscribe_url = prepared.unsubscribe_url});
  });
  return prepared;
}

// Sends an e-mail instead of the direct message, unless the buyer gets an e-mail about this anyway.
outbox::Verdict MessageDelivery::give_to_email(const outbox::Delivery& delivery, const Prepared& prepared,
                                               const std::string& reason, bool refused) const {
  const BuyerMessage& message = prepared.message;
  const bool replaces = media_.has_email() && message.email && prepared.settings.email_when_refused &&
                        !prepared.settings.switch_of(message.kind).email;
  return outbox::done([mark = finish(delivery, message, Status::REFUSED, reason), message, replaces, refused,
                       tenant = delivery.tenant, caused_at = delivery.created_at](Tx& tx) {
    mark(tx);
    if (refused) note_direct_refused(tx, tenant, message.receiver_id, now());
    if (replaces) append_message(tx, tenant, MessageMedium::EMAIL, message, caused_at, now());
  });
}

outbox::Verdict MessageDelivery::send_direct(const outbox::Delivery& delivery) const {
  const Prepared prepared = prepare(delivery, MessageMedium::DIRECT);
  const BuyerMessage& message = prepared.message;
  if (!prepared.skipped.empty()) return outbox::done(finish(delivery, message, Status::SKIPPED, prepared.skipped));
  const auto refused_at = prepared.receiver ? prepared.receiver->direct_refused_at : std::nullopt;
  if (refused_at && now() < *refused_at + direct_retry_after) {
    return give_to_email(delivery, prepared, "The member does not accept direct messages.", false);
  }
  const RenderedMessage& rendered = prepared.rendered;
  DirectAttempt attempt = try_direct_message(client_, storage_, delivery.tenant,
                                             {.user_id = message.chat_user_id.value_or(""),
                                              .content = rendered.direct,
                                              .link_label = rendered.button,
                                              .link_url = rendered.link},
                                             nonce_of(delivery.id));
  if (attempt.unreachable) return give_to_email(delivery, prepared, attempt.verdict.reason, attempt.refused);
  if (attempt.verdict.kind != outbox::Verdict::Kind::done) return marked(std::move(attempt.verdict), delivery, message);
  return outbox::done([mark = finish(delivery, message, Status::SENT), tenant = delivery.tenant,
                       receiver = message.receiver_id, was_refused = refused_at.has_value()](Tx& tx) {
    mark(tx);
    if (was_refused) note_direct_accepted(tx, tenant, receiver, now());
  });
}

outbox::Verdict MessageDelivery::send_email(const outbox::Delivery& delivery) const {
  const Prepared prepared = prepare(delivery, MessageMedium::EMAIL);
  const BuyerMessage& message = prepared.message;
  if (!prepared.skipped.empty()) return outbox::done(finish(delivery, message, Status::SKIPPED, prepared.skipped));
  if (prepared.waits) {
    return marked(outbox::retry("The shop has sent very many e-mails within an hour.", std::chrono::minutes(10)),
                  delivery, message);
  }
  const outbound::MailResult result = outbound::send_mail({.url = media_.smtp.smtp_url, .from = media_.smtp.smtp_from},
                                                          {.id = delivery.id,
                                                           .to = message.email.value_or(""),
                                                           .subject = prepared.rendered.subject,
                                                           .text = prepared.rendered.email_text,
                                                           .html = prepared.rendered.email_html,
                                                           .unsubscribe_url = prepared.unsubscribe_url});
  if (result.sent) return outbox::done(finish(delivery, message, Status::SENT));
  return marked(result.refused ? outbox::dead(result.error) : outbox::retry(result.error), delivery, message);
}

}  // namespace guildhall
