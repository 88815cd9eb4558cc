#include "features/customers/customer_store.h"

#include "storage/record_table.h"
#include "storage/search_text.h"

namespace guildhall {
namespace {

const RecordTable<Customer> customer_table("customers", {.on_conflict = "(tenant_id, chat_id) DO NOTHING"});
const std::string& select_customer = customer_table.select;

}  // namespace

Select<Customer> customer_by_id(const TenantId& tenant, const CustomerId& id) {
  return customer_table.by_id(tenant, id);
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

bool insert_customer(Tx& tx, const Customer& customer) {
  return customer_table.insert(tx, customer);
}

void update_customer(Tx& tx, Customer& customer) {
  customer.search_text = {search_text_of(customer)};
  customer_table.update(tx, customer);
}

}  // namespace guildhall
