#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/instant.h"

// Verification of the signatures of received webhooks, over their raw bytes. Pure. A missing header and an empty secret
// are refused. Signatures are compared in constant time.
namespace guildhall {

constexpr std::chrono::seconds signature_tolerance{300};

// The header `t=<unix seconds>,v1=<hex>[,v1=…]` signs `<t>.<body>`. One v1 must be valid for one of the secrets, and
// the time must be within the tolerance, before or after now. Other schemes are ignored.
bool verify_billing_signature(std::string_view header, std::string_view body, std::span<const std::string> secrets,
                              Instant now);

// `hmac-sha256-hex=<hex>`, or the bare hex, of the body; the key is the secret in NFKD.
bool verify_shipping_signature(std::string_view header, std::string_view body, std::string_view secret);

// Creates the header that a provider sends; for tests and simulations.
std::string billing_signature(std::string_view body, std::string_view secret, Instant at);
std::string shipping_signature(std::string_view body, std::string_view secret);

}  // namespace guildhall
