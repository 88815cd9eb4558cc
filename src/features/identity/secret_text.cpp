#include "features/identity/secret_text.h"

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/text.h"

namespace guildhall {

constexpr std::size_t secret_bytes = 32;

std::string make_secret() {
  return base64url(random_bytes(secret_bytes));
}

std::string hash_of_secret(std::string_view secret) {
  return hex(sha256(secret));
}

bool is_secret_of(std::string_view hash, std::string_view secret) {
  return equal_in_constant_time(hash_of_secret(secret), hash);
}

std::string secret_text(std::string_view prefix, const TenantId& tenant, std::string_view id, std::string_view secret) {
  return fmt::format("{}{}.{}.{}", prefix, base64url(tenant.text()), id, secret);
}

std::optional<SecretParts> parse_secret_text(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto tenant = from_base64url(text.substr(0, first));
  const std::string_view id = text.substr(first + 1, second - first - 1);
  if (!tenant || !is_storable(*tenant) || !is_storable(id)) return std::nullopt;
  return SecretParts{TenantId(*tenant), std::string(id), text.substr(second + 1)};
}

}  // namespace guildhall
