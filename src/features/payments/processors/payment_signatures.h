#pragma once

#include <string>
#include <string_view>

// Whether a payment processor's webhook is signed by who should have sent it. Pure. A missing header or an empty secret
// never verifies; comparing takes the same time wherever a signature differs.
namespace guildhall {

// `sha256=<hex>` of the body.
bool verify_crypto_gateway_signature(std::string_view header, std::string_view body, std::string_view secret);

// The bare hex of the body.
bool verify_crypto_commerce_signature(std::string_view header, std::string_view body, std::string_view secret);

// base64 over the registered address followed by the body.
bool verify_apppay_signature(std::string_view header, std::string_view url, std::string_view body,
                             std::string_view secret);

// What the other side sends; for tests, and for whoever plays a processor.
std::string crypto_gateway_signature(std::string_view body, std::string_view secret);
std::string crypto_commerce_signature(std::string_view body, std::string_view secret);
std::string apppay_signature(std::string_view url, std::string_view body, std::string_view secret);

// `<id>|<time>|<webhook id>|<CRC-32 of the body, unsigned decimal>`: what a wallet's certificate signs.
std::string wallet_signed_text(std::string_view id, std::string_view time, std::string_view webhook_id,
                               std::string_view body);

}  // namespace guildhall
