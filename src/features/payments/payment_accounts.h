#pragma once

#include <map>

#include "base/config.h"
#include "base/secret_box.h"
#include "features/payments/payment_method_store.h"

namespace guildhall {

// What a call to a processor is made with: the tenant's values where it has them, the environment's elsewhere.
struct Account {
  TenantId tenant;
  PaymentMethod method = PaymentMethod::WALLET;
  std::string base_url;
  std::map<std::string, std::string, std::less<>> values;  // by their keys on the wire

  const std::string& value(std::string_view key) const;  // empty when there is none
  bool configured() const;                               // all required ones are there
};

// Opens and seals what tenants keep with us.
class PaymentAccounts {
 public:
  PaymentAccounts(const Config& config, const SecretBox* secrets) : config_(config), secrets_(secrets) {}

  // `stored` is null for a method that the tenant has never set.
  Account account(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored) const;

  // Merges the patch. Throws Failure unavailable when there are credentials and no SERVICE_MASTER_KEY.
  void apply(const PaymentMethodPatch& patch, StoredMethod& stored) const;

  ShownMethod shown(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored) const;

  const Config& config() const { return config_; }

 private:
  PaymentCredentials credentials_of(const StoredMethod& stored) const;

  const Config& config_;
  const SecretBox* secrets_;
};

}  // namespace guildhall
