#pragma once

#include <deque>
#include <functional>

#include "base/currency.h"
#include "base/money.h"
#include "sandbox/party.h"

// The payment processors.
namespace guildhall::sandbox {

// SEEN: the money is on its way. APPROVED: the customer agrees, and the server has to capture the money.
enum class PaymentStatus { OPEN, SEEN, PARTLY_PAID, APPROVED, PAID, EXPIRED, REFUNDED, DISPUTED };
BOOST_DESCRIBE_ENUM(PaymentStatus, OPEN, SEEN, PARTLY_PAID, APPROVED, PAID, EXPIRED, REFUNDED, DISPUTED)

enum class RefundStatus { PENDING, COMPLETED, FAILED };
BOOST_DESCRIBE_ENUM(RefundStatus, PENDING, COMPLETED, FAILED)

struct Refund {
  std::string id;
  std::string key;  // the caller's idempotency key; empty: the processor's own refund
  Cents amount;
  RefundStatus status = RefundStatus::COMPLETED;
  bool disputed = false;
};

struct Payment {
  std::string id;        // the processor's
  std::string tenant;    // empty: the processor does not know it
  std::string order_id;  // empty: the processor does not know it
  std::string order_number;
  std::string key{};  // the caller's idempotency key; empty: none
  std::string return_url{};
  Currency currency{};
  Cents amount{};
  Cents paid{};
  Cents refunded{};
  PaymentStatus status = PaymentStatus::OPEN;
  bool late = false;          // paid after it had expired
  std::string transaction{};  // the processor's id of the movement of money
  std::string address{};      // for coins
  std::string code{};         // a second id, where the processor has one
  std::vector<Refund> refunds{};
  Instant created_at{};
  std::optional<Instant> expires_at{};
};

// A processor with its payments. Payments of the past are dropped when there are too many.
class Processor : public Party {
 public:
  static constexpr std::size_t payments_max = 5000;

  // `webhook_name` is its name in the server's address of its webhooks.
  Processor(World& world, std::string name, std::string title, std::string method, std::string webhook_name)
      : Party(world, std::move(name), std::move(title)),
        method(std::move(method)),
        webhook_name_(std::move(webhook_name)) {}

  // The actions of a person that the payment allows: see, pay, payPart, overpay, payLate, expire, refund, dispute,
  // completeRefund, failRefund.
  std::vector<std::string_view> actions(const Payment& payment) const;

  // Carries out such an action and returns the webhooks that announce it. Throws Failure.
  std::vector<Webhook> act(Payment& payment, std::string_view action, std::optional<Cents> amount);

  // Lets the open payments expire whose time is over, and returns the webhooks that announce it.
  std::vector<Webhook> expire_overdue();

  Payment& add(Payment payment);
  Payment* find(std::string_view id);  // null: unknown
  const std::deque<Payment>& payments() const { return payments_; }

  const std::string method;  // the server's name of the payment method

 protected:
  Payment* find_by_key(std::string_view key);
  // Like find(), but a payment of the demo shop is known, too, although it was made before the sandbox started.
  Payment* recall(std::string_view id);
  Payment* recall_by_transaction(std::string_view transaction);
  Payment* find_by_refund(std::string_view refund);
  json::Value newest(const std::function<json::Value(const Payment&)>& shown) const;  // a list, newest first
  std::string checkout_url(const Payment& payment) const;
  std::string webhook_path(const Payment& payment) const;
  Webhook webhook(const Payment& payment, const json::Value& body) const;

  // Returns money: the refund with this key, which is made unless it exists already. Null: there is not that much left.
  Refund* refund(Payment& payment, Cents amount, const std::string& key, std::string id);

  // Money has arrived. Changes the status, and returns the events.
  virtual std::vector<json::Value> receive(Payment& payment, Cents amount);
  virtual std::vector<json::Value> see(Payment& payment);
  virtual std::vector<json::Value> seen_events(const Payment&) { return {}; }
  virtual std::vector<json::Value> paid_events(const Payment& payment) = 0;
  virtual std::vector<json::Value> expired_events(const Payment& payment) = 0;
  virtual std::vector<json::Value> refunded_events(const Payment&, const Refund&) { return {}; }
  virtual std::string new_refund_id() const { return {}; }

  // The abilities of the processor.
  virtual bool collects_parts() const { return false; }  // several payments may add up to the amount
  virtual bool takes_late_payments() const { return false; }
  virtual bool returns_money() const { return false; }
  virtual bool sees_money_first() const { return false; }  // a payment is announced before it is confirmed

 private:
  std::vector<json::Value> return_money(Payment& payment, std::optional<Cents> amount, bool disputed);
  std::vector<json::Value> end_refund(Payment& payment, RefundStatus status);

  const std::string webhook_name_;
  std::deque<Payment> payments_;
};

// Ids that the server has to be configured with.
inline constexpr std::string_view gateway_store = "sandbox-store", wallet_webhook = "sandbox-webhook",
                                  card_location = "sandbox-location";
inline constexpr std::string_view wallet_certificates_path = "/v1/notifications/certs",
                                  wallet_certificate = "CERT-SANDBOX";

std::unique_ptr<Processor> make_gateway(World& world);
std::unique_ptr<Processor> make_commerce(World& world);
std::unique_ptr<Processor> make_wallet(World& world);
std::unique_ptr<Processor> make_card(World& world);
std::vector<std::unique_ptr<Processor>> all_processors(World& world);

// `Order 17` → `17`
std::string order_number_in(std::string_view description);

}  // namespace guildhall::sandbox
