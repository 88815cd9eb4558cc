#include "features/customers/customer_actions.h"

#include "audit/audit.h"
#include "features/customers/customer_store.h"
#include "storage/record.h"

namespace guildhall {

FoundCustomer find_or_create_customer(Tx& tx, const TenantId& tenant, const Actor& actor, const NewCustomer& input,
                                      Instant now) {
  Customer fresh = customer_from(input, tenant, now);
  if (insert_customer(tx, fresh)) {
    audit_change<Customer>(tx, tenant, actor, {"customer", fresh.id.text()}, nullptr, &fresh, now);
    return {std::move(fresh), true};
  }
  auto known = tx.one(customer_by_chat_id(tenant, input.chat_id));
  if (!known) throw WriteRace();  // the conflicting customer was deleted meanwhile
  return {std::move(*known), false};
}

Customer change_customer(Tx& tx, const TenantId& tenant, const Actor& actor, const CustomerId& id, Instant now,
                         FunctionRef<void(Customer&)> edit) {
  auto customer = tx.one(customer_by_id(tenant, id));
  if (!customer) throw not_found("Customer");
  const Customer before = *customer;
  edit(*customer);
  if (!needs_write(before, *customer)) return before;
  customer->updated_at = now;
  update_customer(tx, *customer);
  audit_change(tx, tenant, actor, {"customer", id.text()}, &before, &*customer, now);
  return std::move(*customer);
}

}  // namespace guildhall
