#include "features/discounts/discount_actions.h"

#include "audit/audit.h"
#include "features/discounts/discount_store.h"
#include "storage/record.h"

namespace guildhall {

Discount create_discount(Tx& tx, const TenantId& tenant, const Actor& actor, const NewDiscount& input, Instant now) {
  Discount discount = discount_from(input, tenant, now);
  insert_discount(tx, discount);
  audit_change<Discount>(tx, tenant, actor, {"discount", discount.id.text()}, nullptr, &discount, now);
  return discount;
}

Discount change_discount(Tx& tx, const TenantId& tenant, const Actor& actor, const DiscountId& id, Instant now,
                         FunctionRef<void(Discount&)> edit) {
  auto discount = tx.one(discount_by_id(tenant, id));
  if (!discount) throw not_found("Discount");
  const Discount before = *discount;
  edit(*discount);
  if (!needs_write(before, *discount)) return before;
  ++discount->revision.value;
  discount->updated_at = now;
  update_discount(tx, *discount);
  audit_change(tx, tenant, actor, {"discount", id.text()}, &before, &*discount, now);
  return std::move(*discount);
}

void delete_discount(Tx& tx, const TenantId& tenant, const Actor& actor, const DiscountId& id, Instant now,
                     FunctionRef<void(const Discount&)> precondition) {
  auto discount = tx.one(discount_by_id(tenant, id));
  if (!discount) throw not_found("Discount");
  precondition(*discount);
  discount->deleted_at.value = now;
  ++discount->revision.value;
  update_discount(tx, *discount);
  audit_change<Discount>(tx, tenant, actor, {"discount", id.text()}, &*discount, nullptr, now);
}

}  // namespace guildhall
