#include "features/fund/fund_actions.h"

#include "audit/audit.h"
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

void audit_contribution(Tx& tx, const Actor& actor, const LedgerEntry& entry, Instant now) {
  const Subject subject{contribution_kind, entry.id};
  if (!entry.anonymous) {
    const Contribution record = contribution_of(entry);
    return audit_change<Contribution>(tx, entry.tenant_id, actor, subject, nullptr, &record, now);
  }
  // The actor who changed the order may be the donor, and the request id would reveal the order. So the fund itself is
  // recorded, except when an admin entered the contribution.
  const AnonymousContribution record{.amount_cents = entry.change_cents};
  audit_change<AnonymousContribution>(tx, entry.tenant_id, entry.source == LedgerSource::ADMIN ? actor : fund_actor,
                                      subject, nullptr, &record, now);
}

void celebrate(Tx& tx, const FundConfig& config, const LedgerEntry& entry, std::string_view donor_name, Instant now) {
  if (!config.enabled || !config.celebration_channel_id) return;
  const ChatMessage message{.channel_id = *config.celebration_channel_id,
                            .content = celebration(config, entry, donor_name)};
  outbox::append(
      tx,
      {.tenant = entry.tenant_id, .topic = std::string(chat_message_topic), .payload = to_json(message), .due = now},
      now);
}

std::string name_of_customer(Tx& tx, const TenantId& tenant, const CustomerId& id) {
  const auto customer = tx.one(customer_by_id(tenant, id));
  return customer ? customer->chat_display_name : "";
}

// Appends a reversal to the entries of an order. Donor and anonymity are those of the first entry.
void give_back(Tx& tx, const Actor& actor, const std::vector<LedgerEntry>& parts, LedgerSource source, Cents amount,
               const std::string& currency, Instant now) {
  LedgerEntry entry = parts.front();
  entry.id = make_uuid(now);
  entry.source = source;
  entry.order_part = {parts.back().order_part.value.value_or(0) + 1};
  entry.change_cents = -amount.value();
  entry.created_at = now;
  book(tx, entry, currency);
  audit_contribution(tx, actor, entry, now);
}

void note_foreign_money(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderContribution& input,
                        Instant now) {
  audit(tx, tenant, input.anonymous ? fund_actor : actor, {"fund", tenant.text()}, "currency_mismatch",
        json::object({{"amountCents", json::object({{"before", nullptr}, {"after", input.amount}})},
                      {"currency", json::object({{"before", nullptr}, {"after", input.currency}})}})
            .text,
        now);
}

}  // namespace

FundConfig fund_config_or_default(Tx& tx, const TenantId& tenant, Instant now) {
  auto config = tx.one(fund_config_of(tenant));
  return config ? std::move(*config) : default_fund_config(tenant, now);
}

FundConfig find_or_create_fund_config(Tx& tx, const TenantId& tenant, const Actor& actor, Instant now) {
  if (auto known = tx.one(fund_config_of(tenant))) return std::move(*known);
  FundConfig fresh = default_fund_config(tenant, now);
  if (!insert_fund_config(tx, fresh)) throw WriteRace();  // another transaction has just created it
  audit_change<FundConfig>(tx, tenant, actor, {"fundConfig", fresh.id}, nullptr, &fresh, now);
  return fresh;
}

FundConfig change_fund_config(Tx& tx, const TenantId& tenant, const Actor& actor, const FundConfigPatch& patch,
                              FunctionRef<void(const FundConfig&)> check, Instant now) {
  FundConfig config = find_or_create_fund_config(tx, tenant, actor, now);
  const FundConfig before = config;
  apply(patch, config);
  check(before);
  if (!needs_write(before, config)) return before;
  config.updated_at = now;
  update_fund_config(tx, config);
  audit_change(tx, tenant, actor, {"fundConfig", config.id}, &before, &config, now);
  if (config.currency != before.currency && !set_currency(tx, tenant, config.currency)) {
    throw bad_request("FUND_CURRENCY_FIXED", "The community fund has money in its currency already.");
  }
  return config;
}

