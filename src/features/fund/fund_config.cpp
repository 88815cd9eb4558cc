#include "features/fund/fund_config.h"

#include "base/money_text.h"
#include "features/identity/permissions.h"

namespace guildhall {
namespace {

constexpr std::size_t presets_max = 25;  // the most that a select menu of the chat platform shows
constexpr std::size_t approval_roles_max = 25;

bool is_slug(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

class FieldChecks {
 public:
  void expect(bool fine, std::string field, std::string_view rule) {
    if (!fine) problems_.push_back({std::move(field), std::string(rule)});
  }

  template <class T>
  void expect_list(const std::vector<T>& list, std::string_view field, std::size_t size_max) {
    expect(!list.empty(), std::string(field), "must have at least 1 item");
    expect(list.size() <= size_max, std::string(field), fmt::format("must have at most {} items", size_max));
    for (std::size_t i = 0; i < list.size(); ++i) {
      expect(std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) ==
                 list.begin() + static_cast<std::ptrdiff_t>(i),
             fmt::format("{}[{}]", field, i), "must not be given twice");
    }
  }

  void finish() && {
    if (!problems_.empty()) throw invalid_fields(std::move(problems_));
  }

 private:
  std::vector<Problem> problems_;
};

void check(const FundConfig& config) {
  FieldChecks checks;
  checks.expect_list(config.allowed_amounts_cents, "allowedAmountsCents", presets_max);
  checks.expect(config.custom_amount_max_cents > config.custom_amount_min_cents, "customAmountMaxCents",
                "must be greater than customAmountMinCents");
  checks.expect(!config.celebration_channel_id || is_slug(*config.celebration_channel_id), "celebrationChannelId",
                "must be the id of a channel");
  checks.expect(config.anonymous_message_template.find("{donor}") == std::string::npos, "anonymousMessageTemplate",
                "must not use {donor}: it is for donors who do not want to be named");
  checks.expect_list(config.disbursement_approval_roles, "disbursementApprovalRoles", approval_roles_max);
  for (std::size_t i = 0; i < config.disbursement_approval_roles.size(); ++i) {
    checks.expect(is_slug(config.disbursement_approval_roles[i]), fmt::format("disbursementApprovalRoles[{}]", i),
                  "must be a role such as TenantAdmin");
  }
  checks.expect(Currency::parse(config.currency).has_value(), "currency",
                "must be an ISO 4217 code in upper case, such as USD");
  std::move(checks).finish();
}

}  // namespace

FundConfig default_fund_config(const TenantId& tenant, Instant now) {
  return {.id = make_uuid(now),
          .tenant_id = tenant,
          .enabled = false,
          .allowed_amounts_cents = {500, 1000, 2500, 5000},
          .custom_amount_allowed = true,
          .custom_amount_min_cents = 100,
          .custom_amount_max_cents = 100'000,
          .celebration_channel_id = std::nullopt,
          .celebration_message_template =
              "🎉 {donor} has given {amount} to the community fund. Thank you! The fund now holds {balance}.",
          .anonymous_message_template =
              "🎉 Somebody kind has given {amount} to the community fund. Thank you! The fund now holds {balance}.",
          .anonymity_allowed = true,
          .disbursement_approval_roles = {std::string(tenant_admin)},
          .disclaimer_text =
              "Contributions are gifts to the community. They are not an investment, and are paid back only when the "
              "order they came with is refunded.",
          .currency = std::string(Currency().code()),
          .public_view_enabled = false,
          .created_at = now,
          .updated_at = now,
          .version = {1}};
}

void apply(const FundConfigPatch& patch, FundConfig& config) {
  patch.apply_to(config);
  check(config);
}

void require_enabled(const FundConfig& config) {
  if (!config.enabled) throw bad_request("COMMUNITY_FUND_DISABLED", "The community fund is not enabled.");
}

void check_donation_amount(const FundConfig& config, Cents amount) {
  require_enabled(config);
  const auto& presets = config.allowed_amounts_cents;
  if (std::find(presets.begin(), presets.end(), amount.value()) != presets.end()) return;
  if (!config.custom_amount_allowed) {
    throw bad_request("AMOUNT_NOT_ALLOWED", "The community fund takes only its preset amounts.");
  }
  if (amount.value() < config.custom_amount_min_cents || amount.value() > config.custom_amount_max_cents) {
    throw bad_request("AMOUNT_NOT_ALLOWED",
                      fmt::format("The community fund takes from {} to {}.",
                                  money_text(Cents(config.custom_amount_min_cents), config.money()),
                                  money_text(Cents(config.custom_amount_max_cents), config.money())));
  }
}

void check_anonymity(const FundConfig& config, bool anonymous) {
  if (anonymous && !config.anonymity_allowed) {
    throw bad_request("ANONYMITY_NOT_ALLOWED", "This community fund does not take anonymous contributions.");
  }
}

void require_may_change_roles(const FundConfig& config, const FundConfigPatch& patch,
                              const std::vector<std::string>& permission_keys) {
  if (!patch.gives<&FundConfig::disbursement_approval_roles>() || may_approve(config, permission_keys)) return;
  if (patch.record.disbursement_approval_roles == config.disbursement_approval_roles) return;
  throw forbidden("PERMISSION_DENIED", "Only who may approve disbursements changes the approval roles.");
}

bool may_approve(const FundConfig& config, const std::vector<std::string>& permission_keys) {
  const auto holds = [&](std::string_view key) {
    return std::find(permission_keys.begin(), permission_keys.end(), key) != permission_keys.end();
  };
  const auto& roles = config.disbursement_approval_roles;
  return holds(platform_admin) || std::any_of(roles.begin(), roles.end(), holds);
}

}  // namespace guildhall
