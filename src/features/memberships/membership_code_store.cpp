#include "features/memberships/membership_code_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<MembershipCode> membership_code_table("membership_codes");

std::int64_t read_code_number(const Row& row) {
  return row.integer(0);
}

}  // namespace

Select<MembershipCode> code_by_id(const TenantId& tenant, const MembershipCodeId& id) {
  return membership_code_table.by_id(tenant, id);
}

static const Sql by_hash_sql(membership_code_table.select + " WHERE tenant_id = $1 AND code_hash = $2");

Select<MembershipCode> code_by_hash(const TenantId& tenant, const std::string& code_hash) {
  return {{&by_hash_sql, params(tenant, code_hash)}, read_row<MembershipCode>};
}

static const Listing listing = Listing::of<MembershipCodeQuery>({
    .table = "membership_codes",
    .columns = columns<MembershipCode>(),
    .paths = {{.filter = "status", .condition = "status = :status_1"}},
});

const Listing& code_listing() {
  return listing;
}

void insert_code(Tx& tx, const MembershipCode& code) {
  tx.later(membership_code_table.insertion(code));
}

static const Sql number_open_sql(
    "SELECT COUNT(*) FROM (SELECT 1 AS one FROM membership_codes WHERE tenant_id = $1 AND status = 'OPEN' LIMIT $2)"
    " AS counted");

Select<std::int64_t> number_of_open_codes(const TenantId& tenant, std::int64_t limit) {
  return {{&number_open_sql, params(tenant, limit)}, read_code_number};
}

static const Sql opened_batches_sql("SELECT number FROM membership_code_batches WHERE tenant_id = $1");
static const Sql count_batch_sql(
    "INSERT INTO membership_code_batches (tenant_id, number) VALUES ($1, 1)"
    " ON CONFLICT (tenant_id) DO UPDATE SET number = membership_code_batches.number + 1 RETURNING number");

Select<std::int64_t> opened_batches(const TenantId& tenant) {
  return {{&opened_batches_sql, params(tenant)}, read_code_number};
}

std::int64_t count_batch(Tx& tx, const TenantId& tenant) {
  return tx.one(Select<std::int64_t>{{&count_batch_sql, params(tenant)}, read_code_number}).value();
}

// A code that somebody has withdrawn has a later version.
static const std::string unopened =
    " WHERE tenant_id = $1 AND id >= $2 AND id <= $3 AND status = 'WITHDRAWN' AND version = 1";
static const Sql open_batch_sql("UPDATE membership_codes SET status = 'OPEN'" + unopened);

std::int64_t open_batch(Tx& tx, const CodeBatch& batch) {
  return tx.run({&open_batch_sql, params(batch.tenant(), batch.first_id(), batch.last_id())});
}

static const Sql delete_batch_sql(
    "DELETE FROM membership_codes WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM membership_codes" + unopened +
    " LIMIT $4)");

std::int64_t delete_some_of_batch(Tx& tx, const CodeBatch& batch, std::int64_t rows_max) {
  return tx.run({&delete_batch_sql, params(batch.tenant(), batch.first_id(), batch.last_id(), rows_max)});
}

void update_code(Tx& tx, MembershipCode& code) {
  membership_code_table.update(tx, code);
}

}  // namespace guildhall
