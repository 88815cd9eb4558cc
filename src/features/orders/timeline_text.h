#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/currency.h"
#include "base/json_lookup.h"

// The sentences of an order's timeline. They are for the shop's owner: no field names, amounts with their currency.
namespace guildhall::timeline_text {

// An amount in the named currency; without a known one in `otherwise`.
std::string money(std::optional<std::int64_t> cents, std::string_view currency_code, Currency otherwise);

// A value of an enum as words: `PENDING_PAYMENT` becomes `pending payment`.
std::string words(std::string_view name);

// An event of a parcel. `status` is empty if only its tracking number has changed.
std::string parcel(std::string_view status, const std::string& carrier, const std::string& tracking_number);

// `refund` is a RefundMoment.
std::string refund(const JsonLookup& refund);

// A sentence for each field of an order that was edited; `fields` are pairs of its key and its change.
struct EditedField {
  std::string_view key;
  const JsonLookup& change;  // {"before": …, "after": …}
};
std::string edited(const std::vector<EditedField>& fields, Currency currency);

}  // namespace guildhall::timeline_text
