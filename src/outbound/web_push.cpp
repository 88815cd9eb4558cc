#include "outbound/web_push.h"

#include <fmt/format.h>
#include <memory>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <stdexcept>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/json_writer.h"

namespace guildhall::outbound {
namespace {

using namespace std::string_literals;

constexpr std::size_t point_bytes = 65, scalar_bytes = 32, salt_bytes = 16, tag_bytes = 16;
constexpr std::uint32_t record_bytes = 4096;  // of which a message has one
constexpr std::chrono::hours vapid_lives{12};
constexpr std::chrono::hours push_waits_max{24};  // for a browser that is not running

template <auto release>
struct ReleaseWith {
  void operator()(auto* object) const { release(object); }
};
using Pkey = std::unique_ptr<EVP_PKEY, ReleaseWith<EVP_PKEY_free>>;
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, ReleaseWith<EVP_PKEY_CTX_free>>;
using BigNumber = std::unique_ptr<BIGNUM, ReleaseWith<BN_clear_free>>;

void need(bool done, const char* step) {
  if (!done) throw std::runtime_error(fmt::format("Web push: {} failed.", step));
}

unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}
const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string scalar_text(const BIGNUM* number) {
  std::string text(scalar_bytes, '\0');
  need(BN_bn2binpad(number, bytes_of(text), static_cast<int>(text.size())) >= 0, "writing a number");
  return text;
}

// Null if the point is not on the curve. Without private bytes, only the public key.
Pkey pkey_of(std::string_view public_bytes, std::string_view private_bytes) {
  const std::unique_ptr<OSSL_PARAM_BLD, ReleaseWith<OSSL_PARAM_BLD_free>> builder(OSSL_PARAM_BLD_new());
  const BigNumber scalar(BN_bin2bn(bytes_of(private_bytes), static_cast<int>(private_bytes.size()), nullptr));
  need(
      builder && scalar &&
          OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
          OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, public_bytes.data(),
                                           public_bytes.size()) == 1 &&
          (private_bytes.empty() || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, scalar.get()) == 1),
      "describing a key");
  const std::unique_ptr<OSSL_PARAM, ReleaseWith<OSSL_PARAM_free>> params(OSSL_PARAM_BLD_to_param(builder.get()));
  const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  need(params && context && EVP_PKEY_fromdata_init(context.get()) == 1, "reading a key");
  EVP_PKEY* key = nullptr;
  const int selection = private_bytes.empty() ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
  return Pkey(EVP_PKEY_fromdata(context.get(), &key, selection, params.get()) == 1 ? key : nullptr);
}

std::string shared_secret(const P256Key& own, std::string_view other_public) {
  const Pkey key = pkey_of(own.public_bytes, own.private_bytes), other = pkey_of(other_public, "");
  need(key && other, "reading the keys");
  const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
  std::string secret(scalar_bytes, '\0');
  std::size_t size = secret.size();
  need(context && EVP_PKEY_derive_init(context.get()) == 1 &&
           EVP_PKEY_derive_set_peer(context.get(), other.get()) == 1 &&
           EVP_PKEY_derive(context.get(), bytes_of(secret), &size) == 1 && size == secret.size(),
       "the key agreement");
  return secret;
}

std::string hmac(std::string_view key, std::string_view message) {
  const Sha256 mac = HmacSha256(key).sign(message);
  return {mac.begin(), mac.end()};
}

std::string aes_gcm(std::string_view plain, std::string_view key, std::string_view nonce) {
  const std::unique_ptr<EVP_CIPHER_CTX, ReleaseWith<EVP_CIPHER_CTX_free>> context(EVP_CIPHER_CTX_new());
  std::string sealed(plain.size() + tag_bytes, '\0');
  int size = 0, rest = 0;
  need(context && EVP_EncryptInit_ex2(context.get(), EVP_aes_128_gcm(), bytes_of(key), bytes_of(nonce), nullptr) == 1 &&
           EVP_EncryptUpdate(context.get(), bytes_of(sealed), &size, bytes_of(plain), static_cast<int>(plain.size())) ==
               1 &&
           EVP_EncryptFinal_ex(context.get(), bytes_of(sealed) + size, &rest) == 1 &&
           EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_bytes, bytes_of(sealed) + plain.size()) == 1,
       "the encryption");
  return sealed;
}

