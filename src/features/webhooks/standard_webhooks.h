#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/instant.h"

// The Standard Webhooks scheme, with which tenants' endpoints verify deliveries.
namespace guildhall {

// Creates a random secret: `whsec_` and the base64 of the key.
std::string make_webhook_secret();

// The value of `webhook-signature`: one `v1,<base64>` for each secret, separated by spaces, over
// `<id>.<unix seconds>.<body>`. Throws std::invalid_argument for a secret that is not one of ours.
std::string webhook_signature(std::string_view id, Instant at, std::string_view body,
                              std::span<const std::string> secrets);

}  // namespace guildhall
