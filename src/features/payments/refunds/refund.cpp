#include "features/payments/refunds/refund.h"

#include <algorithm>

#include "features/payments/refunds/refund_events.h"

namespace guildhall {

Cents refundable_amount(const Payment& payment) {
  return has_money(payment.status) ? payment.amount_cents - payment.refunded_cents : Cents();
}

Failure refund_not_possible(std::string_view reason) {
  return bad_request("REFUND_NOT_POSSIBLE",
                     fmt::format("{} Return the money by hand, with the processor, and resolve the payment.", reason));
}

std::vector<RefundShare> split_refund(const std::vector<Payment>& payments, std::optional<Cents> amount,
                                      std::string_view currency) {
  std::vector<RefundShare> shares;
  Cents held;
  for (std::size_t i = 0; i < payments.size(); ++i) {
    const bool counts = !amount || payments[i].currency == currency;
    if (!counts || refundable_amount(payments[i]) == Cents()) continue;
    shares.push_back({i, refundable_amount(payments[i])});
    held += refundable_amount(payments[i]);
  }
  if (shares.empty()) throw bad_request("NOTHING_TO_REFUND", "Nothing was paid that has not been returned.");
  if (!amount) return shares;
  if (*amount > held) {
    throw bad_request("REFUND_EXCEEDS_PAYMENT", "More would be returned than was paid and has not been returned.");
  }
  std::stable_sort(shares.begin(), shares.end(), [&](const RefundShare& a, const RefundShare& b) {
    return payments[a.payment].attention.has_value() > payments[b.payment].attention.has_value();
  });
  Cents open = *amount;
  for (RefundShare& share : shares) {
    share.amount = std::min(share.amount, open);
    open -= share.amount;
  }
  std::erase_if(shares, [](const RefundShare& share) { return share.amount == Cents(); });
  return shares;
}

RefundPayload payload_of(const Refund& refund) {
  return {.refund_id = refund.id.text(),
          .order_id = refund.order_id.text(),
          .payment_id = refund.payment_id.text(),
          .amount_cents = refund.amount_cents.value(),
          .currency = refund.currency,
          .status = std::string(name_of(refund.status)),
          .through_processor = refund.through_processor,
          .reason = refund.reason,
          .error = refund.error};
}

}  // namespace guildhall
