#include "support/push_browser.h"

#include <memory>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <stdexcept>

#include "base/encoding.h"

// The older functions of OpenSSL are used on purpose: they share nothing with outbound/web_push.cpp.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

namespace guildhall::test {
namespace {

void expect(bool right, const char* what) {
  if (!right) throw std::runtime_error(std::string("web push: ") + what);
}

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

using EcKey = std::unique_ptr<EC_KEY, decltype(&EC_KEY_free)>;

EcKey ec_key(std::string_view public_bytes) {
  EcKey key(EC_KEY_new_by_curve_name(NID_X9_62_prime256v1), &EC_KEY_free);
  expect(EC_KEY_oct2key(key.get(), raw(public_bytes), public_bytes.size(), nullptr) == 1, "no point of the curve");
  return key;
}

std::string agreed_secret(const outbound::P256Key& own, std::string_view other) {
  const EcKey key = ec_key(own.public_bytes), peer = ec_key(other);
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> scalar(
      BN_bin2bn(raw(own.private_bytes), static_cast<int>(own.private_bytes.size()), nullptr), &BN_free);
  EC_KEY_set_private_key(key.get(), scalar.get());
  std::string secret(32, '\0');
  expect(ECDH_compute_key(secret.data(), secret.size(), EC_KEY_get0_public_key(peer.get()), key.get(), nullptr) == 32,
         "no agreement");
  return secret;
}

// HKDF of RFC 5869 with SHA-256.
std::string hkdf(std::string_view salt, std::string_view key, std::string_view info, std::size_t bytes) {
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr),
                                                                            &EVP_PKEY_CTX_free);
  std::string out(bytes, '\0');
  expect(EVP_PKEY_derive_init(context.get()) == 1 && EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
             EVP_PKEY_CTX_set1_hkdf_salt(context.get(), raw(salt), static_cast<int>(salt.size())) == 1 &&
             EVP_PKEY_CTX_set1_hkdf_key(context.get(), raw(key), static_cast<int>(key.size())) == 1 &&
             EVP_PKEY_CTX_add1_hkdf_info(context.get(), raw(info), static_cast<int>(info.size())) == 1 &&
             EVP_PKEY_derive(context.get(), reinterpret_cast<unsigned char*>(out.data()), &bytes) == 1,
         "no HKDF");
  return out;
}

}  // namespace

std::string decrypted_push(std::string_view body, const outbound::P256Key& browser, std::string_view auth_secret) {
  using namespace std::string_literals;
  expect(body.size() > 102 && body.size() <= 4096 && body[20] == 65, "no header of aes128gcm");
  const std::string_view salt = body.substr(0, 16), sender = body.substr(21, 65), sealed = body.substr(86);
  const std::string info = "WebPush: info\0"s + browser.public_bytes + std::string(sender);
  const std::string input = hkdf(auth_secret, agreed_secret(browser, sender), info, 32);
  const std::string key = hkdf(salt, input, "Content-Encoding: aes128gcm\0"s, 16);
  const std::string nonce = hkdf(salt, input, "Content-Encoding: nonce\0"s, 12);
  std::string plain(sealed.size() - 16, '\0'), tag(sealed.substr(plain.size()));
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                &EVP_CIPHER_CTX_free);
  auto* out = reinterpret_cast<unsigned char*>(plain.data());
  int size = 0;
  expect(EVP_DecryptInit_ex(context.get(), EVP_aes_128_gcm(), nullptr, raw(key), raw(nonce)) == 1 &&
             EVP_DecryptUpdate(context.get(), out, &size, raw(sealed), static_cast<int>(plain.size())) == 1 &&
             EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, 16, tag.data()) == 1 &&
             EVP_DecryptFinal_ex(context.get(), out + size, &size) == 1,
         "it does not decrypt");
  expect(plain.back() == '\x02', "it is not the last record");
  plain.pop_back();
  return plain;
}

VapidHeader checked_vapid(std::string_view header) {
  expect(header.starts_with("vapid t=") && header.find(", k=") != std::string_view::npos, "no vapid header");
  const std::string_view token = header.substr(8, header.find(", k=") - 8);
  const std::string_view message = token.substr(0, token.rfind('.'));
  const auto signature = from_base64url(token.substr(message.size() + 1));
  const auto public_bytes = from_base64url(header.substr(header.find(", k=") + 4));
  const auto claims = from_base64url(message.substr(message.find('.') + 1));
  expect(signature && signature->size() == 64 && public_bytes && claims, "not base64url");
  const EcKey key = ec_key(*public_bytes);
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> numbers(ECDSA_SIG_new(), &ECDSA_SIG_free);
  ECDSA_SIG_set0(numbers.get(), BN_bin2bn(raw(*signature), 32, nullptr), BN_bin2bn(raw(*signature) + 32, 32, nullptr));
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(raw(message), message.size(), digest);
  expect(ECDSA_do_verify(digest, sizeof digest, numbers.get(), key.get()) == 1, "the signature is wrong");
  return {*claims, *public_bytes};
}

}  // namespace guildhall::test

#pragma clang diagnostic pop
