#include "features/catalog/membership_terms.h"

#include <algorithm>

namespace guildhall {

void Codec<MembershipTerms>::decode(JsonValue value, MembershipTerms& out, Decoder& decoder) {
  const std::size_t problems = decoder.problem_count();
  decode_object(value, &out, fields_of<MembershipTerms>(), {}, decoder);
  if (decoder.from_store() || decoder.problem_count() > problems) return;
  const auto problem_of = [&](std::string_view field, std::string_view message) {
    const Decoder::Step step(decoder, field);
    decoder.problem(message);
  };
  if (out.period_days && out.period_months) problem_of("periodMonths", "must be left out, because periodDays is given");
  if (!out.period_days && !out.period_months) problem_of("periodDays", "is required, or periodMonths is");
  auto& reminders = out.reminder_days.value;
  std::sort(reminders.begin(), reminders.end(), std::greater<std::int64_t>());
  if (reminders.size() > reminders_max) problem_of("reminderDays", "must have at most 10 elements");
  if (std::adjacent_find(reminders.begin(), reminders.end(), std::equal_to<std::int64_t>()) != reminders.end()) {
    problem_of("reminderDays", "must not have the same number twice");
  }
  if (out.renewal == MembershipRenewal::invoice && reminders.empty()) {
    problem_of("reminderDays", "must have at least one element, because the invoice comes with the first reminder");
  }
}

}  // namespace guildhall
