#include "features/messages/message_queue.h"

#include "base/text.h"
#include "features/chat_platform/chat_call.h"
#include "features/customers/customer_store.h"
#include "features/delivery/delivery_actions.h"
#include "features/memberships/membership.h"
#include "features/messages/message_store.h"
#include "features/orders/order_store.h"
#include "outbox/outbox.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

using enum MessageKind;

constexpr std::size_t email_characters_max = 254;  // the limit of SMTP

std::optional<std::string> usable(const std::optional<std::string>& email) {
  if (!email || email->size() > email_characters_max || !is_email(*email)) return std::nullopt;
  return email;
}

// The receiver of a message, with the details that its cause has.
struct Addressee {
  std::optional<CustomerId> customer;
  std::optional<std::string> chat_user;
  std::optional<std::string> email{};
  std::string name{};
};

Addressee buyer_of(const Order& order) {
  Addressee buyer{.customer = order.customer_id,
                  .chat_user = std::nullopt,
                  .email = order.customer.email,
                  .name = order.customer.name.value};
  if (order.customer.chat_id) buyer.chat_user = order.customer.chat_id->value;
  return buyer;
}

std::optional<Select<Customer>> customer_of(const TenantId& tenant, const std::optional<CustomerId>& id,
                                            const std::optional<std::string>& chat_user) {
  if (id) return customer_by_id(tenant, *id);
  if (chat_user) return customer_by_chat_id(tenant, *chat_user);
  return std::nullopt;
}

// Completes the addressee with the customer's record. Returns false for a customer who is not active.
bool complete(const ActionContext& context, Addressee& to) {
  const auto select = customer_of(context.tenant, to.customer, to.chat_user);
  const std::optional<Customer> customer = select ? context.tx.one(*select) : std::nullopt;
  to.email = usable(to.email);
  if (!customer) return true;
  to.customer = customer->id;
  if (!to.chat_user && !customer->chat_id.empty()) to.chat_user = customer->chat_id;
  if (!to.email) to.email = usable(customer->email);
  if (to.name.empty()) to.name = customer->chat_display_name;
  return customer->is_active;
}

std::string receiver_id_of(const Addressee& to) {
  if (to.chat_user) return chat_receiver_id(*to.chat_user);
  if (to.customer) return "customer/" + to.customer->text();
  return "email/" + folded(*to.email);
}

// By which media the shop sends messages of the kind.
MessageSwitch media_for(const MessageMedia& media, const ActionContext& context, MessageKind kind) {
  const bool may_direct = media.has_direct(), may_email = media.has_email();
  if (!may_direct && !may_email) return {.kind = kind};
  const MessageSwitch wanted = media.switches->find(context.tx, context.tenant, kind);
  return {.kind = kind, .direct = may_direct && wanted.direct, .email = may_email && wanted.email};
}

bool is_sent(const MessageMedia& media, const ActionContext& context, MessageKind kind) {
  const MessageSwitch wanted = media_for(media, context, kind);
  return wanted.direct || wanted.email;
}

void set_addressee(BuyerMessage& message, const Addressee& to) {
  message.receiver_id = receiver_id_of(to);
  message.name = to.name;
  if (to.customer) message.customer_id = to.customer->text();
  message.chat_user_id = to.chat_user;
  message.email = to.email;
}

void queue(const MessageMedia& media, const ActionContext& context, Addressee to, BuyerMessage message) {
  const MessageSwitch wanted = media_for(media, context, message.kind);
  if (!wanted.direct && !wanted.email) return;
  if (!to.customer && !to.chat_user && !to.email) return;
  if (!complete(context, to)) return;
  const bool direct = wanted.direct && to.chat_user, email = wanted.email && to.email;
  if (!direct && !email) return;
  set_addressee(message, to);
  const auto append = [&](MessageMedium medium) {
    append_message(context.tx, context.tenant, medium, message, context.now, context.now);
  };
  if (direct) append(MessageMedium::DIRECT);
  if (email) append(MessageMedium::EMAIL);
}

BuyerMessage about(const Order& order, MessageKind kind) {
  return {.kind = kind, .cause = fmt::format("{}/{}", name_of(kind), order.id.text()), .order_id = order.id.text()};
}

void queue_for_order(const MessageMedia& media, const ActionContext& context, const Order& order, MessageKind kind) {
  queue(media, context, buyer_of(order), about(order, kind));
}

void queue_for_shipment(const MessageMedia& media, const ActionContext& context, const ShipmentPayload& shipment,
                        MessageKind kind) {
  if (!is_sent(media, context, kind)) return;
  const auto order = context.tx.one(order_by_id(context.tenant, OrderId(shipment.order_id)));
  if (!order) return;
  BuyerMessage message = about(*order, kind);
  if (shipment.shipment_id) message.cause += "/" + *shipment.shipment_id;
  message.carrier = shipment.carrier;
  message.tracking_number = shipment.tracking_number ? shipment.tracking_number : order->tracking_number;
  queue(media, context, buyer_of(*order), std::move(message));
}

