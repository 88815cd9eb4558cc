#pragma once

#include "api/list.h"
#include "base/field_types.h"
#include "features/messages/message_kind.h"
#include "storage/database.h"

// All SQL of the log of messages and of the receivers.
namespace guildhall {

using LoggedMessageId = Id<struct LoggedMessageTag>;

enum class LoggedMessageStatus {
  QUEUED,
  SENT,
  REFUSED,  // the member accepts no direct messages, or has left the chat server
  SKIPPED,  // the receiver has unsubscribed, or the shop has switched the message off in the meantime
  FAILED,
};
BOOST_DESCRIBE_ENUM(LoggedMessageStatus, QUEUED, SENT, REFUSED, SKIPPED, FAILED)

struct LoggedMessage {
  LoggedMessageId id;
  TenantId tenant_id;
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  MessageMedium medium = MessageMedium::DIRECT;
  LoggedMessageStatus status = LoggedMessageStatus::QUEUED;
  std::optional<CustomerId> customer_id;
  std::optional<std::string> chat_user_id;
  std::optional<OrderId> order_id;
  std::optional<std::string> reason;  // why it was not sent
  Instant created_at;
  std::optional<Instant> finished_at;
  Hidden<std::string> cause_key;  // each cause has one message for each medium
};
BOOST_DESCRIBE_STRUCT(LoggedMessage, (),
                      (id, tenant_id, kind, medium, status, customer_id, chat_user_id, order_id, reason, created_at,
                       finished_at, cause_key))

struct LoggedMessageQuery : api::ListParams {
  Is<CustomerId, "The messages to this customer."> customer_id;
  Is<std::string, "The messages to this member of the chat server."> chat_user_id;
  Is<OrderId, "The messages about this order."> order_id;
  OneOf<MessageKind, "Messages of one of these kinds."> kind;
  OneOf<LoggedMessageStatus, "Messages in one of these statuses."> status;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(LoggedMessageQuery, (api::ListParams),
                      (customer_id, chat_user_id, order_id, kind, status, created_from, created_to, sort))

const Listing& logged_message_listing();

// Inserts nothing if the cause already has a message for the medium.
void insert_logged_message(Tx& tx, const LoggedMessage& message);

void finish_logged_message(Tx& tx, const TenantId& tenant, const LoggedMessageId& id, LoggedMessageStatus status,
                           const std::optional<std::string>& reason, Instant now);

// Whether at least `limit` e-mails of the tenant were queued since the time, and are older than this one.
bool has_many_emails(Tx& tx, const TenantId& tenant, Instant since, Instant before, std::int64_t limit);

// Whether at least `limit` messages with an invoice link of the order were queued since the time.
bool has_many_invoice_links(Tx& tx, const TenantId& tenant, const OrderId& order, Instant since, std::int64_t limit);

// Deletes up to `rows_max` messages that were created before the time. Returns how many.
std::int64_t forget_logged_messages(Tx& tx, Instant before, std::int64_t rows_max);

// A receiver of messages. The id is `chat/<member>`, else `customer/<id>`, else `email/<address>`.
struct MessageReceiver {
  std::string id;
  TenantId tenant_id;
  std::optional<std::string> locale;
  std::optional<Instant> direct_refused_at;
  std::optional<Instant> unsubscribed_at;
  Instant created_at;
  Instant updated_at;
};
BOOST_DESCRIBE_STRUCT(MessageReceiver, (),
                      (id, tenant_id, locale, direct_refused_at, unsubscribed_at, created_at, updated_at))

struct MessageReceiverQuery : api::ListParams {
  Is<std::string, "This receiver: `chat/` and the member, `customer/` and the id, or `email/` and the address."> id;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(MessageReceiverQuery, (api::ListParams), (id, sort))

const Listing& message_receiver_listing();

Select<MessageReceiver> message_receiver_by_id(const TenantId& tenant, const std::string& id);

std::string chat_receiver_id(const std::string& chat_user);

// The member has used the bot: notes the locale, if there is one, and that direct messages can be tried again. Writes
// nothing if that is known.
void note_member_seen(Tx& tx, const TenantId& tenant, const std::string& chat_user, const std::string& locale,
                      Instant now);

void note_direct_refused(Tx& tx, const TenantId& tenant, const std::string& receiver, Instant now);
void note_direct_accepted(Tx& tx, const TenantId& tenant, const std::string& receiver, Instant now);
void set_unsubscribed(Tx& tx, const TenantId& tenant, const std::string& receiver, bool unsubscribed, Instant now);

}  // namespace guildhall
