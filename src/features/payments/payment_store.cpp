#include "features/payments/payment_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Payment> payment_table("payments", {.on_conflict = "DO NOTHING", .updates_later = true});
const std::string select_payment = payment_table.select + " WHERE tenant_id = $1";

}  // namespace

Select<Payment> payment_by_id(const TenantId& tenant, const PaymentId& id) {
  return payment_table.by_id(tenant, id);
}

static const Sql by_provider_id_sql(select_payment + " AND provider = $2 AND provider_payment_id = $3");

Select<Payment> payment_by_provider_id(const TenantId& tenant, PaymentProvider provider, const std::string& id) {
  return {{&by_provider_id_sql, params(tenant, provider, id)}, read_row<Payment>};
}

static const Sql by_reference_sql(select_payment + " AND provider = $2 AND provider_reference = $3");

Select<Payment> payment_by_reference(const TenantId& tenant, PaymentProvider provider, const std::string& reference) {
  return {{&by_reference_sql, params(tenant, provider, reference)}, read_row<Payment>};
}

static const Sql live_sql(select_payment +
                          " AND order_id = $2 AND provider = $3 AND status IN ('OPENING', 'OPEN', 'PROCESSING')");

Select<Payment> live_payment(const TenantId& tenant, const OrderId& order, PaymentProvider provider) {
  return {{&live_sql, params(tenant, order, provider)}, read_row<Payment>};
}

// The plus sign keeps SQLite from reading all payments of the tenant in the order of their index: sorting the few of an
// order is faster.
static const Sql of_order_sql(select_payment + " AND order_id = $2 ORDER BY +created_at DESC, id DESC");

Select<Payment> payments_of_order(const TenantId& tenant, const OrderId& order) {
  return {{&of_order_sql, params(tenant, order)}, read_row<Payment>};
}

static const Sql unconfirmed_sql(select_payment +
                                 " AND claimed_order_id = $2 AND confirmed = false AND attention IS NOT NULL");

Select<Payment> unconfirmed_payments(const TenantId& tenant, const OrderId& order) {
  return {{&unconfirmed_sql, params(tenant, order)}, read_row<Payment>};
}

static const Listing listing = Listing::of<PaymentQuery>({
    .table = "payments",
    .columns = columns<Payment>(),
    .paths = {{.filter = "order_id", .condition = "order_id = :order_id", .order = ListPath::Order::none},
              {.filter = "attention", .condition = "attention IS NOT NULL"},
              {.filter = "status", .condition = "status = :status_1", .order = ListPath::Order::none},
              {.filter = "provider", .condition = "provider = :provider_1", .order = ListPath::Order::none}},
});

const Listing& payment_listing() {
  return listing;
}

bool insert_payment(Tx& tx, const Payment& payment) {
  return payment_table.insert(tx, payment);
}

void update_payment(Tx& tx, Payment& payment) {
  payment_table.update(tx, payment);
}

static const Sql lock_sql("UPDATE payments SET updated_at = updated_at WHERE tenant_id = $1 AND order_id = $2");

void lock_payments(Tx& tx, const TenantId& tenant, const OrderId& order) {
  tx.run({&lock_sql, params(tenant, order)});
}

static const Sql claim_check_sql(
    "UPDATE payments SET checked_at = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2"
    " AND (checked_at IS NULL OR checked_at < $4)");

bool claim_check(Tx& tx, const Payment& payment, Instant now, Instant not_since) {
  return tx.run({&claim_check_sql, params(payment.tenant_id.value, payment.id, now, not_since)}) == 1;
}

static const Sql generation_sql("SELECT generation FROM invoice_links WHERE tenant_id = $1 AND order_id = $2");

Select<std::int64_t> link_generation(const TenantId& tenant, const OrderId& order) {
  return {{&generation_sql, params(tenant, order)}, [](const Row& row) { return row.integer(0); }};
}

static const Sql revoke_sql(R"(
  INSERT INTO invoice_links (tenant_id, order_id, generation, updated_at) VALUES ($1, $2, 1, $3)
  ON CONFLICT (tenant_id, order_id) DO UPDATE
    SET generation = invoice_links.generation + 1, updated_at = excluded.updated_at)");

void revoke_links(Tx& tx, const TenantId& tenant, const OrderId& order, Instant now) {
  tx.run({&revoke_sql, params(tenant, order, now)});
}

}  // namespace guildhall
