#pragma once

#include <map>

#include "base/secret_box.h"
#include "features/payments/methods/payment_method_store.h"
#include "features/payments/payment_config.h"
#include "features/webhooks/webhook_event.h"

namespace guildhall {

// An account with a processor. Its values are all the tenant's or all the operator's, from the environment: a tenant
// that sets one value of its own must set the others too. Otherwise it could act with the operator's token.
struct Account {
  TenantId tenant;
  PaymentMethod method;
  AccountOwner owner = AccountOwner::OPERATOR;
  std::string base_url;
  std::map<std::string, std::string, std::less<>> values;  // by their keys on the wire
  bool unreadable = false;                                 // the tenant's credentials cannot be decrypted

  const std::string& value(std::string_view key) const;  // empty when there is none
  bool configured() const;                               // a payment can be opened
  std::optional<ConfigurationGap> gap() const;           // nothing when it is configured
  bool verifies_webhooks() const;

 private:
  bool has_values_for(MethodNeed need) const;
};

// Decides whose values are used for a method, and seals the credentials that tenants store.
class PaymentAccounts {
 public:
  PaymentAccounts(const PaymentConfig& config, const SecretBox* secrets) : config_(config), secrets_(secrets) {}

  // The account of that owner; without an owner the account in use: the tenant's as soon as it has set one value of an
  // account, else the operator's. An owner who has no values has an account that is not configured. `stored` is null
  // for a method that the tenant has never set.
  Account account(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored,
                  std::optional<AccountOwner> owner = std::nullopt) const;

  // Merges the patch. Throws Failure unavailable when there are credentials and no SERVICE_MASTER_KEY.
  void apply(const PaymentMethodPatch& patch, StoredMethod& stored) const;

  ShownMethod shown(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored) const;

  const PaymentConfig& config() const { return config_; }

 private:
  std::string from_environment(std::string_view variable) const;

  // Nothing when the credentials cannot be opened because the master key is missing or is another one.
  std::optional<PaymentCredentials> credentials_of(const StoredMethod& stored) const;

  const PaymentConfig& config_;
  const SecretBox* secrets_;
};

}  // namespace guildhall
