#pragma once

#include <vector>

#include "api/route.h"
#include "base/secret_box.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

// Throws unavailable without the master key.
inline const SecretBox& required_secrets(const std::optional<SecretBox>& secrets) {
  if (!secrets) throw unavailable("Secrets cannot be stored: the operator has not set SERVICE_MASTER_KEY.");
  return *secrets;
}

std::vector<api::Route> deliverable_routes(Database& db, const Events& events, const std::optional<SecretBox>& secrets);
std::vector<api::Route> delivery_key_routes(Database& db, const Events& events,
                                            const std::optional<SecretBox>& secrets);
std::vector<api::Route> licence_routes(Database& db, const std::optional<SecretBox>& secrets);

}  // namespace guildhall