Contribution record_contribution(Tx& tx, const TenantId& tenant, const Actor& actor, const NewContribution& input,
                                 Instant now) {
  const FundConfig config = fund_config_or_default(tx, tenant, now);
  require_enabled(config);
  check_anonymity(config, input.anonymous);
  const std::string donor = input.anonymous ? "" : name_of_customer(tx, tenant, input.customer_id);
  LedgerEntry entry{.id = make_uuid(now),
                    .tenant_id = tenant,
                    .kind = LedgerKind::CONTRIBUTION,
                    .source = LedgerSource::ADMIN,
                    .customer_id = input.customer_id,
                    .order_id = input.order_id,
                    .order_part = {},
                    .change_cents = input.amount_cents,
                    .anonymous = input.anonymous,
                    .reason = std::nullopt,
                    .approved_by = std::nullopt,
                    .created_at = now};
  book(tx, entry, config.currency);
  audit_contribution(tx, actor, entry, now);
  celebrate(tx, config, entry, donor, now);
  return contribution_of(entry);
}

Disbursement disburse(Tx& tx, const TenantId& tenant, const Actor& actor, const UserId& approved_by,
                      const NewDisbursement& input, Instant now) {
  const FundConfig config = fund_config_or_default(tx, tenant, now);
  require_enabled(config);
  if (!tx.one(customer_by_id(tenant, input.recipient_customer_id))) {
    throw invalid_field("recipientCustomerId", "must be a customer of this tenant");
  }
  LedgerEntry entry{.id = make_uuid(now),
                    .tenant_id = tenant,
                    .kind = LedgerKind::DISBURSEMENT,
                    .source = LedgerSource::ADMIN,
                    .customer_id = input.recipient_customer_id,
                    .order_id = std::nullopt,
                    .order_part = {},
                    .change_cents = -input.amount_cents.value,
                    .anonymous = false,
                    .reason = input.reason.value,
                    .approved_by = approved_by,
                    .created_at = now};
  book(tx, entry, config.currency);
  Disbursement record = disbursement_of(entry);
  audit_change<Disbursement>(tx, tenant, actor, {"fundDisbursement", entry.id}, nullptr, &record, now);
  return record;
}

void contribute_from_order(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderContribution& input,
                           Instant now) {
  if (input.amount == Cents() || !tx.all(entries_of_order(tenant, input.order)).empty()) return;
  const FundConfig config = fund_config_or_default(tx, tenant, now);
  if (input.currency != config.currency) return note_foreign_money(tx, tenant, actor, input, now);
  LedgerEntry entry{.id = make_uuid(now),
                    .tenant_id = tenant,
                    .kind = LedgerKind::CONTRIBUTION,
                    .source = LedgerSource::ORDER,
                    .customer_id = input.customer,
                    .order_id = input.order,
                    .order_part = {0},
                    .change_cents = input.amount.value(),
                    .anonymous = input.anonymous,
                    .reason = std::nullopt,
                    .approved_by = std::nullopt,
                    .created_at = now};
  book(tx, entry, config.currency);
  audit_contribution(tx, actor, entry, now);
  celebrate(tx, config, entry, input.donor_name, now);
}

Cents contribution_left(Tx& tx, const TenantId& tenant, const OrderId& order) {
  return remaining_of(tx.all(entries_of_order(tenant, order)));
}

void reverse_for_refund(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderId& order, Instant now) {
  const auto parts = tx.all(entries_of_order(tenant, order));
  const Cents remaining = remaining_of(parts);
  if (remaining == Cents()) return;
  const FundConfig config = fund_config_or_default(tx, tenant, now);
  give_back(tx, actor, parts, LedgerSource::REFUND, remaining, config.currency, now);
}

Reversal reverse_as_far_as_possible(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderId& order,
                                    LedgerSource source, Instant now) {
  const auto parts = tx.all(entries_of_order(tenant, order));
  const Cents remaining = remaining_of(parts);
  if (remaining == Cents()) return {};
  const FundConfig config = fund_config_or_default(tx, tenant, now);
  const Cents possible = std::min(remaining, lock_balance(tx, tenant, config.currency));
  if (possible > Cents()) give_back(tx, actor, parts, source, possible, config.currency, now);
  return {.reversed = possible, .missing = remaining - possible};
}

}  // namespace guildhall
