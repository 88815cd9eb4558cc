#include "features/messages/alerts/alert.h"

#include <algorithm>

namespace guildhall {

bool AlertSettings::is_at_limit(Instant now) const {
  return sent_hour.value == alert_hour(now) && sent_count.value >= alerts_per_hour_max;
}

AlertSwitch AlertSettings::switch_of(AlertKind kind) const {
  const auto found = std::ranges::find(kinds, kind, &AlertSwitch::kind);
  return found == kinds.end() ? AlertSwitch{.kind = kind} : *found;
}

void apply(const AlertSettingsPatch& patch, AlertSettings& settings) {
  if (patch.locale) {
    settings.locale.reset();
    if (*patch.locale) settings.locale = (*patch.locale)->value;
  }
  std::vector<AlertSwitch> kinds;
  for (const AlertKind kind : alert_kinds) kinds.push_back(settings.switch_of(kind));
  if (patch.kinds) {
    for (const AlertSwitchPatch& change : *patch.kinds) {
      AlertSwitch& present = *std::ranges::find(kinds, change.kind, &AlertSwitch::kind);
      change.direct.apply_to(present.direct);
      change.email.apply_to(present.email);
      change.push.apply_to(present.push);
    }
  }
  settings.kinds = std::move(kinds);
}

}  // namespace guildhall
