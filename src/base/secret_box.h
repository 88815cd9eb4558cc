#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall {

// `current`: the first key opens the text already. `unreadable`: none does.
enum class Resealing { current, resealed, unreadable };

// Encrypts the secrets that are stored in the database (tenants' credentials) with a key derived from a master key. The
// first master key seals, and all open, so that a key can be replaced: `guildhall rekey` seals everything again.
// `context` names the owner and the use of the secret ("payments/<tenant>/WALLET"): a sealed text opens only with the
// context that it was sealed with.
class SecretBox {
 public:
  explicit SecretBox(const std::vector<std::string>& master_keys);  // at least one
  ~SecretBox();
  SecretBox(const SecretBox&) = delete;
  SecretBox& operator=(const SecretBox&) = delete;

  std::string seal(std::string_view plain, std::string_view context) const;  // base64url
  // Returns nothing when the text was changed or was sealed with another key or context.
  std::optional<std::string> open(std::string_view sealed, std::string_view context) const;

  // Seals the text again with the first key if only another one opens it.
  Resealing reseal(std::string& sealed, std::string_view context) const;

 private:
  std::vector<std::string> keys_;
};

}  // namespace guildhall
