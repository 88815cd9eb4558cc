// The functions of PaymentService that read and apply webhooks.
#include "base/log.h"
#include "features/orders/order_store.h"
#include "features/payments/payment_service.h"
#include "features/payments/payment_store.h"
#include "features/payments/refunds/refund_actions.h"

namespace guildhall {

Notice PaymentService::read_webhook(PaymentProvider provider, const JsonLookup& event) const {
  try {
    Notice notice = processor(provider).interpret(event);
    // Payments are found by the provider's id: a report without one would settle any other payment that has none.
    if (notice.report && notice.report->provider_payment_id.empty()) notice.report.reset();
    if (notice.refund && notice.refund->provider_refund_id.empty()) notice.refund.reset();
    return notice;
  } catch (const ProcessorFailure& failure) {  // the event does not have the documented shape
    log::warn("payment: an event cannot be understood",
              {{"provider", name_of(provider)}, {"event", event.text("/id")}, {"error", failure.what()}});
    return {};
  }
}

namespace {

constexpr std::chrono::seconds asked_by_outbox_after{10};  // unless the request that received the webhook has asked

// Selects the payment that the notice is about. Returns nothing if it names none.
std::optional<Select<Payment>> payment_of(const TenantId& tenant, PaymentProvider provider, const Notice& notice) {
  if (notice.refund) return payment_by_reference(tenant, provider, notice.refund->reference);
  const std::string& id = notice.report ? notice.report->provider_payment_id : notice.payment_to_check;
  if (id.empty()) return std::nullopt;
  return payment_by_provider_id(tenant, provider, id);
}

// The question that the notice makes necessary for the processor's API; nothing where the event is enough.
std::optional<CheckMessage> question_of(const Notice& notice, PaymentProvider provider, bool confirmed) {
  if (!notice.payment_to_check.empty())
    return CheckMessage{.provider = provider, .provider_payment_id = notice.payment_to_check};
  if (notice.report && (!notice.proven || !confirmed)) {
    return CheckMessage{.provider = provider, .provider_payment_id = notice.report->provider_payment_id};
  }
  if (notice.refund && !notice.proven) {
    return CheckMessage{.provider = provider,
                        .provider_refund_id = notice.refund->provider_refund_id,
                        .refunded_reference = notice.refund->reference};
  }
  return std::nullopt;
}

Failure cannot_ask(PaymentProvider provider) {
  return {Failure::Kind::internal, "PROCESSOR_NOT_CONFIGURED",
          fmt::format("{} is to be asked before the event is applied, and its API credentials are missing.",
                      name_of(provider))};
}

}  // namespace

void PaymentService::read_ahead(Tx& tx, const TenantId& tenant, PaymentProvider provider, const Notice& notice) {
  if (const auto payment = payment_of(tenant, provider, notice)) tx.read_ahead(payment->query);
  if (notice.report && !notice.report->order_id.empty()) {
    tx.read_ahead(order_by_id(tenant, OrderId(notice.report->order_id)).query);
  }
}

PaymentService::WebhookEffect PaymentService::apply_webhook(const ActionContext& context, PaymentProvider provider,
                                                            const IncomingEvent& event, const Notice& notice) const {
  if (!notice.report && !notice.refund && notice.payment_to_check.empty()) return {Applied::ignored};
  Tx& tx = context.tx;
  const ProcessorDescriptor& descriptor = descriptor_of(provider);
  const AccountOwner owner =
      event.verified_with ? *event.verified_with : account(tx, context.tenant, descriptor.method).owner;
  const auto select = payment_of(context.tenant, provider, notice);
  const auto found = select ? tx.one(*select) : std::nullopt;
  const Payment* payment = found ? &*found : nullptr;
  const bool confirmed = payment != nullptr && payment->confirmed;
  if (confirmed && !payment->belongs_to(owner)) {
    log::warn("payment: a webhook that another account has signed is ignored",
              {{"payment", payment->id.text()}, {"event", event.event_id}, {"owner", name_of(owner)}});
    return {Applied::ignored};
  }

  auto question = question_of(notice, provider, confirmed);
  if (question) question->owner = owner;
  const bool can_ask =
      question && descriptor.polling && account_to_ask(tx, context.tenant, provider, payment, owner).configured();
  if (can_ask) {
    queue_check(tx, context.tenant, *question, context.now + asked_by_outbox_after, context.now);
  } else {
    question.reset();
  }
  // Money for an unknown payment is recorded and flagged even if the API cannot be asked about it.
  const bool recordable = notice.report && !confirmed && notice.report->kind == PaymentReport::Kind::paid;
  if (!can_ask && (!notice.payment_to_check.empty() || (!notice.proven && !recordable))) throw cannot_ask(provider);
  if (notice.report && (notice.proven || (recordable && !can_ask))) {
    settle_payment(context, provider, payment, *notice.report, {ReportSource::webhook, owner});
  }
  if (notice.refund && notice.proven) apply_refund_report(context, provider, *notice.refund, owner);
  return {Applied::processed, question};
}

Applied PaymentService::apply_stored_webhook(const ActionContext& context, PaymentProvider provider,
                                             const IncomingEvent& event) const {
  const auto document = JsonLookup::parse(event.payload);
  const Notice notice = document ? read_webhook(provider, *document) : Notice{};
  return apply_webhook(context, provider, event, notice).applied;
}

}  // namespace guildhall
