#include "features/slice.h"

#include "features/customers/customer_events.h"
#include "features/customers/routes.h"

namespace guildhall {

Slice customers_slice() {
  return Slice("customers")
      .routes(customer_routes)
      .events<CustomerCreated, CustomerUpdated, CustomerDeactivated, CustomerReactivated>();
}

}  // namespace guildhall
