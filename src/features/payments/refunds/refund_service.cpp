#include "features/payments/refunds/refund_service.h"

#include "base/decimal.h"
#include "base/log.h"
#include "features/payments/payment_store.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/payments/refunds/refund_store.h"

namespace guildhall {
namespace {

// The reference of the money to return, read from the processor's API with the account of the payment's owner. A
// reference that only a webhook or another account has named is never refunded. Throws ProcessorFailure.
std::string confirmed_reference(const Processor& processor, const Account& account, const Payment& payment,
                                const Refund& refund) {
  PaymentReport report;
  try {
    report = processor.state(account, payment.provider_payment_id.value_or(""));
  } catch (const ProcessorFailure& failure) {
    if (failure.status == 404) throw not_sent("the processor does not know the payment");
    throw;
  }
  // A processor that names no order is trusted for payments that we opened.
  const bool other_order = report.order_id != payment.order_id.text();
  if (other_order && (!payment.opened_by_us() || !report.order_id.empty())) {
    throw not_sent("the processor does not say that the payment belongs to the order");
  }
  if (report.kind != PaymentReport::Kind::paid || report.reference.empty()) {
    throw not_sent("the processor does not say that the payment was made");
  }
  const auto currency = Currency::parse(report.currency);
  const auto received = report.amount && currency ? parse_decimal(*report.amount, *currency) : std::nullopt;
  if (received && (*received < refund.amount_cents || report.currency != refund.currency)) {
    throw not_sent("the processor has received less than what is to go back");
  }
  return report.reference;
}

// Requests the refund, or asks for its state if it was requested before. Throws ProcessorFailure.
RefundProgress request_or_check(const PaymentService& service, const Account& account, const Refund& refund,
                                const Payment& payment) {
  const Processor& processor = service.processor(payment.provider);
  if (refund.provider_refund_id) return processor.refund_state(account, *refund.provider_refund_id);
  return processor.refund(account, {.refund_id = refund.id.text(),
                                    .provider_payment_id = payment.provider_payment_id.value_or(""),
                                    .reference = confirmed_reference(processor, account, payment, refund),
                                    .amount = refund.amount_cents,
                                    .currency = Currency::parse(refund.currency).value_or(Currency())});
}

void write_progress(Tx& tx, const PaymentService& service, const Refund& refund, const Actor& actor,
                    const RefundProgress& progress) {
  const ActionContext context{tx, service.events(), refund.tenant_id, actor, now()};
  if (progress.done) {
    finish_refund(context, refund.id, progress.provider_refund_id, RefundCause::carried_out);
  } else {
    await_refund(context, refund.id, progress.provider_refund_id);
  }
}

Instant next_check(const Refund& refund, Instant now) {
  const std::chrono::milliseconds age{now.ms - refund.created_at.ms};
  return now + std::clamp<std::chrono::milliseconds>(age, std::chrono::minutes(1), std::chrono::hours(6));
}

}  // namespace

Task<> carry_out_refund(Database& db, const PaymentService& service, const Actor& actor, const Refund& refund) {
  const TenantId& tenant = refund.tenant_id;
  const auto payment = co_await db.one(payment_by_id(tenant, refund.payment_id));
  const Account account =
      co_await service.account(db, tenant, descriptor_of(payment->provider).method, payment->opened_with);
  std::optional<ProcessorFailure> failed;
  RefundProgress progress;
  try {
    progress = co_await service.run_blocking([&] { return request_or_check(service, account, refund, *payment); });
  } catch (const ProcessorFailure& failure) {
    failed = failure;
  }
  if (!failed) {
    co_return co_await db.write([&](Tx& tx) { write_progress(tx, service, refund, actor, progress); });
  }
  if (failed->refused) {
    co_await db.write([&](Tx& tx) {
      fail_refund({tx, service.events(), tenant, actor, now()}, refund.id, failed->what(), OnFailure::tell_caller);
    });
    throw ProcessorFailure(*failed);
  }
  log::warn("refund: the processor cannot be asked now; the outbox will ask",
            {{"refund", refund.id.text()}, {"error", failed->what()}});
}

outbox::Verdict carry_out_refund(Storage& storage, const PaymentService& service, const outbox::Delivery& delivery) {
  const RefundId id = from_json<RefundMessage>(delivery.payload).refund;
  std::optional<Refund> refund;
  std::optional<Payment> payment;
  storage.read_now([&](Tx& tx) {
    refund = tx.one(refund_by_id(delivery.tenant, id));
    if (refund) payment = tx.one(payment_by_id(delivery.tenant, refund->payment_id));
  });
  if (!refund || !payment || refund->status != RefundStatus::PENDING) return outbox::done();
  const Account account =
      service.account(storage, delivery.tenant, descriptor_of(payment->provider).method, payment->opened_with);
  const Actor actor{ActorKind::SYSTEM, "refund", ""};
  RefundProgress progress;
  try {
    progress = request_or_check(service, account, *refund, *payment);
  } catch (const ProcessorFailure& failure) {
    if (!failure.refused) return outbox::retry(failure.what());
    storage.write_now([&](Tx& tx) {
      fail_refund({tx, service.events(), delivery.tenant, actor, now()}, id, failure.what(), OnFailure::flag_payment);
    });
    return outbox::done();
  }
  storage.write_now([&](Tx& tx) { write_progress(tx, service, *refund, actor, progress); });
  if (progress.done) return outbox::done();
  return outbox::done([refund = *refund, provider = payment->provider, at = now()](Tx& tx) {
    queue_refund(tx, refund, provider, next_check(refund, at), at);
  });
}

}  // namespace guildhall
