#include "features/payments/payment.h"

namespace guildhall {

PaymentView view_of(const Payment& payment) {
  return {.id = payment.id,
          .order_id = payment.order_id.empty() ? std::nullopt : std::optional(payment.order_id),
          .claimed_order_id = payment.claimed_order_id,
          .provider = payment.provider,
          .provider_payment_id = payment.provider_payment_id,
          .status = payment.status,
          .amount_cents = payment.amount_cents,
          .currency = payment.currency,
          .expected_cents = payment.expected_cents,
          .expected_currency = payment.expected_currency,
          .refunded_cents = payment.refunded_cents,
          .attention = payment.attention,
          .created_at = payment.created_at,
          .updated_at = payment.updated_at};
}

Judgement judge(const Owed* owed, std::optional<Cents> received, std::string_view currency,
                std::optional<Attention> hint, bool was_over) {
  if (owed == nullptr) return {false, Attention::UNKNOWN_ORDER};
  if (owed->status == OrderStatus::CANCELLED || owed->status == OrderStatus::REFUNDED) return {false, Attention::LATE};
  if (owed->status != OrderStatus::PENDING_PAYMENT) return {false, Attention::DUPLICATE};
  if (currency != owed->currency.code()) return {false, Attention::CURRENCY_MISMATCH};
  if (!received || *received < owed->cents || hint == Attention::UNDERPAID) return {false, Attention::UNDERPAID};
  if (*received > owed->cents || hint == Attention::OVERPAID) return {true, Attention::OVERPAID};
  if (was_over || hint == Attention::LATE) return {true, Attention::LATE};
  return {true, std::nullopt};
}

bool is_live(PaymentStatus status) {
  return status == PaymentStatus::OPENING || status == PaymentStatus::OPEN || status == PaymentStatus::PROCESSING;
}

bool has_money(PaymentStatus status) {
  return status == PaymentStatus::PAID || status == PaymentStatus::REFUNDED;
}

}  // namespace guildhall
