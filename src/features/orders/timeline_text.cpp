#include "features/orders/timeline_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/money_text.h"

namespace guildhall::timeline_text {
namespace {

struct Label {
  std::string_view key;
  std::string_view label;
  bool is_amount = false;
};

constexpr std::array labels{
    Label{"items", "items"},
    Label{"currency", "currency"},
    Label{"customer", "customer"},
    Label{"customerId", "customer's record"},
    Label{"customerRoleIds", "customer's roles"},
    Label{"subtotalCents", "subtotal", true},
    Label{"discountAmountCents", "discount", true},
    Label{"taxAmountCents", "tax", true},
    Label{"totalCents", "total", true},
    Label{"shippingAddress", "shipping address"},
    Label{"notes", "notes"},
    Label{"anonymousContribution", "anonymity of the contribution"},
    Label{"metadata", "data of other programs"},
    Label{"(more)", "more fields"},
};

// The entry of a field, also of one of its elements (`items[2]`); null for a field without a label.
const Label* label_of(std::string_view key) {
  const std::string_view field = key.substr(0, key.find('['));
  const auto* found = std::find_if(labels.begin(), labels.end(), [&](const Label& each) { return each.key == field; });
  return found == labels.end() ? nullptr : found;
}

}  // namespace

std::string money(std::optional<std::int64_t> cents, std::string_view currency_code, Currency otherwise) {
  const std::int64_t amount = std::clamp<std::int64_t>(cents.value_or(0), 0, Cents::value_max);
  return money_text(Cents(amount), Currency::parse(currency_code).value_or(otherwise));
}

std::string words(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == '_') c = ' ';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string parcel(std::string_view status, const std::string& carrier, const std::string& tracking_number) {
  std::string details = carrier;
  if (!tracking_number.empty()) {
    details += fmt::format("{}tracking number {}", details.empty() ? "" : ", ", tracking_number);
  }
  if (!details.empty()) details = " (" + details + ")";
  if (status == "PENDING") return fmt::format("A parcel is being prepared{}.", details);
  if (status == "LABEL_CREATED") return fmt::format("The label of a parcel was made{}.", details);
  if (status == "SHIPPED") return fmt::format("A parcel was shipped{}.", details);
  if (status == "DELIVERED") return fmt::format("A parcel was delivered{}.", details);
  if (status == "FAILED") return fmt::format("A parcel could not be delivered{}.", details);
  return tracking_number.empty() ? "The tracking number of a parcel was removed."
                                 : fmt::format("A parcel got its tracking number{}.", details);
}

std::string refund(const JsonLookup& refund) {
  const std::string amount = money(refund.integer("/amountCents"), refund.text("/currency"), Currency());
  const std::string status = refund.text("/status"), reason = refund.text("/reason"), error = refund.text("/error");
  std::string text;
  if (status == "FAILED") {
    text = fmt::format("The refund of {} failed{}{}.", amount, error.empty() ? "" : ": ", error);
  } else if (status == "PENDING") {
    text = fmt::format("A refund of {} was requested from the payment processor.", amount);
  } else if (refund.text("/throughProcessor") == "true") {
    text = fmt::format("The payment processor has refunded {}.", amount);
  } else {
    text = fmt::format("A refund of {} was recorded. The shop returns the money by hand.", amount);
  }
  if (!reason.empty()) text += fmt::format(" Reason: {}", reason);
  return text;
}

std::string edited(const std::vector<EditedField>& fields, Currency currency) {
  std::string amounts, others;
  for (const auto& [key, change] : fields) {
    const Label* label = label_of(key);
    const std::string_view name = label == nullptr ? key : label->label;
    if (label != nullptr && label->is_amount) {
      amounts +=
          fmt::format("{}The {} changed from {} to {}.", amounts.empty() ? "" : " ", name,
                      money(change.integer("/before"), "", currency), money(change.integer("/after"), "", currency));
    } else if (others.find(name) == std::string::npos) {  // of a list several elements may have changed
      others += fmt::format("{}{}", others.empty() ? "" : ", ", name);
    }
  }
  if (!others.empty()) others = fmt::format("Edited: {}.", others);
  return others + (others.empty() || amounts.empty() ? "" : " ") + amounts;
}

}  // namespace guildhall::timeline_text
