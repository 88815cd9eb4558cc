#include "features/memberships/membership_code_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_code = "SELECT " + columns<MembershipCode>() + " FROM membership_codes";

}  // namespace

static const Sql by_id_sql(select_code + " WHERE tenant_id = $1 AND id = $2");

Select<MembershipCode> code_by_id(const TenantId& tenant, const MembershipCodeId& id) {
  return {{&by_id_sql, params(tenant, id)}, read_row<MembershipCode>};
}

static const Sql by_hash_sql(select_code + " WHERE tenant_id = $1 AND code_hash = $2");

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

static const Sql insert_sql("INSERT INTO membership_codes (" + columns<MembershipCode>() + ") VALUES (" +
                            placeholders<MembershipCode>() + ")");

void insert_code(Tx& tx, const MembershipCode& code) {
  tx.later({&insert_sql, values_of(code)});
}

static const Sql update_sql(versioned_update<MembershipCode>("membership_codes"));

void update_code(Tx& tx, MembershipCode& code) {
  write_versioned(tx, update_sql, code);
}

}  // namespace guildhall
