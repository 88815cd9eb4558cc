#include "features/customers/customer_actions.h"

#include "features/customers/customer_store.h"
#include "storage/metadata_index.h"
#include "storage/record.h"

namespace guildhall {

FoundCustomer find_or_create_customer(const ActionContext& context, const NewCustomer& input) {
  Customer fresh = input.made(context.tenant, context.now);
  fresh.search_text = {search_text_of(fresh)};
  if (insert_customer(context.tx, fresh)) {
    index_metadata<Customer>(context.tx, "customers", nullptr, &fresh);
    context.audit_created({"customer", fresh.id.text()}, fresh);
    context.emit(CustomerCreated{fresh});
    return {std::move(fresh), true};
  }
  auto known = context.tx.one(customer_by_chat_id(context.tenant, fresh.chat_id));
  if (!known) throw WriteRace();  // the conflicting customer was deleted meanwhile
  return {std::move(*known), false};
}

Customer change_customer(const ActionContext& context, const CustomerId& id, FunctionRef<void(Customer&)> edit) {
  auto customer = context.tx.one(customer_by_id(context.tenant, id));
  if (!customer) throw not_found("Customer");
  const Customer before = *customer;
  edit(*customer);
  if (!needs_write(before, *customer)) return before;
  customer->updated_at = context.now;
  update_customer(context.tx, *customer);
  index_metadata(context.tx, "customers", &before, &*customer);
  context.audit_change({"customer", id.text()}, &before, &*customer);
  if (before.is_active == customer->is_active) {
    context.emit(CustomerUpdated{*customer});
  } else if (customer->is_active) {
    context.emit(CustomerReactivated{*customer});
  } else {
    context.emit(CustomerDeactivated{*customer});
  }
  return std::move(*customer);
}

}  // namespace guildhall
