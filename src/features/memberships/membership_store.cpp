#include "features/memberships/membership_store.h"

#include "storage/guard.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Membership> membership_table("memberships",
                                               {.on_conflict = "(tenant_id, member_key, group_key) DO NOTHING"});
const std::string& select_membership = membership_table.select;
const RecordTable<MembershipPeriod> period_table("membership_periods",
                                                 {.on_conflict = "(tenant_id, source_key) DO NOTHING"});
const std::string& select_period = period_table.select;

}  // namespace

Select<Membership> membership_by_id(const TenantId& tenant, const MembershipId& id) {
  return membership_table.by_id(tenant, id);
}

static const Sql of_member_sql(select_membership + " WHERE tenant_id = $1 AND member_key = $2 AND group_key = $3");

Select<Membership> membership_of(const TenantId& tenant, const std::string& member_key, const std::string& group_key) {
  return {{&of_member_sql, params(tenant, member_key, group_key)}, read_row<Membership>};
}

// The controls of the race tests do not lock.
const std::string lock_text = guard("UPDATE memberships SET version = version").empty()
                                  ? "SELECT version FROM memberships"
                                  : "UPDATE memberships SET version = version";
static const Sql lock_sql(lock_text + " WHERE tenant_id = $1 AND id = $2");
static const Sql lock_of_member_sql(lock_text + " WHERE tenant_id = $1 AND member_key = $2 AND group_key = $3");

void lock_membership(Tx& tx, const TenantId& tenant, const MembershipId& id) {
  if (!tx.has_single_writer()) tx.later({&lock_sql, params(tenant, id)});
}

void lock_membership_of(Tx& tx, const TenantId& tenant, const std::string& member_key, const std::string& group_key) {
  if (!tx.has_single_writer()) tx.later({&lock_of_member_sql, params(tenant, member_key, group_key)});
}

static const Sql of_chat_user_sql(select_membership +
                                  " WHERE tenant_id = $1 AND chat_user_id = $2"
                                  " ORDER BY created_at DESC, id DESC LIMIT $3");

Select<Membership> memberships_of_chat_user(const TenantId& tenant, const std::string& chat_user, std::int64_t limit) {
  return {{&of_chat_user_sql, params(tenant, chat_user, limit)}, read_row<Membership>};
}

static const Listing listing = Listing::of<MembershipQuery>({
    .table = "memberships",
    .columns = columns<Membership>(),
    .paths = {metadata_path("memberships"),
              {.filter = "chat_user_id", .condition = "chat_user_id = :chat_user_id"},
              {.filter = "product_id", .condition = "product_id = :product_id"},
              {.filter = "status", .condition = "status = :status_1"}},
});

const Listing& membership_listing() {
  return listing;
}

void write_membership(Tx& tx, Membership& membership) {
  membership_table.save(tx, membership);
}

static const Sql due_sql("SELECT tenant_id, id FROM memberships WHERE due_at <= $1 ORDER BY due_at LIMIT $2");

Select<DueMembership> due_memberships(Instant now, std::int64_t limit) {
  return {{&due_sql, params(now, limit)}, [](const Row& row) {
            return DueMembership{TenantId(row.text(0)), MembershipId(row.text(1))};
          }};
}

static const Sql postpone_sql(
    "UPDATE memberships SET due_at = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND due_at < $3");

void postpone_membership(Tx& tx, const DueMembership& due, Instant until) {
  tx.run({&postpone_sql, params(due.tenant, due.id, until)});
}

static const Sql periods_sql(select_period + " WHERE tenant_id = $1 AND membership_id = $2 ORDER BY paid_at, id");

Select<MembershipPeriod> periods_of_membership(const TenantId& tenant, const MembershipId& membership) {
  return {{&periods_sql, params(tenant, membership)}, read_row<MembershipPeriod>};
}

static const Sql periods_of_order_sql(select_period + " WHERE tenant_id = $1 AND order_id = $2");

Select<MembershipPeriod> periods_of_order(const TenantId& tenant, const OrderId& order) {
  return {{&periods_of_order_sql, params(tenant, order)}, read_row<MembershipPeriod>};
}

static const Sql periods_after_sql(select_period +
                                   " WHERE tenant_id = $1 AND membership_id = $2 AND (paid_at, id) < ($3, $4)"
                                   " ORDER BY paid_at DESC, id DESC LIMIT $5");

Select<MembershipPeriod> periods_after(const TenantId& tenant, const MembershipId& membership, const Position& position,
                                       std::int64_t limit) {
  return {{&periods_after_sql, params(tenant, membership, position.created_at, position.id, limit)},
          read_row<MembershipPeriod>};
}

bool insert_period(Tx& tx, const MembershipPeriod& period) {
  return period_table.insert(tx, period);
}

static const Sql refund_sql("UPDATE membership_periods SET refunded_at = $3 WHERE tenant_id = $1 AND id = $2" +
                            guard(" AND refunded_at IS NULL"));

bool mark_refunded(Tx& tx, const MembershipPeriod& period, Instant now) {
  return tx.run({&refund_sql, params(period.tenant_id, period.id, now)}) == 1;
}

static const Sql insert_fact_sql(
    "INSERT INTO membership_facts (tenant_id, id, currency, at, kind, value_cents) VALUES ($1, $2, $3, $4, $5, $6)");

void insert_fact(Tx& tx, const Membership& membership, const MembershipFact& fact) {
  tx.later({&insert_fact_sql, params(membership.tenant_id, make_uuid(fact.at), membership.currency.value, fact.at,
                                     fact.kind, fact.value_cents)});
}

static const Sql facts_sql(
    "SELECT kind, at, value_cents FROM membership_facts"
    " WHERE tenant_id = $1 AND currency = $2 AND at >= $3 AND at < $4 ORDER BY at LIMIT $5");

Select<MembershipFact> membership_facts(const TenantId& tenant, Currency currency, Instant begin, Instant end,
                                        std::int64_t limit) {
  return {{&facts_sql, params(tenant, currency, begin, end, limit)}, [](const Row& row) {
            return MembershipFact{Column<MembershipFactKind>::read(row, 0), Instant{row.integer(1)}, row.integer(2)};
          }};
}

static const Sql totals_sql(R"(
  SELECT COUNT(*), CAST(COALESCE(SUM(monthly), 0) AS bigint) FROM
    (SELECT CASE WHEN status = 'ACTIVE' AND cancelled_at IS NULL THEN monthly_cents ELSE 0 END AS monthly
     FROM memberships WHERE tenant_id = $1 AND status IN ('ACTIVE', 'PAUSED') AND currency = $2 LIMIT $3) AS members)");

Select<MemberTotals> member_totals(const TenantId& tenant, Currency currency, std::int64_t limit) {
  return {{&totals_sql, params(tenant, currency, limit)}, [](const Row& row) {
            return MemberTotals{row.integer(0), row.integer(1)};
          }};
}

static const Sql remind_sql(
    "INSERT INTO membership_reminders (tenant_id, membership_id, period_id, day, sent_at) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (tenant_id, membership_id, period_id, day) DO NOTHING");

bool insert_reminder(Tx& tx, const Membership& membership, std::int64_t day, Instant now) {
  return tx.run({&remind_sql,
                 params(membership.tenant_id, membership.id, membership.last_period_id.value, day, now)}) == 1;
}

}  // namespace guildhall
