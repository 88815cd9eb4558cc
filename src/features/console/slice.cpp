#include "features/slice.h"

#include "features/console/routes.h"

namespace guildhall {

Slice console_slice() {
  return Slice("console").routes(console_routes).routes(docs_routes);
}

}  // namespace guildhall
