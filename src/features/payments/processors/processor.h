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

// What we ask of a payment processor, and what it tells us. One implementation for each.
namespace guildhall {

// The processor did not do what we asked. `refused`: asking again brings the same answer; otherwise it may have done
// it, or will later.
class ProcessorFailure : public std::runtime_error {
 public:
  ProcessorFailure(const std::string& reason, bool refused, int status = 0)
      : std::runtime_error(reason), refused(refused), status(status) {}
  bool refused;
  int status;             // of the answer, if there was one
  bool not_sent = false;  // we did not ask: the account lacks credentials, or the payment is not the order's
};

// For what we do not ask a processor at all.
ProcessorFailure not_sent(const std::string& reason);

struct Opening {
  std::string payment_id;  // ours: the idempotency key where the processor knows such a thing
  std::string order_id;
  std::string order_number;
  Cents amount;
  Currency currency;
  std::string return_url;  // where the customer comes back to, having paid or not
};

struct Opened {
  std::string provider_payment_id;
  std::string checkout_url;
  std::optional<Instant> expires_at{};
};

// Where coins are to be sent, for those who pay without the processor's page.
struct Deposit {
  std::string address;
  std::string amount;  // still due: decimal text, in the coin
};

struct Refunding {
  std::string refund_id;  // ours: the idempotency key
  std::string provider_payment_id;
  std::string reference;  // what PaymentReport said
  Cents amount;
  Currency currency;
};

struct RefundProgress {
  std::string provider_refund_id;
  bool done = false;  // or the processor is still at it
};

// Money went back, because we asked or by the processor's own doing, or does not after all.
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
  std::string url;  // where it was sent, as the outside knows us
};

// What a verified webhook says.
struct Notice {
  std::string event_id;  // the same for every delivery; empty: no event of ours
  std::optional<PaymentReport> report{};
  std::optional<RefundReport> refund{};
  std::string ask{};   // the processor is to be asked about this payment, whatever the event says
  bool proven = true;  // false: the signature does not cover the content, so the API is asked before it is applied
};

// Thread-safe. All but verify and interpret may call the processor: they block, and throw ProcessorFailure.
class Processor {
 public:
  virtual ~Processor() = default;

  // Asking again for the same payment_id makes no second one, where the processor can tell.
  virtual Opened open(const Account& account, const Opening& opening) const = 0;

  // Of a payment that is open; nothing where there is no such thing.
  virtual std::optional<Deposit> deposit(const Account& account, const std::string& provider_payment_id) const;

  // Also takes the last step where that is ours: a wallet's approved payment is captured. Only called where the
  // descriptor says that the processor can be polled.
  virtual PaymentReport state(const Account& account, const std::string& provider_payment_id) const;

  // Whether the raw bytes are signed with the account's secret. Runs on the loop; throws ProcessorFailure.
  virtual Task<bool> verify(const Account& account, const IncomingWebhook& webhook) const = 0;
  virtual Notice interpret(const JsonLookup& event) const = 0;

  // What the API says of a refund that an unproven event told us of. Nothing: there is no such refund, or it is not
  // finished. Only for processors whose events are not proven.
  virtual std::optional<RefundReport> confirmed_refund(const Account& account, const std::string& provider_refund_id,
                                                       const std::string& reference) const;

  // Only called where the descriptor says that the processor refunds. A refund that came to nothing is a
  // ProcessorFailure `refused`.
  virtual RefundProgress refund(const Account& account, const Refunding& refunding) const;
  virtual RefundProgress refund_state(const Account& account, const std::string& provider_refund_id) const;
};

// How much of a payment a processor can return through its API. The shop returns by hand what the API cannot.
enum class RefundSupport { none, whole_payment, any_amount };

// Everything that distinguishes a processor from the others. Each is defined in the file of its processor and listed in
// processor_list.cpp.
struct ProcessorDescriptor {
  PaymentProvider provider;
  PaymentMethod method;
  WebhookProvider webhook_provider;
  std::string_view path_name;  // in the address of its webhooks: /api/payments/<path_name>/webhook/:tenantId
  std::string_view label;      // for the shop's customers
  MethodAddress address;
  std::span<const MethodValue> values;
  RefundSupport refunds = RefundSupport::none;  // needs polling: the payment is read before it is refunded
  bool polling = true;                          // its API can be asked for the state of a payment
  bool fetches_certificates = false;            // `verify` fetches from an address that the webhook itself names

  // Certificates of webhooks are fetched on a pool of their own: anybody can send addresses that answer slowly.
  std::unique_ptr<Processor> (*make)(const Config& config, WorkerPool& certificate_fetches);
};

// Sends a request to the account's processor and reads the JSON object that it answers. Throws ProcessorFailure, for an
// account that is not configured without sending anything.
JsonLookup call_processor(const Account& account, outbound::Request request, std::string_view path);
JsonLookup call_processor_for_list(const Account& account, outbound::Request request, std::string_view path);

// The value, which a processor's answer must have. Throws ProcessorFailure.
std::string required_text(const JsonLookup& answer, std::string_view pointer);

}  // namespace guildhall
