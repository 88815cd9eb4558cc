#include "app/subscriptions.h"

namespace guildhall {

void subscribe_all(Events&) {}

}  // namespace guildhall
