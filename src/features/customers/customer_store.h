#pragma once

#include "api/list.h"
#include "base/job_failures.h"
#include "features/customers/customer.h"
#include "storage/metadata_index.h"
#include "storage/storage.h"

// All SQL of customers. Every function takes the tenant.
namespace guildhall {

Select<Customer> customer_by_id(const TenantId& tenant, const CustomerId& id);
Select<Customer> customer_by_chat_id(const TenantId& tenant, const std::string& chat_id);

// A page after the position, newest first.
Select<Customer> customers_after(const TenantId& tenant, const Position& position, std::int64_t limit);

struct CustomerQuery : api::ListParams {
  Search<"search_text", "A part of the chat id, email, phone or a name, in any case."> search;
  OneOf<CustomerSource, "Customers from one of these sources."> source;
  Is<bool, "Active or deactivated customers."> is_active;
  Is<UserId, "The customers of this user."> user_id;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  HasMetadata<"customers"> metadata;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(CustomerQuery, (api::ListParams),
                      (search, source, is_active, user_id, created_from, created_to, metadata, sort))

const Listing& customer_listing();

// Returns false if the tenant already has a customer with that chat id.
bool insert_customer(Tx& tx, const Customer& customer);

// Fills the search text of some customers from before there was one. Returns their number.
std::int64_t fill_customer_search(Tx& tx, const JobFailures& failures);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read.
void update_customer(Tx& tx, Customer& customer);

}  // namespace guildhall
