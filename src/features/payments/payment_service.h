#pragma once

#include "base/worker_pool.h"
#include "features/payments/invoices/invoice_token.h"
#include "features/payments/payment_actions.h"
#include "features/payments/processors/processor_list.h"
#include "features/tenancy/installation_config.h"
#include "features/webhooks/webhook_intake.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

namespace guildhall {

// An open payment.
struct Checkout {
  PaymentId payment_id;
  std::string provider_payment_id;
  std::string url;  // the processor's page
  std::optional<Instant> expires_at;
  std::optional<AccountOwner> opened_with{};
};

// Calls the processors and writes the results to the database. Shared by all loops and by the outbox's threads.
class PaymentService {
 public:
  // Calls to processors run on `outbound`, fetches of their webhooks' certificates on `certificate_fetches`.
  PaymentService(const PaymentConfig& config, const InstallationConfig& installation, const SecretBox* secrets,
                 const Events& events, WorkerPool& outbound, WorkerPool& certificate_fetches);

  const PaymentAccounts& accounts() const { return accounts_; }
  const InvoiceSigner& signer() const { return signer_; }
  const PaymentConfig& config() const { return config_; }
  const InstallationConfig& installation() const { return installation_; }
  const Events& events() const { return events_; }
  const Processor& processor(PaymentProvider provider) const { return processors_.of(provider); }

  // The account of that owner; without an owner the account in use.
  using Owner = std::optional<AccountOwner>;
  Task<Account> account(Database& db, const TenantId& tenant, PaymentMethod method, Owner owner = {}) const;
  Account account(Storage& storage, const TenantId& tenant, PaymentMethod method, Owner owner = {}) const;

  // Opens a payment of the order, or returns the one that is open. Concurrent calls open one payment. Returns nothing
  // if the order cannot be paid, or not any more. Throws ProcessorFailure, or Failure unavailable, when the processor
  // cannot be reached.
  Task<std::optional<Checkout>> open(Database& db, const Actor& actor, const Order& order, PaymentMethod method,
                                     std::string return_url) const;

  // The address for the coins of an open payment. The processor is asked each time, since the amount due decreases as
  // coins arrive. Returns nothing where the processor has no such address. Throws the same as open.
  Task<std::optional<Deposit>> deposit(Database& db, const TenantId& tenant, PaymentMethod method,
                                       const Checkout& checkout) const;

  // Asks the processor about a payment or a refund, and applies the answer. Throws ProcessorFailure.
  Task<> check(Database& db, const Actor& actor, const TenantId& tenant, const CheckMessage& message) const;

  // Called when the customer returns from the processor. Asks about the order's live payments, unless that was done
  // within the last two seconds.
  Task<> check_order(Database& db, const Actor& actor, const TenantId& tenant, const OrderId& order) const;

  // The outbox's handler of payment_check_topic.
  outbox::Verdict carry_out_check(Storage& storage, const outbox::Delivery& delivery) const;

  // Reads a verified webhook. An event that the processor does not document has an empty notice.
  Notice read_webhook(PaymentProvider provider, const JsonLookup& event) const;

  // The effect of a webhook. Where the event is not enough, `question` is queued for the outbox; the caller may ask it
  // at once.
  struct WebhookEffect {
    Applied applied;
    std::optional<CheckMessage> question{};
  };

  // Announces what apply_webhook() will read about a payment that we opened.
  static void read_ahead(Tx& tx, const TenantId& tenant, PaymentProvider provider, const Notice& notice);

  // Applies a verified webhook, and queues its question. A webhook that an account of another owner than the payment's
  // has verified is ignored. Throws Failure, which keeps the event as FAILED, for one that must not be applied without
  // asking and cannot be asked about.
  WebhookEffect apply_webhook(const ActionContext& context, PaymentProvider provider, const IncomingEvent& event,
                              const Notice& notice) const;

  // Applies a stored event again.
  Applied apply_stored_webhook(const ActionContext& context, PaymentProvider provider,
                               const IncomingEvent& event) const;

  // Runs work that calls a processor on a thread that may block.
  template <class Work>
  auto run_blocking(Work work) const {
    return outbound_.run(std::move(work));
  }

 private:
  Account account(Tx& tx, const TenantId& tenant, PaymentMethod method, Owner owner = {}) const;

  // The account to ask about the payment: its owner's. An unconfirmed payment has no owner that is known for sure, so
  // the account in use is asked.
  Account account_to_ask(Tx& tx, const TenantId& tenant, PaymentProvider provider, const Payment* payment,
                         Owner signer) const;
  Account account_to_ask(Tx& tx, const TenantId& tenant, const CheckMessage& message) const;
  outbox::Verdict carry_out_refund_check(Storage& storage, const outbox::Delivery& delivery,
                                         const CheckMessage& message) const;
  Instant next_check(const Payment& payment, Instant now) const;

  const PaymentConfig& config_;
  const InstallationConfig& installation_;
  PaymentAccounts accounts_;
  Processors processors_;
  InvoiceSigner signer_;
  const Events& events_;
  WorkerPool& outbound_;
};

}  // namespace guildhall
