#include "features/memberships/membership_code_actions.h"

#include "base/typed_code.h"
#include "features/catalog/product_store.h"
#include "features/memberships/membership_code_store.h"

namespace guildhall {
namespace {

void write(const ActionContext& context, const MembershipCode& before, MembershipCode& after) {
  after.updated_at = context.now;
  update_code(context.tx, after);
  context.audit_change({"membership-code", after.id.text()}, &before, &after);
}

void require_room_for(Tx& tx, const CodeBatch& batch) {
  const std::int64_t room = open_codes_max - batch.input().count.value;
  if (*tx.one(number_of_open_codes(batch.tenant(), open_codes_max)) > room) throw too_many_codes();
}

}  // namespace

void require_membership(Tx& tx, const TenantId& tenant, const ProductId& id) {
  const auto product = tx.one(product_by_id(tenant, id));
  if (!product || !product->membership) throw invalid_field("productId", "must be a product that is a membership");
}

std::int64_t require_possible_codes(Tx& tx, const CodeBatch& batch) {
  require_membership(tx, batch.tenant(), batch.input().product_id);
  const std::int64_t batches = tx.one(opened_batches(batch.tenant())).value_or(0);  // read before they are counted
  require_room_for(tx, batch);
  return batches;
}

void open_codes(const ActionContext& context, const CodeBatch& batch, std::int64_t batches) {
  if (count_batch(context.tx, context.tenant) != batches + 1) require_room_for(context.tx, batch);
  if (open_batch(context.tx, batch) != batch.input().count.value) {
    throw std::runtime_error("codes of a batch are missing");
  }
  const MadeCodes made = summary_of(batch);
  context.audit_created({"membership-code", made.first_id.text()}, made);
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
