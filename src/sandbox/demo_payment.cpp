#include "sandbox/demo_payment.h"

#include <regex>

namespace guildhall::sandbox {
namespace {

constexpr std::string_view transaction_suffix = "-C";

}  // namespace

std::string demo_payment_id(const std::string& order_number, Cents amount, Currency currency) {
  return fmt::format("DEMO-{}-{}-{}", order_number, amount.value(), currency.code());
}

std::string demo_transaction_of(const std::string& payment_id) {
  return fmt::format("{}{}", payment_id, transaction_suffix);
}

std::optional<Payment> demo_payment(std::string_view id) {
  static const std::regex form("DEMO-([A-Z]+-[0-9]{1,9})-([0-9]{1,12})-([A-Z]{3})");
  if (id.ends_with(transaction_suffix)) id.remove_suffix(transaction_suffix.size());
  const std::string text(id);
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return std::nullopt;
  const auto currency = Currency::parse(parts[3].str());
  if (!currency) return std::nullopt;
  const Cents amount(std::stoll(parts[2].str()));
  return Payment{.id = text,
                 .tenant = "",
                 .order_id = "",
                 .order_number = parts[1].str(),
                 .currency = *currency,
                 .amount = amount,
                 .paid = amount,
                 .status = PaymentStatus::PAID,
                 .transaction = demo_transaction_of(text)};
}

}  // namespace guildhall::sandbox
