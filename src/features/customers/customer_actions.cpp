#include "features/customers/customer_actions.h"

#include "features/customers/customer_store.h"

namespace guildhall {

FoundCustomer find_or_create_customer(Tx& tx, const TenantId& tenant, const NewCustomer& input, Instant now) {
  Customer fresh = customer_from(input, tenant, now);
  if (insert_customer(tx, fresh)) return {std::move(fresh), true};
  auto known = tx.one(customer_by_chat_id(tenant, input.chat_id));
  if (!known) throw WriteRace();  // the one in our way is gone again
  return {std::move(*known), false};
}

Customer change_customer(Tx& tx, const TenantId& tenant, const CustomerId& id, Instant now,
                         FunctionRef<void(Customer&)> edit) {
  auto customer = tx.one(customer_by_id(tenant, id));
  if (!customer) throw not_found("Customer");
  edit(*customer);
  customer->updated_at = now;
  update_customer(tx, *customer);
  return std::move(*customer);
}

}  // namespace guildhall
