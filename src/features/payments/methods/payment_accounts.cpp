#include "features/payments/methods/payment_accounts.h"

#include "features/payments/processors/processor_list.h"

namespace guildhall {
namespace {

std::string context_of(const StoredMethod& stored) {
  return fmt::format("payments/{}/{}", stored.tenant_id.text(), name_of(stored.method));
}

template <Declared S>
void add_values(const S& record, std::map<std::string, std::string, std::less<>>& values) {
  boost::mp11::mp_for_each<detail::Members<S>>([&](auto member) {
    const auto& value = record.*member.pointer;
    if (!value) return;
    const std::string key(detail::JsonKey<decltype(member)>::text);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*value)>, std::string>) {
      values[key] = *value;
    } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*value)>, bool>) {
      values[key] = *value ? "true" : "false";
    } else {
      values[key] = fmt::format("{}", value->value);
    }
  });
}

// The values that a tenant must set before a payment can be opened. None of the operator's values is used together with
// a tenant's, so without an account all are missing; which of them the operator has set is not shown.
std::vector<std::string> missing_values(const Account& account) {
  std::vector<std::string> missing;
  if (account.configured()) return missing;
  for (const MethodValue& each : values_of_method(account.method)) {
    const bool set = account.owner == AccountOwner::TENANT && !account.value(each.key).empty();
    if (each.need == MethodNeed::opening && !set) missing.emplace_back(each.key);
  }
  return missing;
}

}  // namespace

const std::string& Account::value(std::string_view key) const {
  static const std::string none;
  const auto found = values.find(key);
  return found == values.end() ? none : found->second;
}

bool Account::has_values_for(MethodNeed need) const {
  const auto known = values_of_method(method);
  return std::all_of(known.begin(), known.end(),
                     [&](const MethodValue& each) { return each.need != need || !value(each.key).empty(); });
}

bool Account::configured() const {
  return (!has_processor(method) || !base_url.empty()) && has_values_for(MethodNeed::opening);
}

std::optional<ConfigurationGap> Account::gap() const {
  if (configured()) return std::nullopt;
  if (base_url.empty()) return ConfigurationGap::ADDRESS_MISSING;
  if (unreadable) return ConfigurationGap::UNREADABLE;
  return owner == AccountOwner::TENANT ? ConfigurationGap::INCOMPLETE : ConfigurationGap::NO_VALUES;
}

bool Account::verifies_webhooks() const {
  return has_processor(method) && has_values_for(MethodNeed::webhooks);
}

std::optional<PaymentCredentials> PaymentAccounts::credentials_of(const StoredMethod& stored) const {
  if (!stored.credentials.value) return PaymentCredentials{};
  const auto plain = secrets_ != nullptr ? secrets_->open(*stored.credentials.value, context_of(stored)) : std::nullopt;
  return plain ? std::optional(from_json<PaymentCredentials>(*plain)) : std::nullopt;
}

std::string PaymentAccounts::from_environment(std::string_view variable) const {
  const auto found = config_.payment_values.find(variable);
  return found == config_.payment_values.end() ? std::string() : found->second;
}

Account PaymentAccounts::account(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored,
                                 std::optional<AccountOwner> owner) const {
  const auto* processor = find_processor(method);
  Account account{.tenant = tenant,
                  .method = method,
                  .base_url = processor != nullptr ? from_environment(processor->address.variable) : "",
                  .values = {}};
  bool own = false;
  if (stored != nullptr) {
    const auto credentials = credentials_of(*stored);
    if (credentials) add_values(*credentials, account.values);
    account.unreadable = !credentials;
    own = !credentials || !account.values.empty();
    add_values(stored->settings, account.values);
  }
  const auto known = values_of_method(method);
  own |= std::any_of(known.begin(), known.end(), [&](const MethodValue& each) {
    return !each.variable.empty() && !account.value(each.key).empty();
  });
  account.owner = owner.value_or(own ? AccountOwner::TENANT : AccountOwner::OPERATOR);
  if (account.owner == AccountOwner::TENANT) return account;
  std::map<std::string, std::string, std::less<>> values;  // of the tenant only its preferences
  for (const MethodValue& each : known) {
    values[std::string(each.key)] = each.variable.empty() ? account.value(each.key) : from_environment(each.variable);
  }
  account.values = std::move(values);
  account.unreadable = false;
  return account;
}

void PaymentAccounts::apply(const PaymentMethodPatch& patch, StoredMethod& stored) const {
  patch.enabled.apply_to(stored.enabled);
  if (patch.settings) guildhall::apply(*patch.settings, stored.settings);
  if (!patch.credentials) return;
  if (secrets_ == nullptr) {
    throw unavailable("Credentials cannot be stored: the operator has not set SERVICE_MASTER_KEY.");
  }
  PaymentCredentials credentials = credentials_of(stored).value_or(PaymentCredentials{});
  guildhall::apply(*patch.credentials, credentials);
  stored.credentials.value = secrets_->seal(to_json(credentials), context_of(stored));
}

ShownMethod PaymentAccounts::shown(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored) const {
  const Account account = this->account(tenant, method, stored);
  const auto* processor = find_processor(method);
  const bool tenants = account.owner == AccountOwner::TENANT;
  const bool used = processor != nullptr && (tenants || account.configured());
  return {.method = method,
          .enabled = stored != nullptr && stored->enabled,
          .processor = processor != nullptr,
          .product = processor != nullptr ? std::optional<std::string>(processor->product) : std::nullopt,
          .keys_url = processor != nullptr ? std::optional<std::string>(processor->keys_url) : std::nullopt,
          .configured = account.configured(),
          .not_configured_reason = account.gap(),
          .missing_values = missing_values(account),
          .account_owner = used ? std::optional(account.owner) : std::nullopt,
          .webhooks_verified = account.verifies_webhooks(),
          .settings = shown_settings(method, stored != nullptr ? stored->settings : PaymentSettings{})};
}

}  // namespace guildhall
