#include "base/secret_box.h"

#include <sodium.h>

#include "base/bytes.h"
#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;

std::optional<std::string> opened(std::string_view sealed, std::string_view context, const std::string& key) {
  const auto raw = from_base64url(sealed);
  if (!raw || raw->size() < nonce_bytes + tag_bytes) return std::nullopt;
  const std::string_view nonce = std::string_view(*raw).substr(0, nonce_bytes);
  const std::string_view box = std::string_view(*raw).substr(nonce_bytes);
  std::string plain(box.size() - tag_bytes, '\0');
  if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes(plain), nullptr, nullptr, bytes(box), box.size(), bytes(context),
                                                 context.size(), bytes(nonce), bytes(std::string_view(key))) != 0) {
    return std::nullopt;
  }
  return plain;
}

}  // namespace

SecretBox::SecretBox(const std::vector<std::string>& master_keys) {
  for (const std::string& master_key : master_keys) {
    const Sha256 derived = HmacSha256(master_key).sign("guildhall secret box, version 1");
    keys_.emplace_back(derived.begin(), derived.end());
  }
}

SecretBox::~SecretBox() {
  for (std::string& key : keys_) sodium_memzero(key.data(), key.size());
}

std::string SecretBox::seal(std::string_view plain, std::string_view context) const {
  const std::string nonce = random_bytes(nonce_bytes);
  std::string sealed(plain.size() + tag_bytes, '\0');
  crypto_aead_xchacha20poly1305_ietf_encrypt(bytes(sealed), nullptr, bytes(plain), plain.size(), bytes(context),
                                             context.size(), nullptr, bytes(std::string_view(nonce)),
                                             bytes(std::string_view(keys_.front())));
  return base64url(nonce + sealed);
}

std::optional<std::string> SecretBox::open(std::string_view sealed, std::string_view context) const {
  for (const std::string& key : keys_) {
    if (auto plain = opened(sealed, context, key)) return plain;
  }
  return std::nullopt;
}

Resealing SecretBox::reseal(std::string& sealed, std::string_view context) const {
  if (opened(sealed, context, keys_.front())) return Resealing::current;
  const auto plain = open(sealed, context);
  if (!plain) return Resealing::unreadable;
  sealed = seal(*plain, context);
  return Resealing::resealed;
}

}  // namespace guildhall