// A product may grant several roles of an order; the buyer is informed once.
void queue_for_role(const MessageMedia& media, const ActionContext& context, const Entitlement& entitlement,
                    MessageKind kind) {
  if (entitlement.type != EntitlementType::CHAT_ROLE || !is_sent(media, context, kind)) return;
  BuyerMessage message{
      .kind = kind,
      .cause = fmt::format("{}/{}/{}", name_of(kind), entitlement.order_id.text(), entitlement.product_id.text()),
      .product_id = entitlement.product_id.text()};
  message.order_id = entitlement.order_id.text();
  if (kind == ROLE_DELAYED) {
    message.delay = !entitlement.chat_user_id                          ? RoleDelay::UNKNOWN_MEMBER
                    : entitlement.failure_reason == buyer_is_no_member ? RoleDelay::NOT_A_MEMBER
                                                                       : RoleDelay::OTHER;
  }
  Addressee to{.customer = entitlement.customer_id, .chat_user = entitlement.chat_user_id};
  if (!to.customer && !to.chat_user && media.has_email()) {
    const auto order = context.tx.one(order_by_id(context.tenant, entitlement.order_id));
    if (order) to = buyer_of(*order);
  }
  queue(media, context, std::move(to), std::move(message));
}

// The message says what the item contains when it is sent. Only the buyer gets the link to the order, which shows its
// prices: a gift, and what was given by hand, is its holder's.
void queue_for_item(const MessageMedia& media, const ActionContext& context, const ItemDelivered& event) {
  if (!is_sent(media, context, ITEM_DELIVERED)) return;
  const Entitlement& item = event.item;
  BuyerMessage message{.kind = ITEM_DELIVERED,
                       .cause = fmt::format("{}/{}/{}", name_of(ITEM_DELIVERED), item.id.text(), event.occasion),
                       .product_id = item.product_id.text(),
                       .entitlement_id = item.id.text()};
  Addressee to{.customer = item.customer_id, .chat_user = item.chat_user_id};
  const auto order = item.source_key.value ? context.tx.one(order_by_id(context.tenant, item.order_id)) : std::nullopt;
  if (order && !order->gift_to) {
    to = buyer_of(*order);
    message.order_id = order->id.text();
  }
  queue(media, context, std::move(to), std::move(message));
}

BuyerMessage about(const Membership& membership, MessageKind kind, const std::string& occasion) {
  return {.kind = kind,
          .cause = fmt::format("{}/{}/{}", name_of(kind), membership.id.text(), occasion),
          .product_id = membership.product_id.text(),
          .ends_at = membership.expires_at};
}

void queue_for_member(const MessageMedia& media, const ActionContext& context, const Membership& membership,
                      BuyerMessage message) {
  queue(media, context, {.customer = membership.customer_id, .chat_user = membership.chat_user_id}, std::move(message));
}

void queue_reminder(const MessageMedia& media, const ActionContext& context, const Membership& membership) {
  BuyerMessage message = about(membership, MEMBERSHIP_ENDING, to_string(context.now));
  if (membership.renewal_order_id) message.order_id = membership.renewal_order_id->text();
  message.link_ends_at = membership.grace_ends_at;
  queue_for_member(media, context, membership, std::move(message));
}

// Of a membership that was given, the member is informed by whom it was given.
void queue_period(const MessageMedia& media, const ActionContext& context, const Membership& membership,
                  const MembershipPeriod& period, bool renews) {
  if (!period.gifted_by && !renews) return;
  const MessageKind kind = period.gifted_by ? GIFT_RECEIVED : MEMBERSHIP_RENEWED;
  if (!is_sent(media, context, kind)) return;
  BuyerMessage message = about(membership, kind, period.id.text());
  if (period.order_id) message.order_id = period.order_id->text();
  if (period.gifted_by) {
    const auto giver = context.tx.one(customer_by_chat_id(context.tenant, *period.gifted_by));
    message.giver = giver ? giver->chat_display_name : *period.gifted_by;
  }
  queue_for_member(media, context, membership, std::move(message));
}

template <class Event, class React>
void on(Events& events, const MessageMedia& media, React react) {
  events.subscribe<Event>(
      [media, react](const ActionContext& context, const Event& event) { react(media, context, event); });
}

}  // namespace

// Nothing if the row of the log was not inserted, since the cause had one.
static const Sql append_sql(
    outbox::append_to_each_sql("SELECT CAST($7 AS text) AS id FROM message_log WHERE tenant_id = $1 AND id = $8"));

