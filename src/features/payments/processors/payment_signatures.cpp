#include "features/payments/processors/payment_signatures.h"

#include <boost/crc.hpp>
#include <fmt/format.h>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

bool matches(std::string_view header, std::string_view secret, const std::string& expected) {
  return !header.empty() && !secret.empty() && equal_in_constant_time(header, expected);
}

std::string bytes_of(const Sha256& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

std::string crypto_gateway_signature(std::string_view body, std::string_view secret) {
  return "sha256=" + crypto_commerce_signature(body, secret);
}

std::string crypto_commerce_signature(std::string_view body, std::string_view secret) {
  return hex(HmacSha256(secret).sign(body));
}

std::string apppay_signature(std::string_view url, std::string_view body, std::string_view secret) {
  return base64(bytes_of(HmacSha256(secret).sign(std::string(url).append(body))));
}

bool verify_crypto_gateway_signature(std::string_view header, std::string_view body, std::string_view secret) {
  return matches(header, secret, crypto_gateway_signature(body, secret));
}

bool verify_crypto_commerce_signature(std::string_view header, std::string_view body, std::string_view secret) {
  return matches(header, secret, crypto_commerce_signature(body, secret));
}

bool verify_apppay_signature(std::string_view header, std::string_view url, std::string_view body,
                             std::string_view secret) {
  return matches(header, secret, apppay_signature(url, body, secret));
}

std::string wallet_signed_text(std::string_view id, std::string_view time, std::string_view webhook_id,
                               std::string_view body) {
  boost::crc_32_type crc;
  crc.process_bytes(body.data(), body.size());
  return fmt::format("{}|{}|{}|{}", id, time, webhook_id, crc.checksum());
}

}  // namespace guildhall
