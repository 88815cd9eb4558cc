#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "features/messages/message_settings.h"

// Alerts to the people who run a shop. Each person chooses the alerts and their media.
namespace guildhall {

enum class AlertKind {
  NEW_ORDER,
  LOW_STOCK,
  FLAGGED_PAYMENT,
  KEYS_MISSING,  // a buyer has paid for keys that the pool does not have
};
BOOST_DESCRIBE_ENUM(AlertKind, NEW_ORDER, LOW_STOCK, FLAGGED_PAYMENT, KEYS_MISSING)

constexpr AlertKind alert_kinds[] = {AlertKind::NEW_ORDER, AlertKind::LOW_STOCK, AlertKind::FLAGGED_PAYMENT,
                                     AlertKind::KEYS_MISSING};

constexpr std::int64_t alerted_people_max = 50;   // of a shop
constexpr std::int64_t alerts_per_hour_max = 60;  // to one person of a shop; further ones are not sent

inline std::int64_t alert_hour(Instant at) {
  constexpr std::int64_t ms_an_hour = 3'600'000;
  return at.ms / ms_an_hour;
}

struct AlertSwitch {
  AlertKind kind = AlertKind::NEW_ORDER;
  bool direct = false;
  bool email = false;
  bool push = false;
};
BOOST_DESCRIBE_STRUCT(AlertSwitch, (), (kind, direct, email, push))

// A person of a shop. The person's record may belong to another tenant, and ids are unique only within a tenant.
struct AlertedPerson {
  TenantId user_tenant;
  UserId user;

  bool operator==(const AlertedPerson&) const = default;
};

struct AlertSettings {
  TenantId tenant_id;
  Hidden<TenantId> user_tenant_id;
  UserId user_id;
  std::optional<std::string> locale;  // of the person's alerts; null: en
  std::vector<AlertSwitch> kinds;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::int64_t> sent_hour;
  Hidden<std::int64_t> sent_count;

  AlertSwitch switch_of(AlertKind kind) const;
  bool is_at_limit(Instant now) const;  // the person got as many alerts in this hour as one may get
};
BOOST_DESCRIBE_STRUCT(AlertSettings, (),
                      (tenant_id, user_tenant_id, user_id, locale, kinds, updated_at, version, sent_hour, sent_count))

struct AlertSwitchPatch {
  AlertKind kind = AlertKind::NEW_ORDER;
  Change<bool> direct;
  Change<bool> email;
  Change<bool> push;
};
BOOST_DESCRIBE_STRUCT(AlertSwitchPatch, (), (kind, direct, email, push))

struct AlertSettingsPatch {
  using Record = AlertSettings;
  Change<std::optional<Locale>> locale;
  Change<std::vector<AlertSwitchPatch>> kinds;  // the others stay
};
BOOST_DESCRIBE_STRUCT(AlertSettingsPatch, (), (locale, kinds))

void apply(const AlertSettingsPatch& patch, AlertSettings& settings);

// An alert whose text is made when it is sent.
struct Alert {
  AlertKind kind = AlertKind::NEW_ORDER;
  std::string user_tenant_id{};
  std::string user_id{};
  std::optional<std::string> order_id{};
  std::optional<std::string> product_id{};
  std::optional<std::string> payment_id{};
  std::optional<std::string> subscription_id{};  // of one of the person's browsers

  AlertedPerson person() const { return {TenantId(user_tenant_id), UserId(user_id)}; }
};
BOOST_DESCRIBE_STRUCT(Alert, (), (kind, user_tenant_id, user_id, order_id, product_id, payment_id, subscription_id))

}  // namespace guildhall
