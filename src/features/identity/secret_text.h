#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

// Secrets that are shown once and stored as a hash: API tokens and one-time links. The text that is shown also names
// the tenant and the record, so that the record is found by its key: `<prefix><tenant, base64url>.<id>.<secret>`. It
// consists of characters that need no escape in a URL.
namespace guildhall {

struct SecretParts {
  TenantId tenant;
  std::string id;
  std::string_view secret;  // a part of the parsed text
};

std::string make_secret();

// The secret is random and as long as the hash, so it cannot be guessed from a plain hash.
std::string hash_of_secret(std::string_view secret);

// Takes the same time for every secret.
bool is_secret_of(std::string_view hash, std::string_view secret);

std::string secret_text(std::string_view prefix, const TenantId& tenant, std::string_view id, std::string_view secret);

// Returns nothing if the text does not have this format.
std::optional<SecretParts> parse_secret_text(std::string_view prefix, std::string_view text);

}  // namespace guildhall
