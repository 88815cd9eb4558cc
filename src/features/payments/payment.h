#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "base/field_types.h"
#include "features/orders/order_status.h"
#include "features/payments/methods/payment_method.h"
#include "features/webhooks/webhook_event.h"

// Payments, and the rules for what a processor's report means for the payment's order. Pure: no clock, no database.
namespace guildhall {

using PaymentId = Id<struct PaymentTag>;
using RefundId = Id<struct RefundTag>;

enum class PaymentStatus {
  OPENING,     // the processor is being asked to open it
  OPEN,        // the customer can pay
  PROCESSING,  // the processor has seen the money and has not confirmed it yet
  PAID,
  REFUNDED,  // all of it
  EXPIRED,
  FAILED,
};
BOOST_DESCRIBE_ENUM(PaymentStatus, OPENING, OPEN, PROCESSING, PAID, REFUNDED, EXPIRED, FAILED)

enum class Attention {
  UNDERPAID,
  OVERPAID,
  CURRENCY_MISMATCH,
  UNKNOWN_ORDER,
  LATE,
  DUPLICATE,
  REFUND_FAILED,  // a refund failed after its request had ended; the amount can be refunded again
  FUND_SHORT,     // the payment was returned, and the community fund had spent some of it
};
BOOST_DESCRIBE_ENUM(Attention, UNDERPAID, OVERPAID, CURRENCY_MISMATCH, UNKNOWN_ORDER, LATE, DUPLICATE, REFUND_FAILED,
                    FUND_SHORT)

struct Payment {
  PaymentId id;
  Hidden<TenantId> tenant_id;
  OrderId order_id;  // empty: the tenant has no such order
  PaymentProvider provider;
  std::optional<std::string> provider_payment_id;
  PaymentStatus status = PaymentStatus::OPENING;
  Cents amount_cents;  // the amount received; until then the amount requested
  std::string currency;
  Cents expected_cents;
  std::string expected_currency;
  Cents refunded_cents;
  std::optional<Attention> attention;
  Instant created_at;
  Instant updated_at;
  Hidden<std::optional<std::string>> checkout_url;
  Hidden<std::optional<std::string>> provider_reference;
  Hidden<std::optional<Instant>> expires_at;
  Hidden<std::optional<Instant>> claimed_until;
  Hidden<std::optional<Instant>> checked_at;
  Hidden<std::optional<std::string>> error;
  std::optional<std::string> claimed_order_id;  // the order that the processor named, even if there is none
  Hidden<bool> confirmed{true};                 // false: only a webhook has reported it; never refunded through the API
  Hidden<std::int64_t> version;
  Hidden<std::optional<AccountOwner>>
      opened_with{};  // of an unconfirmed payment: whose webhook reported it; null: unknown

  // Only a payment that we opened has a checkout page.
  bool opened_by_us() const { return checkout_url.value.has_value(); }

  // Only statements made with an account of this owner may change the payment. A payment whose owner is unknown is
  // taken to belong to the account in use.
  bool belongs_to(AccountOwner owner) const { return opened_with.value.value_or(owner) == owner; }
};
BOOST_DESCRIBE_STRUCT(Payment, (),
                      (id, tenant_id, order_id, provider, provider_payment_id, status, amount_cents, currency,
                       expected_cents, expected_currency, refunded_cents, attention, created_at, updated_at,
                       checkout_url, provider_reference, expires_at, claimed_until, checked_at, error, claimed_order_id,
                       confirmed, version, opened_with))

// A payment as the API shows it.
struct PaymentView {
  PaymentId id;
  std::optional<OrderId> order_id;  // null: the tenant has no such order
  std::optional<std::string> claimed_order_id;
  PaymentProvider provider;
  std::optional<std::string> provider_payment_id;
  PaymentStatus status = PaymentStatus::OPENING;
  Cents amount_cents;
  std::string currency;
  Cents expected_cents;
  std::string expected_currency;
  Cents refunded_cents;
  std::optional<Attention> attention;
  Instant created_at;
  Instant updated_at;
};
BOOST_DESCRIBE_STRUCT(PaymentView, (),
                      (id, order_id, claimed_order_id, provider, provider_payment_id, status, amount_cents, currency,
                       expected_cents, expected_currency, refunded_cents, attention, created_at, updated_at))

PaymentView view_of(const Payment& payment);

// How a report reached us. A webhook proves less than the API: a tenant that knows its own webhook secret can sign any
// statement, also one about another shop's payment.
enum class ReportSource { webhook, api };
struct ReportOrigin {
  ReportSource source;
  AccountOwner owner;  // of the account that verified the webhook, or that the API was asked with
};

// A processor's report of a payment's state.
struct PaymentReport {
  enum class Kind {
    waiting,     // no money was received
    processing,  // money was seen and is not confirmed yet
    paid,
    expired,
    failed,
  };

  Kind kind = Kind::waiting;
  std::string provider_payment_id;
  std::string order_id{};               // our order id as the processor knows it; may be empty
  std::optional<std::string> amount{};  // decimal text, as received
  std::string currency{};
  std::string reference{};          // identifies the money in a refund request
  std::optional<Attention> hint{};  // the problem that the processor itself reports
};

// The part of an order's total that is not paid yet.
struct Owed {
  OrderStatus status = OrderStatus::PENDING_PAYMENT;
  Cents cents;
  Currency currency;
};

struct Judgement {
  bool pays = false;  // the order becomes paid
  std::optional<Attention> attention;
};

// Decides whether the money received pays the order, and how the payment is flagged. `owed` is null for an unknown
// order; `was_over` means that the payment had expired or failed before. An overpayment pays the order and is flagged.
Judgement judge(const Owed* owed, std::optional<Cents> received, std::string_view currency,
                std::optional<Attention> hint, bool was_over);

bool is_live(PaymentStatus status);    // OPENING, OPEN or PROCESSING
bool has_money(PaymentStatus status);  // PAID or REFUNDED

}  // namespace guildhall
