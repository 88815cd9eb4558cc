#include "features/payments/payment_accounts.h"

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
    } else {
      values[key] = fmt::format("{}", value->value);
    }
  });
}

}  // namespace

const std::string& Account::value(std::string_view key) const {
  static const std::string none;
  const auto found = values.find(key);
  return found == values.end() ? none : found->second;
}

bool Account::configured() const {
  if (has_processor(method) && base_url.empty()) return false;
  const auto known = values_of_method(method);
  return std::all_of(known.begin(), known.end(),
                     [&](const MethodValue& each) { return !each.required || !value(each.key).empty(); });
}

PaymentCredentials PaymentAccounts::credentials_of(const StoredMethod& stored) const {
  if (!stored.credentials.value || secrets_ == nullptr) return {};
  const auto plain = secrets_->open(*stored.credentials.value, context_of(stored));
  return plain ? from_json<PaymentCredentials>(*plain) : PaymentCredentials{};
}

Account PaymentAccounts::account(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored) const {
  const auto from_environment = [&](std::string_view variable) {
    const auto found = config_.payment_values.find(variable);
    return found == config_.payment_values.end() ? std::string() : found->second;
  };
  Account account{
      .tenant = tenant, .method = method, .base_url = from_environment(base_url_variable(method)), .values = {}};
  for (const MethodValue& each : values_of_method(method)) {
    if (!each.variable.empty()) account.values[std::string(each.key)] = from_environment(each.variable);
  }
  if (stored != nullptr) {
    add_values(stored->settings, account.values);
    add_values(credentials_of(*stored), account.values);
  }
  return account;
}

void PaymentAccounts::apply(const PaymentMethodPatch& patch, StoredMethod& stored) const {
  patch.enabled.apply_to(stored.enabled);
  if (patch.settings) guildhall::apply(*patch.settings, stored.settings);
  if (!patch.credentials) return;
  if (secrets_ == nullptr) {
    throw unavailable("Credentials cannot be stored: the operator has not set SERVICE_MASTER_KEY.");
  }
  PaymentCredentials credentials = credentials_of(stored);
  guildhall::apply(*patch.credentials, credentials);
  stored.credentials.value = secrets_->seal(to_json(credentials), context_of(stored));
}

ShownMethod PaymentAccounts::shown(const TenantId& tenant, PaymentMethod method, const StoredMethod* stored) const {
  return {.method = method,
          .enabled = stored != nullptr && stored->enabled,
          .processor = has_processor(method),
          .configured = account(tenant, method, stored).configured(),
          .settings = shown_settings(method, stored != nullptr ? stored->settings : PaymentSettings{})};
}

}  // namespace guildhall
