#include "features/payments/payment.h"

namespace guildhall {
namespace {

struct ProviderRow {
  PaymentProvider provider;
  PaymentMethod method;
  WebhookProvider webhook;
  std::string_view path;
};

constexpr ProviderRow providers[] = {
    {PaymentProvider::WALLET, PaymentMethod::WALLET, WebhookProvider::WALLET, "wallet"},
    {PaymentProvider::APPPAY, PaymentMethod::APPPAY, WebhookProvider::APPPAY, "apppay"},
    {PaymentProvider::CRYPTO_COMMERCE, PaymentMethod::CRYPTO_COMMERCE, WebhookProvider::CRYPTO_COMMERCE,
     "crypto-commerce"},
    {PaymentProvider::CRYPTO_GATEWAY, PaymentMethod::BTC_GATEWAY, WebhookProvider::CRYPTO_GATEWAY, "crypto-gateway"},
};

const ProviderRow& row_of(PaymentProvider provider) {
  for (const ProviderRow& row : providers) {
    if (row.provider == provider) return row;
  }
  throw std::logic_error("no processor stands behind this provider");
}

}  // namespace

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
  return status <= PaymentStatus::PROCESSING;
}

bool has_money(PaymentStatus status) {
  return status == PaymentStatus::PAID || status == PaymentStatus::REFUNDED;
}

PaymentProvider provider_of(PaymentMethod method) {
  for (const ProviderRow& row : providers) {
    if (row.method == method) return row.provider;
  }
  throw std::logic_error("no processor stands behind this method");
}

std::optional<PaymentMethod> method_of(PaymentProvider provider) {
  if (provider == PaymentProvider::MANUAL) return std::nullopt;
  return row_of(provider).method;
}

WebhookProvider webhook_provider_of(PaymentProvider provider) {
  return row_of(provider).webhook;
}

std::optional<PaymentProvider> provider_in_path(std::string_view name) {
  for (const ProviderRow& row : providers) {
    if (row.path == name) return row.provider;
  }
  return std::nullopt;
}

std::string_view path_name_of(PaymentProvider provider) {
  return row_of(provider).path;
}

}  // namespace guildhall
