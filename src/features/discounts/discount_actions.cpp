#include "features/discounts/discount_actions.h"

namespace guildhall {

Discount create_discount(const ActionContext& context, const NewDiscount& input) {
  Discount discount = discount_from(input, context.tenant, context.now);
  insert_discount(context.tx, discount);
  discount_records.note(context, nullptr, &discount);
  return discount;
}

void delete_discount(const ActionContext& context, const DiscountId& id,
                     FunctionRef<void(const Discount&)> precondition) {
  Discount discount = discount_records.require(context, id);
  precondition(discount);
  discount.deleted_at.value = context.now;
  update_discount(context.tx, discount);
  discount_records.note(context, &discount, nullptr);
}

}  // namespace guildhall
