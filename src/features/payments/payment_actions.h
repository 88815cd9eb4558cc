#pragma once

#include "features/orders/order.h"
#include "features/payments/payment.h"
#include "outbox/events.h"
#include "storage/database.h"

// Changes of payments, inside the caller's transaction. Every report of a processor (a webhook, the answer to a
// question of ours) goes through settle_payment.
namespace guildhall {

// Applies a processor's report to the payment that has the provider's id. Idempotent. A payment in full makes its order
// paid; anything else about the money is kept and flagged. A payment that a webhook alone tells us of is recorded as
// unconfirmed, and pays nothing until the API confirms it. A report from an account of another owner than the payment's
// changes nothing.
void settle_payment(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, PaymentProvider provider,
                    const PaymentReport& report, const ReportOrigin& origin, Instant now);

// The same with the payment that has the provider's id, as read in this transaction; null: there is none.
void settle_payment(const ActionContext& change, PaymentProvider provider, const Payment* known,
                    const PaymentReport& report, const ReportOrigin& origin);

// Somebody has looked at a flagged payment: the flag goes, and the note stays in the audit trail. Throws not_found,
// NOTHING_TO_RESOLVE.
Payment resolve_attention(Tx& tx, const TenantId& tenant, const Actor& actor, const PaymentId& id,
                          const std::string& note, Instant now);

// What a wish to pay comes to.
struct OpeningClaim {
  enum class Kind {
    open,         // the caller opens this payment with the processor, and nobody else does
    wait,         // somebody else is at it
    ready,        // it is open: go to its checkout_url
    not_payable,  // the order is paid, cancelled or gone, or its payment is being processed
  };
  Kind kind;
  Payment payment{};
};

// A claim that has not been used within the lease is somebody else's to take, with the same payment id, so that a
// processor that knows idempotency makes no second one.
constexpr std::chrono::seconds opening_lease{45};

// `owner` is the owner of the account that the caller opens the payment with.
OpeningClaim claim_opening(Tx& tx, const Actor& actor, const Order& order, PaymentProvider provider, AccountOwner owner,
                           Instant now);

// The processor has opened it. Its webhook may have been quicker, and then the money counts from here on.
struct OpenedPayment {
  std::string provider_payment_id;
  std::string checkout_url;
  std::optional<Instant> expires_at;
};
// `check_at` is when the processor is asked about the payment; nothing where it cannot be asked.
void finish_opening(Tx& tx, const Events& events, const Actor& actor, const Payment& claimed,
                    const OpenedPayment& opened, std::optional<Instant> check_at, Instant now);

// It has not. The claim is free again; a payment that the processor refuses is over.
void give_up_opening(Tx& tx, const Actor& actor, const Payment& claimed, const std::string& reason, bool refused,
                     Instant now);

// Work for the outbox: ask the processor about a payment, or about a refund that an event told us of.
constexpr std::string_view payment_check_topic = "payment.check";

struct CheckMessage {
  PaymentProvider provider = PaymentProvider::WALLET;
  std::string provider_payment_id{};
  bool follow_up = false;  // asks again and again while the payment is live
  std::optional<std::string> provider_refund_id{};
  std::optional<std::string> refunded_reference{};  // the capture that the event names for the refund
};
BOOST_DESCRIBE_STRUCT(CheckMessage, (),
                      (provider, provider_payment_id, follow_up, provider_refund_id, refunded_reference))

void queue_check(Tx& tx, const TenantId& tenant, const CheckMessage& message, Instant due, Instant now);

}  // namespace guildhall
