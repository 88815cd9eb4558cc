#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/customers/customer.h"
#include "storage/database.h"

// What can be done with customers, inside the caller's transaction: shared by the API, the bot and the webhooks.
namespace guildhall {

struct FoundCustomer {
  Customer customer;
  bool created;
};

// The tenant's customer of that chat id, unchanged and even if inactive, or a new one. Two at once make one.
FoundCustomer find_or_create_customer(Tx& tx, const TenantId& tenant, const Actor& actor, const NewCustomer& input,
                                      Instant now);

// Reads, lets `edit` change the record (or throw), and writes it back. Throws not_found if the tenant has no such
// customer: we never reveal that another tenant does.
Customer change_customer(Tx& tx, const TenantId& tenant, const Actor& actor, const CustomerId& id, Instant now,
                         FunctionRef<void(Customer&)> edit);

}  // namespace guildhall
