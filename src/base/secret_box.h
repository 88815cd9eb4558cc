#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace guildhall {

// Encrypts the secrets that are stored in the database (tenants' credentials) with a key derived from the master key.
// `context` names the owner and the use of the secret ("payments/<tenant>/WALLET"): a sealed text opens only with the
// context that it was sealed with.
class SecretBox {
 public:
  explicit SecretBox(std::string_view master_key);
  ~SecretBox();
  SecretBox(const SecretBox&) = delete;
  SecretBox& operator=(const SecretBox&) = delete;

  std::string seal(std::string_view plain, std::string_view context) const;  // base64url
  // Returns nothing when the text was changed or was sealed with another key or context.
  std::optional<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  std::string key_;
};

}  // namespace guildhall
