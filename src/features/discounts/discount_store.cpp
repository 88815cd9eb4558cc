#include "features/discounts/discount_store.h"

#include "base/text.h"
#include "storage/guard.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

// As in order_store.cpp, the condition implies that of no partial index.
const RecordTable<Discount> discount_table("discounts", {.condition = " AND COALESCE(deleted_at, 0) = 0",
                                                         .violated = [](std::string_view constraint) {
                                                           if (constraint == "discounts_code_key")
                                                             throw discount_code_taken();
                                                         }});
const std::string& select_discount = discount_table.select;

}  // namespace

Select<Discount> discount_by_id(const TenantId& tenant, const DiscountId& id) {
  return discount_table.by_id(tenant, id);
}

static const Sql by_code_sql(select_discount + " WHERE tenant_id = $1 AND code_key = $2 AND deleted_at IS NULL");

Select<Discount> discount_by_code(const TenantId& tenant, std::string_view code) {
  return {{&by_code_sql, params(tenant, folded(code))}, read_row<Discount>};
}

static const Sql terms_sql(select_discount + " WHERE tenant_id = $1 AND id = $2");

Select<Discount> discount_terms(const TenantId& tenant, const DiscountId& id) {
  return {{&terms_sql, params(tenant, id)}, read_row<Discount>};
}

static const Listing listing = Listing::of<DiscountQuery>({.table = "discounts",
                                                           .columns = columns<Discount>(),
                                                           .condition = "deleted_at IS NULL",
                                                           .paths = {metadata_path("discounts")}});

const Listing& discount_listing() {
  return listing;
}

void insert_discount(Tx& tx, const Discount& discount) {
  discount_table.insert(tx, discount);
}

void update_discount(Tx& tx, Discount& discount) {
  ++discount.revision.value;
  discount_table.update(tx, discount);
}

// Deferred to the commit so that the row is locked briefly. When the use is not allowed, CASE yields NULL and the NOT
// NULL constraint rejects it; the transaction then runs again and reads the reason. A discount's row is never deleted.
static const Sql count_use_sql("UPDATE discounts SET version = version + 1, usage_count = CASE WHEN revision = $3" +
                               guard(" AND (usage_limit IS NULL OR usage_count < usage_limit)") +
                               " THEN usage_count + 1 END WHERE tenant_id = $1 AND id = $2");

static SharedRow row_of_use(const TenantId& tenant, const DiscountId& id) {
  return {SharedRow::Table::discounts, tenant.text(), id.text()};
}

void count_use(Tx& tx, const Discount& discount) {
  tx.later_on_shared_row(row_of_use(discount.tenant_id, discount.id),
                         {&count_use_sql, params(discount.tenant_id, discount.id, discount.revision)},
                         [](const ConstraintViolation& violation) {
                           if (violation.constraint == "discounts_usage_count_not_null") throw WriteRace();
                         });
}

static const Sql give_back_sql(
    "UPDATE discounts SET usage_count = usage_count - 1, version = version + 1"
    " WHERE tenant_id = $1 AND id = $2 AND usage_count > 0");

void give_back_use(Tx& tx, const TenantId& tenant, const DiscountId& id) {
  tx.later_on_shared_row(row_of_use(tenant, id), {&give_back_sql, params(tenant, id)});
}

}  // namespace guildhall