// The signature as JWTs have it: both numbers after each other.
std::string es256(const P256Key& key, std::string_view message) {
  const Pkey pkey = pkey_of(key.public_bytes, key.private_bytes);
  const std::unique_ptr<EVP_MD_CTX, ReleaseWith<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  std::string der(100, '\0');
  std::size_t size = der.size();
  need(pkey && context &&
           EVP_DigestSignInit_ex(context.get(), nullptr, "SHA256", nullptr, nullptr, pkey.get(), nullptr) == 1 &&
           EVP_DigestSign(context.get(), bytes_of(der), &size, bytes_of(message), message.size()) == 1,
       "signing");
  const unsigned char* start = bytes_of(std::string_view(der));
  const std::unique_ptr<ECDSA_SIG, ReleaseWith<ECDSA_SIG_free>> signature(
      d2i_ECDSA_SIG(nullptr, &start, static_cast<long>(size)));
  need(signature != nullptr, "reading the signature");
  return scalar_text(ECDSA_SIG_get0_r(signature.get())) + scalar_text(ECDSA_SIG_get0_s(signature.get()));
}

std::string origin_of(std::string_view url) {
  const std::size_t host = url.find("://") + 3;
  return std::string(url.substr(0, url.find_first_of("/?#", host)));
}

}  // namespace

P256Key make_p256_key() {
  const Pkey key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  std::string point(point_bytes, '\0');
  std::size_t size = 0;
  BIGNUM* number = nullptr;
  need(key &&
           EVP_PKEY_get_octet_string_param(key.get(), OSSL_PKEY_PARAM_PUB_KEY, bytes_of(point), point.size(), &size) ==
               1 &&
           size == point.size() && EVP_PKEY_get_bn_param(key.get(), OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1,
       "making a key");
  const BigNumber scalar(number);
  return {std::move(point), scalar_text(scalar.get())};
}

bool is_p256_point(std::string_view bytes) {
  return bytes.size() == point_bytes && bytes.front() == '\x04' && pkey_of(bytes, "") != nullptr;
}

std::string encrypt_push(std::string_view plain, const PushReceiver& receiver, const P256Key& sender,
                         std::string_view salt) {
  const std::string info = "WebPush: info\0"s + receiver.public_bytes + sender.public_bytes + '\x01';
  const std::string agreed = hmac(receiver.auth_secret, shared_secret(sender, receiver.public_bytes));
  const std::string pseudo_random = hmac(salt, hmac(agreed, info));
  const std::string key = hmac(pseudo_random, "Content-Encoding: aes128gcm\0\x01"s).substr(0, 16);
  const std::string nonce = hmac(pseudo_random, "Content-Encoding: nonce\0\x01"s).substr(0, 12);
  std::string body(salt);
  for (int shift = 24; shift >= 0; shift -= 8) body += static_cast<char>(record_bytes >> shift);
  body += static_cast<char>(point_bytes);
  body += sender.public_bytes;
  return body + aes_gcm(std::string(plain) + '\x02', key, nonce);  // 2: the last record
}

std::string encrypt_push(std::string_view plain, const PushReceiver& receiver) {
  return encrypt_push(plain, receiver, make_p256_key(), random_bytes(salt_bytes));
}

std::string vapid_authorization(const P256Key& key, std::string_view url, std::string_view contact, Instant now) {
  const std::string claims = json::write_object([&](json::ObjectWriter& body) {
    body.add("aud", origin_of(url));
    body.add("exp", (now + vapid_lives).ms / 1000);
    if (!contact.empty()) body.add("sub", contact);
  });
  const std::string token = base64url(R"({"typ":"JWT","alg":"ES256"})"s) + "." + base64url(claims);
  return fmt::format("vapid t={}.{}, k={}", token, base64url(es256(key, token)), base64url(key.public_bytes));
}

Request push_request(std::string_view plain, const PushReceiver& receiver, const P256Key& key, std::string_view contact,
                     Instant now) {
  return {.method = "POST",
          .url = receiver.url,
          .headers = {{"Authorization", vapid_authorization(key, receiver.url, contact, now)},
                      {"Content-Encoding", "aes128gcm"},
                      {"Content-Type", "application/octet-stream"},
                      {"TTL", fmt::format("{}", std::chrono::seconds(push_waits_max).count())},
                      {"Urgency", "normal"}},
          .body = encrypt_push(plain, receiver),
          .reply_bytes_max = 16 * 1024,
          .url_from_tenant = true};
}

}  // namespace guildhall::outbound
