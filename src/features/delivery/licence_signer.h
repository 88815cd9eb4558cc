#pragma once

#include "base/crypto.h"
#include "base/secret_box.h"
#include "features/delivery/deliverable.h"
#include "storage/database.h"

// Licences that a program verifies without a connection: `<payload>.<signature>`, both base64url. The payload is JSON;
// the signature is Ed25519 over the payload's base64url text, with the shop's key.
namespace guildhall {

struct LicencePayload {
  std::string id;  // unlike every other
  TenantId tenant_id;
  ProductId product_id;
  OrderId order_id;
  Instant issued_at;
};
BOOST_DESCRIBE_STRUCT(LicencePayload, (), (id, tenant_id, product_id, order_id, issued_at))

// The shop's public key (32 bytes, base64url); nothing while the shop has signed nothing.
Select<std::string> licence_public_key(const TenantId& tenant);

// The shop's key, which is made if there is none. Nothing if the master key does not open it.
std::optional<Ed25519Key> licence_signing_key(Tx& tx, const SecretBox& secrets, const TenantId& tenant, Instant now);

std::string signed_licence(const Ed25519Key& key, const LicencePayload& payload);

}  // namespace guildhall
