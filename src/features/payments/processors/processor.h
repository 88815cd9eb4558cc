#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "base/json_lookup.h"
#include "features/payments/methods/payment_accounts.h"
#include "features/payments/payment.h"
#include "outbound/http_client.h"

// The interface to payment processors.
namespace guildhall {

// A request to a processor failed. `refused`: the same request would fail again. Otherwise the processor may have
// carried it out, or may do so later.
class ProcessorFailure : public std::runtime_error {
 public:
  ProcessorFailure(const std::string& reason, bool refused, int status = 0)
      : std::runtime_error(reason), refused(refused), status(status) {}
  bool refused;
  int status;             // HTTP status of the answer; 0: none
  bool not_sent = false;  // no request was sent: credentials are missing, or the payment is not the order's
};

// A failure with `refused` and `not_sent`.
ProcessorFailure not_sent(const std::string& reason);

struct Opening {
  std::string payment_id;  // ours; the idempotency key, where the processor supports one
  std::string order_id;
  std::string order_number;
  Cents amount;
  Currency currency;
  std::string return_url;  // the processor sends the customer there afterwards, paid or not
};

struct Opened {
  std::string provider_payment_id;
  std::string checkout_url;
  std::optional<Instant> expires_at{};
};

// The address for coins, for customers who pay without the processor's page.
struct Deposit {
  std::string address;
  std::string amount;  // still due; decimal text in the unit of the coin
};

struct Refunding {
  std::string refund_id;  // ours; the idempotency key
  std::string provider_payment_id;
  std::string reference;  // PaymentReport::reference
  Cents amount;
  Currency currency;
};

struct RefundProgress {
  std::string provider_refund_id;
  bool done = false;  // false: the processor is still working on it
};

// A processor's report of a refund: one that we requested, one of its own (a charge-back), or one that failed.
struct RefundReport {
  std::string reference;  // of the payment
  std::string provider_refund_id;
  std::string amount;  // decimal text
  std::string currency;
  bool failed = false;
};

struct IncomingWebhook {
  std::function<std::string(std::string_view lower_case_name)> header;
  std::string body;
  std::string url;  // the public address that it was sent to
};

// The content of a verified webhook.
struct Notice {
  std::string event_id;  // the same for every delivery; empty: the event is of no interest
  std::optional<PaymentReport> report{};
  std::optional<RefundReport> refund{};
  std::string payment_to_check{};  // the processor's API must be asked about this payment
  bool proven = true;              // false: the signature does not cover the content, so the API is asked first
};

// Thread-safe. All functions but verify and interpret may call the processor: they block, and throw ProcessorFailure.
class Processor {
 public:
  virtual ~Processor() = default;

  // A repeated call with the same payment_id opens no second payment, where the processor supports idempotency.
  virtual Opened open(const Account& account, const Opening& opening) const = 0;

  // The address for the coins of an open payment; nothing if there is none. Only called where the descriptor says that
  // the processor has deposits.
  virtual std::optional<Deposit> deposit(const Account& account, const std::string& provider_payment_id) const;

  // Asks for the payment's state. Captures a payment that the customer has approved, where that is up to us. Only
  // called where the descriptor says that the processor can be polled.
  virtual PaymentReport state(const Account& account, const std::string& provider_payment_id) const;

  // Makes a call that needs the account's credentials and changes nothing. Throws ProcessorFailure if the processor
  // does not accept them.
  virtual void probe(const Account& account) const = 0;

  // Whether the raw bytes are signed with the account's secret. Runs on the loop; throws ProcessorFailure.
  virtual Task<bool> verify(const Account& account, const IncomingWebhook& webhook) const = 0;
  virtual Notice interpret(const JsonLookup& event) const = 0;

  // Asks the API about a refund that an unproven event reports. Returns nothing if there is no such refund or it is not
  // finished. Only called for processors whose events are not proven.
  virtual std::optional<RefundReport> confirmed_refund(const Account& account, const std::string& provider_refund_id,
                                                       const std::string& reference) const;

  // Only called where the descriptor says that the processor refunds. Throw ProcessorFailure `refused` for a refund
  // that has failed.
  virtual RefundProgress refund(const Account& account, const Refunding& refunding) const;
  virtual RefundProgress refund_state(const Account& account, const std::string& provider_refund_id) const;
};

// How much of a payment a processor can return through its API. The shop returns by hand what the API cannot.
enum class RefundSupport { none, whole_payment, any_amount };

// Everything that the rest of the slice must know about a processor. It is defined in the processor's own file and
// listed in processor_list.h.
struct ProcessorDescriptor {
  PaymentProvider provider;
  PaymentMethod method;
  WebhookProvider webhook_provider;
  std::string_view path_name;  // in the address of its webhooks: /api/payments/<path_name>/webhook/:tenantId
  std::string_view label;      // for the shop's customers
  std::string_view product;    // the processor's own name, for the shop
  std::string_view keys_url;   // the page on which the shop finds its keys
  MethodAddress address;
  std::span<const MethodValue> values;
  RefundSupport refunds = RefundSupport::none;  // needs polling: the payment is read before it is refunded
  bool polling = true;                          // its API can be asked for the state of a payment
  bool has_deposits = false;                    // `deposit` can return an address for coins
  bool fetches_certificates = false;            // `verify` fetches from an address that the webhook itself names

  // Certificates of webhooks are fetched on a pool of their own: anybody can send addresses that answer slowly.
  std::unique_ptr<Processor> (*make)(const PaymentConfig& config, WorkerPool& certificate_fetches);
};

// Sends a request to the account's processor and returns the JSON object, or list, of the answer. Throws
// ProcessorFailure; nothing is sent for an account that is not configured.
JsonLookup call_processor(const Account& account, outbound::Request request, std::string_view path);
JsonLookup call_processor_for_list(const Account& account, outbound::Request request, std::string_view path);

// The value at the pointer. Throws ProcessorFailure if the answer does not have it.
std::string required_text(const JsonLookup& answer, std::string_view pointer);

}  // namespace guildhall
