#include "features/messages/message_store.h"

#include "storage/columns.h"

namespace guildhall {

static const Listing log_listing = Listing::of<LoggedMessageQuery>({
    .table = "message_log",
    .columns = columns<LoggedMessage>(),
    .paths = {{.filter = "order_id", .condition = "order_id = :order_id"},
              {.filter = "customer_id", .condition = "customer_id = :customer_id"},
              {.filter = "chat_user_id", .condition = "chat_user_id = :chat_user_id"}},
});

const Listing& logged_message_listing() {
  return log_listing;
}

static const Sql insert_sql(insert_into<LoggedMessage>("message_log") +
                            " ON CONFLICT (tenant_id, cause_key, medium) DO NOTHING");

void insert_logged_message(Tx& tx, const LoggedMessage& message) {
  tx.later({&insert_sql, values_of(message)});
}

static const Sql finish_sql(
    "UPDATE message_log SET status = $3, reason = $4, finished_at = $5 WHERE tenant_id = $1 AND id = $2");

void finish_logged_message(Tx& tx, const TenantId& tenant, const LoggedMessageId& id, LoggedMessageStatus status,
                           const std::optional<std::string>& reason, Instant now) {
  tx.run({&finish_sql, params(tenant, id, status, reason, now)});
}

static const Sql emails_sql(R"(
  SELECT COUNT(*) FROM (SELECT 1 FROM message_log
    WHERE tenant_id = $1 AND medium = 'EMAIL' AND created_at >= $2 AND created_at < $3 LIMIT $4) AS recent)");

bool has_many_emails(Tx& tx, const TenantId& tenant, Instant since, Instant before, std::int64_t limit) {
  std::int64_t count = 0;
  tx.run({&emails_sql, params(tenant, since, before, limit)}, [&](const Row& row) { count = row.integer(0); });
  return count >= limit;
}

static const Sql links_sql(R"(
  SELECT COUNT(*) FROM (SELECT 1 FROM message_log
    WHERE tenant_id = $1 AND order_id = $2 AND created_at >= $3 AND kind = 'INVOICE_LINK' LIMIT $4) AS recent)");

bool has_many_invoice_links(Tx& tx, const TenantId& tenant, const OrderId& order, Instant since, std::int64_t limit) {
  std::int64_t count = 0;
  tx.run({&links_sql, params(tenant, order, since, limit)}, [&](const Row& row) { count = row.integer(0); });
  return count >= limit;
}

static const Sql forget_sql(R"(
  DELETE FROM message_log WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM message_log WHERE created_at < $1 LIMIT $2))");

std::int64_t forget_logged_messages(Tx& tx, Instant before, std::int64_t rows_max) {
  return tx.run({&forget_sql, params(before, rows_max)});
}

static const Listing receiver_listing = Listing::of<MessageReceiverQuery>({
    .table = "message_receivers",
    .columns = columns<MessageReceiver>(),
    .paths = {{.filter = "id", .condition = "id = :id", .order = ListPath::Order::none}},
});

const Listing& message_receiver_listing() {
  return receiver_listing;
}

static const Sql receiver_sql(select_from<MessageReceiver>("message_receivers") + " WHERE tenant_id = $1 AND id = $2");

Select<MessageReceiver> message_receiver_by_id(const TenantId& tenant, const std::string& id) {
  return {{&receiver_sql, params(tenant, id)}, read_row<MessageReceiver>};
}

std::string chat_receiver_id(const std::string& chat_user) {
  return "chat/" + chat_user;
}

static const Sql seen_sql(R"(
  INSERT INTO message_receivers (tenant_id, id, locale, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (tenant_id, id) DO UPDATE
  SET locale = COALESCE(excluded.locale, message_receivers.locale), direct_refused_at = NULL, updated_at = $4
  WHERE message_receivers.direct_refused_at IS NOT NULL
     OR COALESCE(message_receivers.locale, '') <> COALESCE(excluded.locale, message_receivers.locale, ''))");

void note_member_seen(Tx& tx, const TenantId& tenant, const std::string& chat_user, const std::string& locale,
                      Instant now) {
  const std::optional<std::string> known = locale.empty() ? std::nullopt : std::optional(locale);
  tx.later({&seen_sql, params(tenant, chat_receiver_id(chat_user), known, now)});
}

static const Sql refused_sql(R"(
  INSERT INTO message_receivers (tenant_id, id, direct_refused_at, created_at, updated_at) VALUES ($1, $2, $3, $3, $3)
  ON CONFLICT (tenant_id, id) DO UPDATE SET direct_refused_at = $3, updated_at = $3)");

void note_direct_refused(Tx& tx, const TenantId& tenant, const std::string& receiver, Instant now) {
  tx.run({&refused_sql, params(tenant, receiver, now)});
}

static const Sql accepted_sql(R"(
  UPDATE message_receivers SET direct_refused_at = NULL, updated_at = $3
  WHERE tenant_id = $1 AND id = $2 AND direct_refused_at IS NOT NULL)");

void note_direct_accepted(Tx& tx, const TenantId& tenant, const std::string& receiver, Instant now) {
  tx.run({&accepted_sql, params(tenant, receiver, now)});
}

static const Sql unsubscribed_sql(R"(
  INSERT INTO message_receivers (tenant_id, id, unsubscribed_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (tenant_id, id) DO UPDATE SET unsubscribed_at = $3, updated_at = $4)");

void set_unsubscribed(Tx& tx, const TenantId& tenant, const std::string& receiver, bool unsubscribed, Instant now) {
  const std::optional<Instant> at = unsubscribed ? std::optional(now) : std::nullopt;
  tx.run({&unsubscribed_sql, params(tenant, receiver, at, now)});
}

}  // namespace guildhall
