#pragma once

#include "base/function_ref.h"
#include "features/customers/customer.h"
#include "outbox/events.h"

// Actions on customers, inside the caller's transaction. The API, the bot and the webhooks share them.
namespace guildhall {

struct FoundCustomer {
  Customer customer;
  bool created;
};

// Returns the tenant's customer with that chat id, unchanged and also if inactive, or creates one. Concurrent calls
// create only one.
FoundCustomer find_or_create_customer(const ActionContext& context, const NewCustomer& input);

// Reads the customer, calls `edit` to change the record, and writes it back. `edit` may throw. Throws not_found if the
// tenant has no such customer: the reply never reveals that another tenant does.
Customer change_customer(const ActionContext& context, const CustomerId& id, FunctionRef<void(Customer&)> edit);

}  // namespace guildhall
