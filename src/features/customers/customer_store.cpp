#include "features/customers/customer_store.h"

#include "storage/columns.h"
#include "storage/search_text.h"

namespace guildhall {
namespace {

const std::string select_customer = "SELECT " + columns<Customer>() + " FROM customers";

}  // namespace

static const Sql by_id_sql(select_customer + " WHERE tenant_id = $1 AND id = $2");

Select<Customer> customer_by_id(const TenantId& tenant, const CustomerId& id) {
  return {{&by_id_sql, params(tenant, id)}, read_row<Customer>};
}

static const Sql by_chat_id_sql(select_customer + " WHERE tenant_id = $1 AND chat_id = $2");

Select<Customer> customer_by_chat_id(const TenantId& tenant, const std::string& chat_id) {
  return {{&by_chat_id_sql, params(tenant, chat_id)}, read_row<Customer>};
}

static const Sql after_sql(select_customer +
                           " WHERE tenant_id = $1 AND (created_at, id) < ($2, $3)"
                           " ORDER BY created_at DESC, id DESC LIMIT $4");

Select<Customer> customers_after(const TenantId& tenant, const Position& position, std::int64_t limit) {
  return {{&after_sql, params(tenant, position.created_at, position.id, limit)}, read_row<Customer>};
}

static const Listing listing = Listing::of<CustomerQuery>(
    {.table = "customers", .columns = columns<Customer>(), .paths = {metadata_path("customers")}});

const Listing& customer_listing() {
  return listing;
}

static const SearchTextFill<Customer> fill("customers");

std::int64_t fill_customer_search(Tx& tx, const JobFailures& failures) {
  return fill.fill_some(tx, search_text_of, failures);
}

static const Sql insert_sql("INSERT INTO customers (" + columns<Customer>() + ") VALUES (" + placeholders<Customer>() +
                            ") ON CONFLICT (tenant_id, chat_id) DO NOTHING");

bool insert_customer(Tx& tx, const Customer& customer) {
  return tx.run({&insert_sql, values_of(customer)}) == 1;
}

static const Sql update_sql(versioned_update<Customer>("customers"));

void update_customer(Tx& tx, Customer& customer) {
  customer.search_text = {search_text_of(customer)};
  write_versioned(tx, update_sql, customer);
}

}  // namespace guildhall
