#pragma once

#include "features/orders/order.h"
#include "features/payments/payment.h"
#include "outbox/events.h"
#include "storage/database.h"

// The actions on payments. Each runs in the caller's transaction. Every report of a processor, from a webhook or from
// its API, goes through settle_payment.
namespace guildhall {

// Applies a processor's report to the payment that has the provider's id. Idempotent. A payment in full makes its order
// paid; any other amount is recorded and flagged. A payment that only a webhook reports is recorded as unconfirmed, and
// pays nothing until the API confirms it. A report from an account of another owner than the payment's
// changes nothing.
void settle_payment(const ActionContext& context, PaymentProvider provider, const PaymentReport& report,
                    const ReportOrigin& origin);

// The same with the payment that has the provider's id, as read in this transaction; null: there is none.
void settle_payment(const ActionContext& context, PaymentProvider provider, const Payment* known,
                    const PaymentReport& report, const ReportOrigin& origin);

// Removes the flag of a payment; the note is kept in the audit trail. Throws not_found, NOTHING_TO_RESOLVE.
Payment resolve_attention(const ActionContext& context, const PaymentId& id, const std::string& note);

// Result of claiming a payment to open it.
struct OpeningClaim {
  enum class Kind {
    open,         // the caller, and nobody else, opens this payment with the processor
    wait,         // another request is opening the payment
    ready,        // the payment is open: send the customer to its checkout_url
    not_payable,  // the order is paid, cancelled or gone, or its payment is being processed
  };
  Kind kind;
  Payment payment{};
};

// After the lease another request may take the claim. It opens the payment with the same payment id, so that a
// processor that supports idempotency opens no second one.
constexpr std::chrono::seconds opening_lease{45};

// `owner` is the owner of the account that the caller opens the payment with.
OpeningClaim claim_opening(const ActionContext& context, const Order& order, PaymentProvider provider,
                           AccountOwner owner);

// The processor's answer to the request to open a payment.
struct OpenedPayment {
  std::string provider_payment_id;
  std::string checkout_url;
  std::optional<Instant> expires_at;
};
// Records that the payment is open. A webhook may have reported its money before the answer came: that money counts
// from now on. `check_at` is when the processor is asked about the payment; nothing where it cannot be asked.
void finish_opening(const ActionContext& context, const Payment& claimed, const OpenedPayment& opened,
                    std::optional<Instant> check_at);

// Records that the payment could not be opened, and releases the claim. A payment that the processor refuses is FAILED.
void fail_opening(const ActionContext& context, const Payment& claimed, const std::string& reason, bool refused);

// Work for the outbox: asks the processor about a payment, or about a refund that an event reported.
constexpr std::string_view payment_check_topic = "payment.check";

struct CheckMessage {
  PaymentProvider provider;
  std::string provider_payment_id{};
  bool follow_up = false;  // repeated while the payment is live
  std::optional<std::string> provider_refund_id{};
  std::optional<std::string> refunded_reference{};  // the money that was refunded, as the event names it
  std::optional<AccountOwner> owner{};              // of the account that signed the event; it alone may be asked
};
BOOST_DESCRIBE_STRUCT(CheckMessage, (),
                      (provider, provider_payment_id, follow_up, provider_refund_id, refunded_reference, owner))

void queue_check(Tx& tx, const TenantId& tenant, const CheckMessage& message, Instant due, Instant now);

}  // namespace guildhall
