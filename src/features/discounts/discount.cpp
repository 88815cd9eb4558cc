#include "features/discounts/discount.h"

#include "base/text.h"

namespace guildhall {
namespace {

void merge(const ScopeChange& change, Discount& discount) {
  DiscountScope& scope = discount.scope;
  const auto set_list = [](const auto& list, std::vector<std::string>& target) {
    if (!list) return;
    target.clear();
    if (*list) target = (**list).value;
  };
  set_list(change.product_ids, scope.product_ids);
  set_list(change.role_ids, scope.role_ids);
  set_list(change.customer_ids, scope.customer_ids);
  if (!change.applies_to_all) {
    // Lists restrict the discount. Removing the last list does not make the discount apply to everything again: the
    // record is then invalid, and the client must send appliesToAll.
    if (!discount.scope_explicit && scope.has_list()) scope.applies_to_all = false;
  } else if (*change.applies_to_all != scope.applies_to_all || scope.has_list()) {
    discount.scope_explicit.value = *change.applies_to_all == true;
    scope.applies_to_all = (*change.applies_to_all).value_or(!scope.has_list());
  }
}

void merge(const LifecycleChange& change, DiscountLifecycle& lifecycle) {
  if (change.is_active) lifecycle.is_active = (*change.is_active).value_or(true);
  change.starts_at.apply_to(lifecycle.starts_at);
  change.ends_at.apply_to(lifecycle.ends_at);
  if (change.usage_limit) {
    lifecycle.usage_limit.reset();
    if (*change.usage_limit) lifecycle.usage_limit = (*change.usage_limit)->value;
  }
}

void set_amount(const std::optional<DiscountAmount>& amount, Discount& discount) {
  discount.amount_cents.reset();
  if (amount) discount.amount_cents = Cents(amount->value);
}

std::vector<Problem> problems_of(const Discount& discount) {
  std::vector<Problem> problems;
  const DiscountScope& scope = discount.scope;
  const DiscountLifecycle& lifecycle = discount.lifecycle;
  if (discount.type == DiscountType::PERCENT && !discount.percent) {
    problems.push_back({"percent", "is required when type is PERCENT"});
  }
  if (discount.type == DiscountType::AMOUNT && !discount.amount_cents) {
    problems.push_back({"amountCents", "is required when type is AMOUNT"});
  }
  if (!scope.applies_to_all && !scope.has_list()) {
    problems.push_back({"scope.appliesToAll", "may be false only with productIds, roleIds or customerIds"});
  }
  if (lifecycle.starts_at && lifecycle.ends_at && *lifecycle.ends_at <= *lifecycle.starts_at) {
    problems.push_back({"lifecycle.endsAt", "must be after startsAt"});
  }
  return problems;
}

// Sets the columns that are derived from others.
void settle(Discount& discount) {
  discount.code_key.value.reset();
  if (discount.code) discount.code_key.value = folded(*discount.code);
  discount.usage_limit.value = discount.lifecycle.usage_limit;
}

Discount assembled(const NewDiscount& input, const TenantId& tenant, Instant now) {
  Discount discount;
  discount.id = DiscountId::make(now);
  discount.tenant_id = tenant;
  if (input.code) discount.code = input.code->value;
  discount.type = input.type;
  discount.percent = input.percent;
  set_amount(input.amount_cents, discount);
  discount.currency = input.currency;
  if (input.scope) {
    merge(*input.scope, discount);
    discount.scope_explicit.value = input.scope->applies_to_all && *input.scope->applies_to_all == true;
  }
  if (input.lifecycle) merge(*input.lifecycle, discount.lifecycle);
  discount.metadata = metadata_from(input.metadata);
  discount.created_at = discount.updated_at = now;
  discount.version = discount.revision = {1};
  settle(discount);
  return discount;
}

void require_sense(const Discount& discount) {
  if (auto problems = problems_of(discount); !problems.empty()) throw invalid_fields(std::move(problems));
}

}  // namespace

Discount discount_from(const NewDiscount& input, const TenantId& tenant, Instant now) {
  Discount discount = assembled(input, tenant, now);
  require_sense(discount);
  return discount;
}

void check(const NewDiscount& input, Decoder& decoder) {
  for (Problem& problem : problems_of(assembled(input, {}, {}))) {
    const bool depends_on_type = problem.field == "percent" || problem.field == "amountCents";
    const bool is_unknown = decoder.found_in(problem.field) || (depends_on_type && decoder.found_in("type")) ||
                            (problem.field.starts_with("scope.") && decoder.found_in("scope"));
    if (!is_unknown) decoder.problem(std::move(problem));
  }
}

void apply(const DiscountPatch& patch, Discount& discount) {
  patch.code.apply_to(discount.code);
  patch.type.apply_to(discount.type);
  patch.percent.apply_to(discount.percent);
  if (patch.amount_cents) set_amount(*patch.amount_cents, discount);
  patch.currency.apply_to(discount.currency);
  if (patch.scope) {
    if (!*patch.scope) {
      discount.scope = {};
      discount.scope_explicit = {false};
    } else {
      merge(**patch.scope, discount);
    }
  }
  if (patch.lifecycle) {
    if (!*patch.lifecycle) {
      discount.lifecycle = {};
    } else {
      merge(**patch.lifecycle, discount.lifecycle);
    }
  }
  apply(patch.metadata, discount.metadata);
  settle(discount);
  require_sense(discount);
}

void require_usable(const Discount& discount, Instant now) {
  const DiscountLifecycle& lifecycle = discount.lifecycle;
  if (!lifecycle.is_active) throw bad_request("DISCOUNT_INACTIVE", "The discount is not active.");
  if (lifecycle.starts_at && now < *lifecycle.starts_at) {
    throw bad_request("DISCOUNT_NOT_STARTED", "The discount has not started yet.");
  }
  if (lifecycle.ends_at && now >= *lifecycle.ends_at) {
    throw bad_request("DISCOUNT_EXPIRED", "The discount has expired.");
  }
  if (lifecycle.usage_limit && discount.usage_count >= *lifecycle.usage_limit) throw discount_limit_reached();
}

Failure discount_not_found() {
  return bad_request("DISCOUNT_NOT_FOUND", "There is no such discount.");
}

Failure discount_limit_reached() {
  return bad_request("DISCOUNT_LIMIT_REACHED", "The discount has been used as often as it may be.");
}

Failure discount_not_eligible(std::string_view why) {
  return bad_request("DISCOUNT_NOT_ELIGIBLE", fmt::format("The discount does not apply to this order: {}.", why));
}

Failure discount_code_taken() {
  return bad_request("DISCOUNT_CODE_TAKEN", "Another discount has this code already.");
}

}  // namespace guildhall
