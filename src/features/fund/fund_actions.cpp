#include "features/fund/fund_actions.h"

#include "features/customers/customer_store.h"
#include "features/fund/fund_book.h"
#include "features/fund/fund_celebration.h"
#include "features/fund/fund_store.h"
#include "outbox/chat_messages.h"
#include "outbox/outbox.h"
#include "storage/record.h"

namespace guildhall {
namespace {

constexpr std::string_view contribution_kind = "fundContribution";
const Actor fund_actor{ActorKind::SYSTEM, "community-fund", ""};

// The audit entry of an anonymous contribution. It has neither the donor nor the order, which would reveal the donor.
struct AnonymousContribution {
  std::int64_t amount_cents = 0;
  bool anonymous = true;
};
BOOST_DESCRIBE_STRUCT(AnonymousContribution, (), (amount_cents, anonymous))

void audit_contribution(const ActionContext& context, const LedgerEntry& entry) {
  const Subject subject{contribution_kind, entry.id};
  if (!entry.anonymous) {
    const Contribution record = contribution_of(entry);
    return context.audit_created(subject, record);
  }
  // The actor who changed the order may be the donor, and the request id would reveal the order. So the fund itself is
  // recorded, except when an admin entered the contribution.
  const AnonymousContribution record{.amount_cents = entry.change_cents};
  context.by(entry.source == LedgerSource::ADMIN ? context.actor : fund_actor).audit_created(subject, record);
}

void celebrate(const ActionContext& context, const FundConfig& config, const LedgerEntry& entry,
               std::string_view donor_name) {
  if (!config.enabled || !config.celebration_channel_id) return;
  const ChatMessage message{.channel_id = *config.celebration_channel_id,
                            .content = celebration(config, entry, donor_name)};
  outbox::append(context.tx,
                 {.tenant = context.tenant,
                  .topic = std::string(chat_message_topic),
                  .payload = to_json(message),
                  .due = context.now},
                 context.now);
}

std::string name_of_customer(const ActionContext& context, const CustomerId& id) {
  const auto customer = context.tx.one(customer_by_id(context.tenant, id));
  return customer ? customer->chat_display_name : "";
}

// Appends a reversal to the entries of an order. Donor and anonymity are those of the first entry.
void give_back(const ActionContext& context, const std::vector<LedgerEntry>& parts, LedgerSource source, Cents amount,
               const std::string& currency) {
  LedgerEntry entry = parts.front();
  entry.id = make_uuid(context.now);
  entry.source = source;
  entry.order_part = {parts.back().order_part.value.value_or(0) + 1};
  entry.change_cents = -amount.value();
  entry.created_at = context.now;
  book(context.tx, entry, currency);
  audit_contribution(context, entry);
}

void note_foreign_money(const ActionContext& context, const OrderContribution& input) {
  context.by(input.anonymous ? fund_actor : context.actor)
      .audit({"fund", context.tenant.text()}, "currency_mismatch",
             json::object({{"amountCents", json::object({{"before", nullptr}, {"after", input.amount}})},
                           {"currency", json::object({{"before", nullptr}, {"after", input.currency}})}})
                 .text);
}

}  // namespace

FundConfig fund_config_or_default(Tx& tx, const TenantId& tenant, Instant now) {
  auto config = tx.one(fund_config_of(tenant));
  return config ? std::move(*config) : default_fund_config(tenant, now);
}

FundConfig find_or_create_fund_config(const ActionContext& context) {
  if (auto known = context.tx.one(fund_config_of(context.tenant))) return std::move(*known);
  FundConfig fresh = default_fund_config(context.tenant, context.now);
  if (!insert_fund_config(context.tx, fresh)) throw WriteRace();  // another transaction has just created it
  context.audit_created({"fundConfig", fresh.id}, fresh);
  return fresh;
}

FundConfig change_fund_config(const ActionContext& context, const FundConfigPatch& patch,
                              FunctionRef<void(const FundConfig&)> check) {
  FundConfig config = find_or_create_fund_config(context);
  const FundConfig before = config;
  apply(patch, config);
  check(before);
  if (!needs_write(before, config)) return before;
  config.updated_at = context.now;
  update_fund_config(context.tx, config);
  context.audit_change({"fundConfig", config.id}, &before, &config);
  if (config.currency != before.currency && !set_currency(context.tx, context.tenant, config.currency)) {
    throw bad_request("FUND_CURRENCY_FIXED", "The community fund has money in its currency already.");
  }
  return config;
}

Contribution record_contribution(const ActionContext& context, const NewContribution& input) {
  const FundConfig config = fund_config_or_default(context.tx, context.tenant, context.now);
  require_enabled(config);
  check_anonymity(config, input.anonymous);
  const std::string donor = input.anonymous ? "" : name_of_customer(context, input.customer_id);
  LedgerEntry entry{.id = make_uuid(context.now),
                    .tenant_id = context.tenant,
                    .kind = LedgerKind::CONTRIBUTION,
                    .source = LedgerSource::ADMIN,
                    .customer_id = input.customer_id,
                    .order_id = input.order_id,
                    .order_part = {},
                    .change_cents = input.amount_cents,
                    .anonymous = input.anonymous,
                    .reason = std::nullopt,
                    .approved_by = std::nullopt,
                    .created_at = context.now};
  book(context.tx, entry, config.currency);
  audit_contribution(context, entry);
  celebrate(context, config, entry, donor);
  return contribution_of(entry);
}

void require_recipient(Tx& tx, const TenantId& tenant, const NewDisbursement& input) {
  if (tx.one(customer_by_id(tenant, input.recipient_customer_id))) return;
  throw invalid_field("recipientCustomerId", "must be a customer of this tenant");
}

Disbursement disburse(const ActionContext& context, const UserId& approved_by, const NewDisbursement& input) {
  const FundConfig config = fund_config_or_default(context.tx, context.tenant, context.now);
  require_enabled(config);
  require_recipient(context.tx, context.tenant, input);
  LedgerEntry entry{.id = make_uuid(context.now),
                    .tenant_id = context.tenant,
                    .kind = LedgerKind::DISBURSEMENT,
                    .source = LedgerSource::ADMIN,
                    .customer_id = input.recipient_customer_id,
                    .order_id = std::nullopt,
                    .order_part = {},
                    .change_cents = -input.amount_cents.value,
                    .anonymous = false,
                    .reason = input.reason.value,
                    .approved_by = approved_by,
                    .created_at = context.now};
  book(context.tx, entry, config.currency);
  Disbursement record = disbursement_of(entry);
  context.audit_created({"fundDisbursement", entry.id}, record);
  return record;
}

void contribute_from_order(const ActionContext& context, const OrderContribution& input) {
  if (input.amount == Cents() || !context.tx.all(entries_of_order(context.tenant, input.order)).empty()) return;
  const FundConfig config = fund_config_or_default(context.tx, context.tenant, context.now);
  if (input.currency != config.currency) return note_foreign_money(context, input);
  LedgerEntry entry{.id = make_uuid(context.now),
                    .tenant_id = context.tenant,
                    .kind = LedgerKind::CONTRIBUTION,
                    .source = LedgerSource::ORDER,
                    .customer_id = input.customer,
                    .order_id = input.order,
                    .order_part = {0},
                    .change_cents = input.amount.value(),
                    .anonymous = input.anonymous,
                    .reason = std::nullopt,
                    .approved_by = std::nullopt,
                    .created_at = context.now};
  book(context.tx, entry, config.currency);
  audit_contribution(context, entry);
  celebrate(context, config, entry, input.donor_name);
}

Cents contribution_left(Tx& tx, const TenantId& tenant, const OrderId& order) {
  return remaining_of(tx.all(entries_of_order(tenant, order)));
}

void reverse_for_refund(const ActionContext& context, const OrderId& order) {
  const auto parts = context.tx.all(entries_of_order(context.tenant, order));
  const Cents remaining = remaining_of(parts);
  if (remaining == Cents()) return;
  const FundConfig config = fund_config_or_default(context.tx, context.tenant, context.now);
  give_back(context, parts, LedgerSource::REFUND, remaining, config.currency);
}

Reversal reverse_as_far_as_possible(const ActionContext& context, const OrderId& order, LedgerSource source) {
  const auto parts = context.tx.all(entries_of_order(context.tenant, order));
  const Cents remaining = remaining_of(parts);
  if (remaining == Cents()) return {};
  const FundConfig config = fund_config_or_default(context.tx, context.tenant, context.now);
  const Cents possible = std::min(remaining, lock_balance(context.tx, context.tenant, config.currency));
  if (possible > Cents()) give_back(context, parts, source, possible, config.currency);
  return {.reversed = possible, .missing = remaining - possible};
}

}  // namespace guildhall
