#include "features/catalog/membership_terms.h"

#include <algorithm>

namespace guildhall {

namespace {

// Whether a member of the terms is valid by itself. Absent ones are.
template <class T>
bool is_valid(JsonValue terms, std::string_view field) {
  JsonValue value;
  if (terms[field].get(value) != simdjson::SUCCESS) return true;
  T ignored{};
  Decoder decoder;
  Codec<T>::decode(value, ignored, decoder);
  return decoder.ok();
}

}  // namespace

void Codec<MembershipTerms>::decode(JsonValue value, MembershipTerms& out, Decoder& decoder) {
  decode_object(value, &out, fields_of<MembershipTerms>(), {}, decoder);
  if (decoder.from_store() || !value.is_object()) return;
  const auto problem_of = [&](std::string_view field, std::string_view message) {
    const Decoder::Step step(decoder, field);
    decoder.problem(message);
  };
  if (out.period_days && out.period_months) problem_of("periodMonths", "must be left out, because periodDays is given");
  if (!out.period_days && !out.period_months) problem_of("periodDays", "is required, or periodMonths is");
  if (!is_valid<decltype(out.reminder_days)>(value, "reminderDays")) return;
  auto& reminders = out.reminder_days.value;
  std::sort(reminders.begin(), reminders.end(), std::greater<std::int64_t>());
  if (reminders.size() > reminders_max) problem_of("reminderDays", "must have at most 10 elements");
  if (std::adjacent_find(reminders.begin(), reminders.end(), std::equal_to<std::int64_t>()) != reminders.end()) {
    problem_of("reminderDays", "must not have the same number twice");
  }
  if (out.renewal == MembershipRenewal::invoice && reminders.empty() &&
      is_valid<decltype(out.renewal)>(value, "renewal")) {
    problem_of("reminderDays", "must have at least one element, because the invoice comes with the first reminder");
  }
}

}  // namespace guildhall
