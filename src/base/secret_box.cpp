#include "base/secret_box.h"

#include <sodium.h>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

}  // namespace

SecretBox::SecretBox(std::string_view master_key) {
  const Sha256 derived = HmacSha256(master_key).sign("guildhall secret box, version 1");
  key_.assign(derived.begin(), derived.end());
}

SecretBox::~SecretBox() {
  sodium_memzero(key_.data(), key_.size());
}

std::string SecretBox::seal(std::string_view plain, std::string_view context) const {
  const std::string nonce = random_bytes(nonce_bytes);
  std::string sealed(plain.size() + tag_bytes, '\0');
  crypto_aead_xchacha20poly1305_ietf_encrypt(bytes(sealed), nullptr, bytes(plain), plain.size(), bytes(context),
                                             context.size(), nullptr, bytes(std::string_view(nonce)),
                                             bytes(std::string_view(key_)));
  return base64url(nonce + sealed);
}

std::optional<std::string> SecretBox::open(std::string_view sealed, std::string_view context) const {
  const auto raw = from_base64url(sealed);
  if (!raw || raw->size() < nonce_bytes + tag_bytes) return std::nullopt;
  const std::string_view nonce = std::string_view(*raw).substr(0, nonce_bytes);
  const std::string_view box = std::string_view(*raw).substr(nonce_bytes);
  std::string plain(box.size() - tag_bytes, '\0');
  if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes(plain), nullptr, nullptr, bytes(box), box.size(), bytes(context),
                                                 context.size(), bytes(nonce), bytes(std::string_view(key_))) != 0) {
    return std::nullopt;
  }
  return plain;
}

}  // namespace guildhall
