#include "features/slice.h"

#include "features/customers/customer_events.h"
#include "features/customers/routes.h"

namespace guildhall {

Slice customers_slice() {
  return Slice("customers")
      .table({.name = "customers",
              .other = "source",
              .personal = "chat_id chat_username chat_display_name email phone user_id notes addresses "
                          "default_address_id search_text metadata",
              .erased = erased_by_code,
              .grows = true,
              .metadata = "true"})
      .routes(customer_routes)
      .events<CustomerCreated, CustomerUpdated, CustomerDeactivated, CustomerReactivated>();
}

}  // namespace guildhall
