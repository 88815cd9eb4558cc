#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace guildhall {

// Secrets that lie in the database (a tenant's credentials) are encrypted with a key derived from the master key.
// `context` says what the secret is and whose ("payments/<tenant>/WALLET"): text sealed for one place does not open
// in another.
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
