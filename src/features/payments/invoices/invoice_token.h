#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/crypto.h"
#include "base/ids.h"
#include "base/instant.h"

// The credential in a pay-by-invoice link: base64url(payload) `.` base64url(HMAC-SHA256). Pure.
namespace guildhall {

struct InvoiceLink {
  TenantId tenant;
  OrderId order;
  Instant expires_at;
  std::int64_t generation = 0;  // of the order's links when this one was made; revoking increments it

  bool operator==(const InvoiceLink&) const = default;
};

class InvoiceSigner {
 public:
  // `id:secret` or a plain secret, or several separated by commas: the first signs, all verify. A plain secret's id is
  // derived from it. Throws std::runtime_error when two have the same id.
  explicit InvoiceSigner(std::string_view secrets);

  bool can_sign() const { return !keys_.empty(); }
  std::string sign(const InvoiceLink& link) const;

  // The content of a token that one of the keys has signed; else nothing. The caller checks whether the link has
  // expired or was revoked.
  std::optional<InvoiceLink> verify(std::string_view token) const;

 private:
  struct Key {
    std::string id;
    std::unique_ptr<HmacSha256> hmac;
  };
  const Key* key(std::string_view id) const;

  std::vector<Key> keys_;
};

}  // namespace guildhall
