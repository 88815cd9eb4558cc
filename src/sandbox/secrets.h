#pragma once

#include <memory>
#include <openssl/types.h>
#include <string>
#include <string_view>

#include "base/crypto.h"

namespace guildhall::sandbox {

// The key and certificate with which the wallet signs its webhooks. The certificate is its own authority.
class WalletKey {
 public:
  // Reads the PEM file, which is made at the first call and readable only by its owner. Throws std::runtime_error.
  explicit WalletKey(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& certificate_pem() const { return certificate_; }
  std::string sign(std::string_view message) const;  // RSA with SHA-256

 private:
  std::string path_;
  std::string certificate_;
  std::shared_ptr<EVP_PKEY> key_;
};

// The keys and secrets that the sandbox shares with the server that uses it. All are derived from one random text, so
// that a server never trusts a secret that is printed in a manual.
class Secrets {
 public:
  Secrets(std::string root, const std::string& wallet_key_path) : root_(std::move(root)), wallet(wallet_key_path) {}

  std::string of(std::string_view name) const;  // 32 hexadecimal digits
  Ed25519Key chat_key() const;
  std::string chat_application() const;  // its id, a number as all ids of the platform

 private:
  std::string root_;

 public:
  WalletKey wallet;
};

}  // namespace guildhall::sandbox
