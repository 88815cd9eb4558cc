#pragma once

#include "api/page.h"
#include "features/customers/customer.h"
#include "storage/database.h"

// All SQL of customers. Every function takes the tenant.
namespace guildhall {

Select<Customer> customer_by_id(const TenantId& tenant, const CustomerId& id);
Select<Customer> customer_by_chat_id(const TenantId& tenant, const std::string& chat_id);

// A page after the position, newest first.
Select<Customer> customers_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// Returns false if the tenant already has a customer with that chat id.
bool insert_customer(Tx& tx, const Customer& customer);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read.
void update_customer(Tx& tx, Customer& customer);

}  // namespace guildhall
