#include "features/discounts/discount_actions.h"

#include "features/discounts/discount_store.h"
#include "storage/metadata_index.h"
#include "storage/record.h"

namespace guildhall {

Discount create_discount(const ActionContext& context, const NewDiscount& input) {
  Discount discount = discount_from(input, context.tenant, context.now);
  insert_discount(context.tx, discount);
  index_metadata<Discount>(context.tx, "discounts", nullptr, &discount);
  context.audit_created({"discount", discount.id.text()}, discount);
  return discount;
}

Discount change_discount(const ActionContext& context, const DiscountId& id, FunctionRef<void(Discount&)> edit) {
  auto discount = context.tx.one(discount_by_id(context.tenant, id));
  if (!discount) throw not_found("Discount");
  const Discount before = *discount;
  edit(*discount);
  if (!needs_write(before, *discount)) return before;
  ++discount->revision.value;
  discount->updated_at = context.now;
  update_discount(context.tx, *discount);
  index_metadata(context.tx, "discounts", &before, &*discount);
  context.audit_change({"discount", id.text()}, &before, &*discount);
  return std::move(*discount);
}

void delete_discount(const ActionContext& context, const DiscountId& id,
                     FunctionRef<void(const Discount&)> precondition) {
  auto discount = context.tx.one(discount_by_id(context.tenant, id));
  if (!discount) throw not_found("Discount");
  precondition(*discount);
  discount->deleted_at.value = context.now;
  ++discount->revision.value;
  update_discount(context.tx, *discount);
  index_metadata<Discount>(context.tx, "discounts", &*discount, nullptr);
  context.audit_deleted({"discount", id.text()}, *discount);
}

}  // namespace guildhall