void append_message(Tx& tx, const TenantId& tenant, MessageMedium medium, BuyerMessage message, Instant caused_at,
                    Instant now) {
  LoggedMessage logged{.id = LoggedMessageId::make(now),
                       .tenant_id = tenant,
                       .kind = message.kind,
                       .medium = medium,
                       .status = LoggedMessageStatus::QUEUED,
                       .customer_id = std::nullopt,
                       .chat_user_id = message.chat_user_id,
                       .order_id = std::nullopt,
                       .reason = std::nullopt,
                       .created_at = now,
                       .finished_at = std::nullopt,
                       .cause_key = {message.cause}};
  if (message.customer_id) logged.customer_id = CustomerId(*message.customer_id);
  if (message.order_id) logged.order_id = OrderId(*message.order_id);
  insert_logged_message(tx, logged);
  message.log_id = logged.id.text();
  const std::string topic(medium == MessageMedium::DIRECT ? direct_message_topic : email_message_topic);
  tx.later({&append_sql, params(tenant, make_uuid(caused_at), topic, to_json(message), caused_at,
                                outbox::current_traceparent(), nonce_of(message.receiver_id), logged.id)});
}

void queue_invoice_link(const MessageMedia& media, const ActionContext& context, const Order& order,
                        std::span<const MessageMedium> wanted, Instant link_ends_at) {
  Addressee to = buyer_of(order);
  complete(context, to);
  for (const MessageMedium medium : wanted) {
    const bool is_direct = medium == MessageMedium::DIRECT;
    if (is_direct ? !media.has_direct() || !to.chat_user : !media.has_email() || !to.email) {
      throw bad_request("NOT_REACHABLE", is_direct ? "The buyer cannot be reached by direct message."
                                                   : "The buyer cannot be reached by e-mail.");
    }
  }
  BuyerMessage message = about(order, INVOICE_LINK);
  message.cause += "/" + make_uuid(context.now);
  message.link_ends_at = link_ends_at;
  set_addressee(message, to);
  for (const MessageMedium medium : wanted) {
    append_message(context.tx, context.tenant, medium, message, context.now, context.now);
  }
}

void subscribe_messages(Events& events, const MessageMedia& media) {
  on<OrderAnnounced>(events, media, [](const auto& how, const auto& context, const OrderAnnounced& event) {
    if (!is_sent(how, context, event.is_paid ? ORDER_PAID : ORDER_RECEIVED)) return;
    if (auto select = customer_of(context.tenant, event.customer_id, event.chat_user_id)) {
      context.tx.read_ahead(std::move(select->query));
    }
  });
  on<OrderCreated>(events, media, [](const auto& how, const auto& context, const OrderCreated& event) {
    // The reminder of a membership links to the order that it places.
    const bool is_renewal = event.order.kept_until.value.has_value();
    if (event.order.status != OrderStatus::PENDING_PAYMENT || is_renewal) return;
    queue_for_order(how, context, event.order, ORDER_RECEIVED);
  });
  on<OrderPaid>(events, media, [](const auto& how, const auto& context, const OrderPaid& event) {
    queue_for_order(how, context, event.order, ORDER_PAID);
  });
  on<OrderRefunded>(events, media, [](const auto& how, const auto& context, const OrderRefunded& event) {
    queue_for_order(how, context, event.order, ORDER_REFUNDED);
  });
  on<ShipmentShipped>(events, media, [](const auto& how, const auto& context, const ShipmentShipped& event) {
    queue_for_shipment(how, context, event.shipment, ORDER_SHIPPED);
  });
  on<ShipmentDelivered>(events, media, [](const auto& how, const auto& context, const ShipmentDelivered& event) {
    queue_for_shipment(how, context, event.shipment, ORDER_DELIVERED);
  });
  on<EntitlementGranted>(events, media, [](const auto& how, const auto& context, const EntitlementGranted& event) {
    queue_for_role(how, context, event.entitlement, ROLE_GRANTED);
  });
  on<EntitlementDelayed>(events, media, [](const auto& how, const auto& context, const EntitlementDelayed& event) {
    queue_for_role(how, context, event.entitlement, ROLE_DELAYED);
  });
  on<ItemDelivered>(events, media, [](const auto& how, const auto& context, const ItemDelivered& event) {
    queue_for_item(how, context, event);
  });
  on<MembershipStarted>(events, media, [](const auto& how, const auto& context, const MembershipStarted& event) {
    queue_period(how, context, event.membership, event.period, false);
  });
  on<MembershipRenewed>(events, media, [](const auto& how, const auto& context, const MembershipRenewed& event) {
    queue_period(how, context, event.membership, event.period, true);
  });
  on<MembershipEnding>(events, media, [](const auto& how, const auto& context, const MembershipEnding& event) {
    queue_reminder(how, context, event.membership);
  });
  on<MembershipEnded>(events, media, [](const auto& how, const auto& context, const MembershipEnded& event) {
    queue_for_member(how, context, event.membership, about(event.membership, MEMBERSHIP_ENDED, to_string(context.now)));
  });
}

}  // namespace guildhall
