#pragma once

#include <memory>

#include "base/crypto.h"
#include "base/secret_box.h"
#include "features/delivery/deliverable.h"
#include "storage/database.h"

namespace guildhall {

struct LicencePayload {
  std::string id;  // unlike every other
  TenantId tenant_id;
  ProductId product_id;
  OrderId order_id;
  Instant issued_at;
};
BOOST_DESCRIBE_STRUCT(LicencePayload, (), (id, tenant_id, product_id, order_id, issued_at))

// A random secret of the shop, made with its first key. It hashes keys, so that short ones cannot be guessed from a
// copy of the database, and signs licences that a program verifies without a connection.
class ShopSecret {
 public:
  explicit ShopSecret(const std::string& seed);

  // Of a key as a buyer may type it: without spaces around it, in any case.
  std::string hash_of(std::string_view key) const;

  // `<payload>.<signature>`, both base64url. The payload is JSON; the signature is Ed25519 over the text before the
  // dot.
  std::string signed_licence(const LicencePayload& payload) const;

 private:
  const Ed25519Key signer_;
  const HmacSha256 hashes_;
};

// The public key that verifies the licences of the shop (32 bytes, base64url); nothing while it has no keys.
Select<std::string> licence_public_key(const TenantId& tenant);

// The secret as it is stored; nothing while the shop has no keys.
Select<std::string> sealed_shop_secret(const TenantId& tenant);

// Null if the master key does not open it.
std::unique_ptr<const ShopSecret> opened_shop_secret(const SecretBox& secrets, const TenantId& tenant,
                                                     const std::string& sealed);

// The same for the stored secret, which is made if there is none.
std::unique_ptr<const ShopSecret> require_shop_secret(Tx& tx, const SecretBox& secrets, const TenantId& tenant,
                                                      Instant now);

}  // namespace guildhall
