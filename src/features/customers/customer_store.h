#pragma once

#include "api/page.h"
#include "features/customers/customer.h"
#include "storage/database.h"

// All SQL of customers. Nothing here can be asked without a tenant.
namespace guildhall {

Select<Customer> customer_by_id(const TenantId& tenant, const CustomerId& id);
Select<Customer> customer_by_chat_id(const TenantId& tenant, const std::string& chat_id);

// Newest first, after the position.
Select<Customer> customers_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// False if the tenant has a customer of that chat id already.
bool insert_customer(Tx& tx, const Customer& customer);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_customer(Tx& tx, Customer& customer);

}  // namespace guildhall
