#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/instant.h"

// The Standard Webhooks scheme: what tenants' endpoints verify our deliveries with.
namespace guildhall {

// `whsec_` and the base64 of the key. Made from the system's generator.
std::string make_webhook_secret();

// The value of `webhook-signature`: one `v1,<base64>` for each secret, separated by spaces, over
// `<id>.<unix seconds>.<body>`. Throws std::invalid_argument for a secret that is not one of ours.
std::string webhook_signature(std::string_view id, Instant at, std::string_view body,
                              std::span<const std::string> secrets);

}  // namespace guildhall
