#include "base/crypto.h"

#include <atomic>
#include <memory>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sodium.h>
#include <stdexcept>

#include "base/bytes.h"

namespace guildhall {
namespace {

template <auto free_it>
struct FreeWith {
  void operator()(auto* object) const { free_it(object); }
};

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("The cryptographic library failed: ") + what + ".");
}

// Initialises libsodium, once. Every function that uses the library calls this first.
void start_sodium() {
  static const bool started = sodium_init() >= 0;
  require(started, "libsodium did not start");
}

// OpenSSL searches its providers under a lock to fetch an algorithm, so each algorithm is fetched only once per
// process.
const EVP_MD* sha256_digest() {
  static EVP_MD* const digest = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  require(digest != nullptr, "no SHA-256");
  return digest;
}

using MacContext = std::unique_ptr<EVP_MAC_CTX, FreeWith<EVP_MAC_CTX_free>>;

MacContext make_mac_context() {
  static EVP_MAC* const mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  require(mac != nullptr, "no HMAC");
  MacContext context(EVP_MAC_CTX_new(mac));
  char name[] = "SHA256";
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
                               OSSL_PARAM_construct_end()};
  require(context && EVP_MAC_CTX_set_params(context.get(), params) == 1, "no HMAC context");
  return context;
}

}  // namespace

Sha256 sha256(std::string_view message) {
  static thread_local const std::unique_ptr<EVP_MD_CTX, FreeWith<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  Sha256 digest{};
  require(context && EVP_DigestInit_ex2(context.get(), sha256_digest(), nullptr) == 1 &&
              EVP_DigestUpdate(context.get(), message.data(), message.size()) == 1 &&
              EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1,
          "SHA-256");
  return digest;
}

HmacSha256::HmacSha256(std::string_view key) : key_(key) {
  static std::atomic<std::uint64_t> last_serial{0};
  serial_ = ++last_serial;
}

HmacSha256::~HmacSha256() {
  OPENSSL_cleanse(key_.data(), key_.size());
}

Sha256 HmacSha256::sign(std::string_view message) const {
  static thread_local const MacContext context = make_mac_context();
  static thread_local std::uint64_t keyed_for = 0;
  // Without a key, EVP_MAC_init starts a new message with the previous key, which need not be hashed again.
  const bool keyed = keyed_for == serial_;
  keyed_for = 0;  // a failure below leaves the context unusable, so the next call sets the key again
  Sha256 signature{};
  std::size_t size = 0;
  require(EVP_MAC_init(context.get(), keyed ? nullptr : bytes(key_), keyed ? 0 : key_.size(), nullptr) == 1 &&
              EVP_MAC_update(context.get(), bytes(message), message.size()) == 1 &&
              EVP_MAC_final(context.get(), signature.data(), &size, signature.size()) == 1,
          "HMAC-SHA256");
  keyed_for = serial_;
  return signature;
}

bool HmacSha256::verify(std::string_view message, std::string_view signature_bytes) const {
  const Sha256 expected = sign(message);
  return equal_in_constant_time({reinterpret_cast<const char*>(expected.data()), expected.size()}, signature_bytes);
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool verify_ed25519(std::string_view public_key_bytes, std::string_view message, std::string_view signature_bytes) {
  start_sodium();
  return public_key_bytes.size() == crypto_sign_PUBLICKEYBYTES && signature_bytes.size() == crypto_sign_BYTES &&
         crypto_sign_verify_detached(bytes(signature_bytes), bytes(message), message.size(), bytes(public_key_bytes)) ==
             0;
}

Ed25519Key ed25519_from_seed(std::string_view seed_bytes) {
  start_sodium();
  require(seed_bytes.size() == crypto_sign_SEEDBYTES, "an Ed25519 seed has 32 bytes");
  Ed25519Key key{std::string(crypto_sign_PUBLICKEYBYTES, '\0'), std::string(crypto_sign_SECRETKEYBYTES, '\0')};
  crypto_sign_seed_keypair(bytes(key.public_key_bytes), bytes(key.secret_key_bytes), bytes(seed_bytes));
  return key;
}

std::string sign_ed25519(const Ed25519Key& key, std::string_view message) {
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(bytes(signature), nullptr, bytes(message), message.size(), bytes(key.secret_key_bytes));
  return signature;
}

std::string random_bytes(std::size_t count) {
  start_sodium();
  std::string random(count, '\0');
  randombytes_buf(random.data(), count);
  return random;
}

}  // namespace guildhall
