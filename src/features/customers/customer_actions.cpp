#include "features/customers/customer_actions.h"

#include "features/customers/customer_store.h"
#include "features/records.h"

namespace guildhall {

static constexpr Records<Customer> customer_records{.name = "Customer",
                                                    .subject = "customer",
                                                    .by_id = customer_by_id,
                                                    .update = update_customer,
                                                    .table = "customers"};

FoundCustomer find_or_create_customer(const ActionContext& context, const NewCustomer& input) {
  Customer fresh = input.made(context.tenant, context.now);
  fresh.search_text = {search_text_of(fresh)};
  if (insert_customer(context.tx, fresh)) {
    customer_records.note(context, nullptr, &fresh);
    context.emit(CustomerCreated{fresh});
    return {std::move(fresh), true};
  }
  auto known = context.tx.one(customer_by_chat_id(context.tenant, fresh.chat_id));
  if (!known) throw WriteRace();  // the conflicting customer was deleted meanwhile
  return {std::move(*known), false};
}

Customer change_customer(const ActionContext& context, const CustomerId& id, FunctionRef<void(Customer&)> edit) {
  return customer_records.change(context, id, edit, [&](const Customer& before, const Customer& after) {
    if (before.is_active == after.is_active) {
      context.emit(CustomerUpdated{after});
    } else if (after.is_active) {
      context.emit(CustomerReactivated{after});
    } else {
      context.emit(CustomerDeactivated{after});
    }
  });
}

}  // namespace guildhall
