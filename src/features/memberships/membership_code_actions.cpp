#include "features/memberships/membership_code_actions.h"

#include "audit/audit.h"
#include "base/typed_code.h"
#include "features/catalog/product_store.h"
#include "features/memberships/membership_code_store.h"

namespace guildhall {
namespace {

void write(const ActionContext& context, const MembershipCode& before, MembershipCode& after) {
  after.updated_at = context.now;
  update_code(context.tx, after);
  audit_change(context.tx, context.tenant, context.actor, {"membership-code", after.id.text()}, &before, &after,
               context.now);
}

}  // namespace

void create_codes(const ActionContext& context, const NewMembershipCodes& input,
                  const std::vector<std::string>& codes) {
  const auto product = context.tx.one(product_by_id(context.tenant, input.product_id));
  if (!product || !product->membership) throw invalid_field("productId", "must be a product that is a membership");
  for (const std::string& code : codes) {
    const MembershipCode made = code_from(input, code, context.tenant, context.now);
    insert_code(context.tx, made);
    audit_change<MembershipCode>(context.tx, context.tenant, context.actor, {"membership-code", made.id.text()},
                                 nullptr, &made, context.now);
  }
}

Membership redeem_code(const ActionContext& context, std::string_view code, const Holder& holder) {
  const auto found = context.tx.one(code_by_hash(context.tenant, hash_of_typed_code(code)));
  if (!found || found->status != CodeStatus::OPEN) throw code_invalid();
  if (found->expires_at && *found->expires_at <= context.now) throw code_invalid();
  const auto product = context.tx.one(product_by_id(context.tenant, found->product_id));
  if (!product || !product->membership) throw code_invalid();
  const auto membership = give_time(context, {.product = *product,
                                              .holder = holder,
                                              .kind = PeriodKind::CODE,
                                              .length = length_of(*product->membership, found->periods),
                                              .value_cents = (product->price_cents * found->periods).value(),
                                              .source_key = "code/" + found->id.text(),
                                              .code = found->id});
  if (!membership) throw code_invalid();
  MembershipCode redeemed = *found;
  redeemed.status = CodeStatus::REDEEMED;
  redeemed.redeemed_at = context.now;
  redeemed.customer_id = holder.customer;
  redeemed.membership_id = membership->id;
  write(context, *found, redeemed);
  return *membership;
}

void withdraw_code(const ActionContext& context, const MembershipCodeId& id,
                   FunctionRef<void(const MembershipCode&)> precondition) {
  const auto found = context.tx.one(code_by_id(context.tenant, id));
  if (!found) throw not_found("Code");
  if (found->status == CodeStatus::REDEEMED) throw bad_request("CODE_REDEEMED", "The code was redeemed already.");
  precondition(*found);
  if (found->status == CodeStatus::WITHDRAWN) return;
  MembershipCode withdrawn = *found;
  withdrawn.status = CodeStatus::WITHDRAWN;
  write(context, *found, withdrawn);
}

}  // namespace guildhall
