#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/currency.h"
#include "base/inputs.h"
#include "base/money.h"

// The configuration of a tenant's community fund and its rules. Pure: no clock, no database.
namespace guildhall {

using PositiveCents = Bounded<1, Cents::value_max>;

struct FundConfig {
  std::string id;
  TenantId tenant_id;
  bool enabled = false;
  std::vector<std::int64_t> allowed_amounts_cents;
  bool custom_amount_allowed = true;
  std::int64_t custom_amount_min_cents = 0;
  std::int64_t custom_amount_max_cents = 0;
  std::optional<std::string> celebration_channel_id;
  std::string celebration_message_template;
  std::string anonymous_message_template;
  bool anonymity_allowed = true;
  std::vector<std::string> disbursement_approval_roles;
  std::string disclaimer_text;
  std::string currency;              // of the whole ledger; cannot change once it has entries
  bool public_view_enabled = false;  // whether totals and contributions are public
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;

  Currency money() const { return Currency::parse(currency).value_or(Currency()); }
};
BOOST_DESCRIBE_STRUCT(FundConfig, (),
                      (id, tenant_id, enabled, allowed_amounts_cents, custom_amount_allowed, custom_amount_min_cents,
                       custom_amount_max_cents, celebration_channel_id, celebration_message_template,
                       anonymous_message_template, anonymity_allowed, disbursement_approval_roles, disclaimer_text,
                       currency, public_view_enabled, created_at, updated_at, version))

constexpr std::size_t template_characters_max = 1000;

struct FundConfigPatch
    : Patch<Inputs<
          Required<&FundConfig::enabled>, Required<&FundConfig::allowed_amounts_cents, std::vector<PositiveCents>>,
          Required<&FundConfig::custom_amount_allowed>, Required<&FundConfig::custom_amount_min_cents, PositiveCents>,
          Required<&FundConfig::custom_amount_max_cents, PositiveCents>,
          Optional<&FundConfig::celebration_channel_id, Key>,
          Required<&FundConfig::celebration_message_template, Text<template_characters_max>>,
          Required<&FundConfig::anonymous_message_template, Text<template_characters_max>>,
          Required<&FundConfig::anonymity_allowed>,
          Required<&FundConfig::disbursement_approval_roles, std::vector<Text<64>>>,
          Required<&FundConfig::disclaimer_text>, Required<&FundConfig::currency, Text<3, 3>>,
          Required<&FundConfig::public_view_enabled>>> {};

FundConfig default_fund_config(const TenantId& tenant, Instant now);

// Applies the patch and checks the whole result. Throws Failure invalid that names every wrong field.
void apply(const FundConfigPatch& patch, FundConfig& config);

// Throws COMMUNITY_FUND_DISABLED.
void require_enabled(const FundConfig& config);

// A member may give one of the presets or, if custom amounts are allowed, an amount in the custom range. Throws
// COMMUNITY_FUND_DISABLED or AMOUNT_NOT_ALLOWED. It does not apply to admins who record a contribution.
void check_donation_amount(const FundConfig& config, Cents amount);

// Throws ANONYMITY_NOT_ALLOWED.
void check_anonymity(const FundConfig& config, bool anonymous);

// Throws forbidden if the patch changes the approval roles and the holder of these permission keys may not approve
// disbursements: otherwise an admin could become an approver without being one.
void require_may_change_roles(const FundConfig& config, const FundConfigPatch& patch,
                              const std::vector<std::string>& permission_keys);

// Whether the holder of these permission keys may approve a disbursement.
bool may_approve(const FundConfig& config, const std::vector<std::string>& permission_keys);

}  // namespace guildhall
