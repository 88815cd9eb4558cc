#include "features/payments/payment_service.h"

#include "base/log.h"
#include "base/task.h"
#include "features/payments/payment_store.h"
#include "features/payments/refunds/refund_actions.h"

namespace guildhall {
namespace {

constexpr std::chrono::milliseconds wait_for_other{200};
constexpr int waits_max = 100;  // 20 seconds: longer than the time-outs of a call to a processor
constexpr std::chrono::seconds return_checks_apart{2};  // at least, however often the customer reloads the page
constexpr std::chrono::hours check_longest{6};
constexpr std::chrono::days followed_for{30};

const Actor reconciliation{ActorKind::SYSTEM, "payment-check", ""};

// A payment that the processor does not know any more counts as expired.
PaymentReport state_of(const Processor& processor, const Account& account, const std::string& id) {
  try {
    return processor.state(account, id);
  } catch (const ProcessorFailure& failure) {
    if (failure.status != 404) throw;
    return {.kind = PaymentReport::Kind::expired, .provider_payment_id = id};
  }
}

std::optional<RefundReport> refund_of(const Processor& processor, const Account& account, const CheckMessage& message) {
  return processor.confirmed_refund(account, *message.provider_refund_id, message.refunded_reference.value_or(""));
}

Checkout checkout_of(const Payment& open) {
  return {open.id, open.provider_payment_id.value(), open.checkout_url.value.value(), open.expires_at.value,
          open.opened_with.value};
}

}  // namespace

PaymentService::PaymentService(const PaymentConfig& config, const InstallationConfig& installation,
                               const SecretBox* secrets, const Events& events, WorkerPool& outbound,
                               WorkerPool& certificate_fetches)
    : config_(config),
      installation_(installation),
      accounts_(config, secrets),
      processors_(config, certificate_fetches),
      signer_(config.invoice_link_signing_secret),
      events_(events),
      outbound_(outbound) {}

Task<Account> PaymentService::account(Database& db, const TenantId& tenant, PaymentMethod method, Owner owner) const {
  const auto stored = co_await db.one(stored_method(tenant, method));
  co_return accounts_.account(tenant, method, stored ? &*stored : nullptr, owner);
}

Account PaymentService::account(Tx& tx, const TenantId& tenant, PaymentMethod method, Owner owner) const {
  const auto stored = tx.one(stored_method(tenant, method));
  return accounts_.account(tenant, method, stored ? &*stored : nullptr, owner);
}

Account PaymentService::account(Storage& storage, const TenantId& tenant, PaymentMethod method, Owner owner) const {
  std::optional<Account> account;
  storage.read_now([&](Tx& tx) { account = this->account(tx, tenant, method, owner); });
  return std::move(*account);
}

Account PaymentService::account_to_ask(Tx& tx, const TenantId& tenant, PaymentProvider provider, const Payment* payment,
                                       Owner signer) const {
  const bool has_owner = payment != nullptr && payment->confirmed;
  return account(tx, tenant, descriptor_of(provider).method, has_owner ? payment->opened_with.value : signer);
}

Account PaymentService::account_to_ask(Tx& tx, const TenantId& tenant, const CheckMessage& message) const {
  const auto payment =
      tx.one(message.provider_refund_id
                 ? payment_by_reference(tenant, message.provider, message.refunded_reference.value_or(""))
                 : payment_by_provider_id(tenant, message.provider, message.provider_payment_id));
  return account_to_ask(tx, tenant, message.provider, payment ? &*payment : nullptr, message.owner);
}

Task<std::optional<Checkout>> PaymentService::open(Database& db, const Actor& actor, const Order& order,
                                                   PaymentMethod method, std::string return_url) const {
  const auto* descriptor = find_processor(method);
  if (descriptor == nullptr) throw std::logic_error("a manual method cannot be opened");
  const PaymentProvider provider = descriptor->provider;
  const Account account = co_await this->account(db, order.tenant_id, method);
  if (!account.configured()) throw not_sent("the payment method is not configured");
  OpeningClaim claim{OpeningClaim::Kind::wait};
  for (int waits = 0; claim.kind == OpeningClaim::Kind::wait; ++waits) {
    if (waits > 0) co_await pause_for(wait_for_other);
    if (waits > waits_max) throw ProcessorFailure("another request is still opening the payment", false);
    claim = co_await db.write([&](Tx& tx) {
      return claim_opening({tx, events_, order.tenant_id, actor, now()}, order, provider, account.owner);
    });
  }
  if (claim.kind == OpeningClaim::Kind::not_payable) co_return std::nullopt;
  if (claim.kind == OpeningClaim::Kind::ready) co_return checkout_of(claim.payment);

  const Opening opening{.payment_id = claim.payment.id.text(),
                        .order_id = order.id.text(),
                        .order_number = order.order_number,
                        .amount = order.total_cents,
                        .currency = order.currency,
                        .return_url = std::move(return_url)};
  std::optional<ProcessorFailure> failed;
  OpenedPayment opened;
  try {
    const Opened answer = co_await run_blocking([&] { return processor(provider).open(account, opening); });
    opened = {answer.provider_payment_id, answer.checkout_url, answer.expires_at};
  } catch (const ProcessorFailure& failure) {
    failed = failure;
  } catch (const Failure& failure) {  // all threads are busy
    failed = ProcessorFailure(failure.what(), false);
  }
  if (failed) {
    co_await db.write([&](Tx& tx) {
      fail_opening({tx, events_, order.tenant_id, actor, now()}, claim.payment, failed->what(), failed->refused);
    });
    throw ProcessorFailure(*failed);
  }
  const Instant at = now();
  std::optional<Instant> check_at;
  if (descriptor->polling) check_at = at + std::chrono::seconds(config_.payment_check_after_seconds);
  co_await db.write([&](Tx& tx) {
    finish_opening({tx, events_, order.tenant_id, actor, at}, claim.payment, opened, check_at);
  });
  co_return Checkout{claim.payment.id, opened.provider_payment_id, opened.checkout_url, opened.expires_at,
                     account.owner};
}

Task<std::optional<Deposit>> PaymentService::deposit(Database& db, const TenantId& tenant, PaymentMethod method,
                                                     const Checkout& checkout) const {
  const auto* descriptor = find_processor(method);
  if (descriptor == nullptr || !descriptor->has_deposits) co_return std::nullopt;
  const Account account = co_await this->account(db, tenant, method, checkout.opened_with);
  co_return co_await run_blocking(
      [&] { return processor(descriptor->provider).deposit(account, checkout.provider_payment_id); });
}

Task<> PaymentService::check(Database& db, const Actor& actor, const TenantId& tenant,
                             const CheckMessage& message) const {
  const Account account = co_await db.read([&](Tx& tx) { return account_to_ask(tx, tenant, message); });
  const Processor& asked = processor(message.provider);
  if (message.provider_refund_id) {
    const auto refund = co_await run_blocking([&] { return refund_of(asked, account, message); });
    if (!refund) co_return;
    co_return co_await db.write([&](Tx& tx) {
      apply_refund_report({tx, events_, tenant, actor, now()}, message.provider, *refund, account.owner);
    });
  }
  const PaymentReport report =
      co_await run_blocking([&] { return state_of(asked, account, message.provider_payment_id); });
  const ReportOrigin origin{ReportSource::api, account.owner};
  co_await db.write([&](Tx& tx) {
    settle_payment({tx, events_, tenant, actor, now()}, message.provider, report, origin);
  });
}

Task<> PaymentService::check_order(Database& db, const Actor& actor, const TenantId& tenant,
                                   const OrderId& order) const {
  const auto payments = co_await db.all(payments_of_order(tenant, order));
  for (const Payment& payment : payments) {
    if (!is_live(payment.status) || !payment.provider_payment_id || !descriptor_of(payment.provider).polling) continue;
    const Instant at = now();
    const bool ours = co_await db.write([&](Tx& tx) { return claim_check(tx, payment, at, at - return_checks_apart); });
    if (!ours) continue;
    try {
      co_await check(db, actor, tenant, {payment.provider, *payment.provider_payment_id});
    } catch (const ProcessorFailure& failure) {  // the page shows the last known state; the outbox asks again later
      log::warn("payment: the processor cannot be asked", {{"payment", payment.id.text()}, {"error", failure.what()}});
    }
  }
}

Instant PaymentService::next_check(const Payment& payment, Instant now) const {
  const std::chrono::milliseconds first = std::chrono::seconds(config_.payment_check_after_seconds);
  const std::chrono::milliseconds age{now.ms - payment.created_at.ms};
  return now +
         std::clamp<std::chrono::milliseconds>(age, first, std::max<std::chrono::milliseconds>(first, check_longest));
}

outbox::Verdict PaymentService::carry_out_refund_check(Storage& storage, const outbox::Delivery& delivery,
                                                       const CheckMessage& message) const {
  std::optional<Account> account;
  storage.read_now([&](Tx& tx) { account = account_to_ask(tx, delivery.tenant, message); });
  try {
    const auto refund = refund_of(processor(message.provider), *account, message);
    if (!refund) return outbox::done();
    storage.write_now([&](Tx& tx) {
      apply_refund_report({tx, events_, delivery.tenant, reconciliation, now()}, message.provider, *refund,
                          account->owner);
    });
  } catch (const ProcessorFailure& failure) {
    return outbox::retry(failure.what());
  }
  return outbox::done();
}

outbox::Verdict PaymentService::carry_out_check(Storage& storage, const outbox::Delivery& delivery) const {
  const auto message = from_json<CheckMessage>(delivery.payload);
  if (message.provider_refund_id) return carry_out_refund_check(storage, delivery, message);
  const auto read = [&] {
    std::optional<Payment> payment;
    storage.read_now([&](Tx& tx) {
      payment = tx.one(payment_by_provider_id(delivery.tenant, message.provider, message.provider_payment_id));
    });
    return payment;
  };
  const auto before = read();
  std::optional<Account> account;
  storage.read_now([&](Tx& tx) { account = account_to_ask(tx, delivery.tenant, message); });
  if (message.follow_up && (!before || !is_live(before->status))) return outbox::done();
  if (!message.follow_up && before && before->checked_at.value > delivery.created_at) return outbox::done();
  PaymentReport report;
  try {
    report = state_of(processor(message.provider), *account, message.provider_payment_id);
  } catch (const ProcessorFailure& failure) {
    return outbox::retry(failure.what());
  }
  const Instant at = now();
  const bool too_old = before && before->created_at + followed_for < at;
  if (message.follow_up && too_old && report.kind == PaymentReport::Kind::waiting)
    report.kind = PaymentReport::Kind::expired;
  storage.write_now([&](Tx& tx) {
    settle_payment({tx, events_, delivery.tenant, reconciliation, at}, message.provider, report,
                   {ReportSource::api, account->owner});
  });
  const auto after = read();
  if (!message.follow_up || !after || !is_live(after->status)) return outbox::done();
  return outbox::done([tenant = delivery.tenant, message, due = next_check(*after, at), at](Tx& tx) {
    queue_check(tx, tenant, message, due, at);
  });
}

}  // namespace guildhall
