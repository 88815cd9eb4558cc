#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/instant.h"

// Whether a webhook's raw bytes are signed by who should have sent them. Pure. A missing header or an empty secret
// never verifies; comparing takes the same time wherever a signature differs.
namespace guildhall {

constexpr std::chrono::seconds signature_tolerance{300};

// `t=<unix seconds>,v1=<hex>[,v1=…]` over `<t>.<body>`: any v1 under any of the secrets, made within the tolerance of
// now, before or after. Other schemes are ignored.
bool verify_billing_signature(std::string_view header, std::string_view body, std::span<const std::string> secrets,
                              Instant now);

// `hmac-sha256-hex=<hex>`, or the bare hex, of the body; the key is the secret in NFKD.
bool verify_shipping_signature(std::string_view header, std::string_view body, std::string_view secret);

// What the other side sends; for tests, and for whoever plays a provider.
std::string billing_signature(std::string_view body, std::string_view secret, Instant at);
std::string shipping_signature(std::string_view body, std::string_view secret);

}  // namespace guildhall
