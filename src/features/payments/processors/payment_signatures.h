#pragma once

#include <string>
#include <string_view>

// The signatures of payment processors' webhooks. Pure. A missing header or an empty secret never verifies. The time of
// a comparison does not depend on where a signature differs.
namespace guildhall {

// The header is `sha256=<hex>` of the body.
bool verify_crypto_gateway_signature(std::string_view header, std::string_view body, std::string_view secret);

// The header is the hex of the body, without a prefix.
bool verify_crypto_commerce_signature(std::string_view header, std::string_view body, std::string_view secret);

// The header is the base64 of the registered address followed by the body.
bool verify_apppay_signature(std::string_view header, std::string_view url, std::string_view body,
                             std::string_view secret);

// The header that a processor sends, for tests and stand-ins.
std::string crypto_gateway_signature(std::string_view body, std::string_view secret);
std::string crypto_commerce_signature(std::string_view body, std::string_view secret);
std::string apppay_signature(std::string_view url, std::string_view body, std::string_view secret);

// `<id>|<time>|<webhook id>|<CRC-32 of the body, unsigned decimal>`: the text that a wallet's certificate signs.
std::string wallet_signed_text(std::string_view id, std::string_view time, std::string_view webhook_id,
                               std::string_view body);

}  // namespace guildhall
