#include "features/payments/refund_desk.h"

#include "base/log.h"
#include "features/payments/payment_store.h"
#include "features/payments/refund_actions.h"
#include "features/payments/refund_store.h"

namespace guildhall {
namespace {

Refunding asked_of_processor(const Refund& refund, const Payment& payment) {
  return {.refund_id = refund.id.text(),
          .provider_payment_id = payment.provider_payment_id.value_or(""),
          .reference = payment.provider_reference.value.value_or(""),
          .amount = refund.amount_cents,
          .currency = Currency::parse(refund.currency).value_or(Currency())};
}

}  // namespace

Task<> carry_out_refund(Database& db, const PaymentDesk& desk, const Actor& actor, const Refund& refund) {
  const TenantId& tenant = refund.tenant_id;
  const auto payment = co_await db.one(payment_by_id(tenant, refund.payment_id));
  const Account account = co_await desk.account(db, tenant, *method_of(payment->provider));
  std::optional<ProcessorFailure> failed;
  std::string provider_refund_id;
  try {
    provider_refund_id = co_await desk.ask(
        [&] { return desk.processor(payment->provider).refund(account, asked_of_processor(refund, *payment)); });
  } catch (const ProcessorFailure& failure) {
    failed = failure;
  }
  if (!failed) {
    co_await db.write(
        [&](Tx& tx) { finish_refund(tx, desk.events(), tenant, actor, refund.id, provider_refund_id, now()); });
    co_return;
  }
  if (failed->refused) {
    co_await db.write([&](Tx& tx) { fail_refund(tx, tenant, actor, refund.id, failed->what(), now()); });
    throw ProcessorFailure(*failed);
  }
  log::warn("refund: the processor cannot be asked; it will be later",
            {{"refund", refund.id.text()}, {"error", failed->what()}});
}

outbox::Verdict carry_out_refund(Storage& storage, const PaymentDesk& desk, const outbox::Delivery& delivery) {
  const Actor actor{ActorKind::SYSTEM, "refund", ""};
  const RefundId id = from_json<RefundMessage>(delivery.payload).refund;
  std::optional<Refund> refund;
  std::optional<Payment> payment;
  storage.write_now([&](Tx& tx) {
    refund = tx.one(refund_by_id(delivery.tenant, id));
    if (refund) payment = tx.one(payment_by_id(delivery.tenant, refund->payment_id));
  });
  if (!refund || !payment || refund->status != RefundStatus::PENDING) return outbox::done();
  const Account account = desk.account(storage, delivery.tenant, *method_of(payment->provider));
  try {
    const std::string provider_refund_id =
        desk.processor(payment->provider).refund(account, asked_of_processor(*refund, *payment));
    storage.write_now(
        [&](Tx& tx) { finish_refund(tx, desk.events(), delivery.tenant, actor, id, provider_refund_id, now()); });
  } catch (const ProcessorFailure& failure) {
    if (!failure.refused) return outbox::retry(failure.what());
    storage.write_now([&](Tx& tx) { fail_refund(tx, delivery.tenant, actor, id, failure.what(), now()); });
  }
  return outbox::done();
}

}  // namespace guildhall
