#include "features/slice.h"

#include "features/tenancy/routes.h"

namespace guildhall {

Slice tenancy_slice() {
  return Slice("tenancy").routes(guild_routes);
}

}  // namespace guildhall
