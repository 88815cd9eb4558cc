#include "features/memberships/membership_actions.h"

#include "features/catalog/product_store.h"
#include "features/customers/customer_store.h"
#include "features/memberships/membership_store.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_number.h"
#include "features/tenancy/shop_defaults.h"
#include "storage/record.h"

namespace guildhall {
namespace {

using enum MembershipStatus;

// A payment that arrives at the moment of the end finds the role still there.
constexpr std::chrono::seconds removal_delay{30};

std::string member_key_of(const Holder& holder, const GivenTime& given) {
  if (holder.chat_user) return "chat/" + *holder.chat_user;
  if (holder.customer) return "customer/" + holder.customer->text();
  return given.source_key;
}

Membership new_membership(const ActionContext& context, const GivenTime& given) {
  Membership made;
  made.id = MembershipId::make(context.now);
  made.tenant_id = context.tenant;
  made.created_at = context.now;
  made.member_key.value = member_key_of(given.holder, given);
  made.group_key.value = group_key_of(given.product);
  return made;
}

MembershipPeriod period_of(const ActionContext& context, const GivenTime& given, const MembershipId& membership) {
  const PeriodLength list = length_of(*given.product.membership);
  return {.id = MembershipPeriodId::make(context.now),
          .tenant_id = context.tenant,
          .membership_id = membership,
          .product_id = given.product.id,
          .kind = given.kind,
          .order_id = given.order,
          .code_id = given.code,
          .gifted_by = given.gifted_by,
          .months = given.length.months,
          .days = given.length.days,
          .value_cents = given.value_cents,
          .currency = given.product.currency,
          .paid_at = context.now,
          .refunded_at = std::nullopt,
          .time_zone = read_shop_defaults(context.tx, context.tenant).time_zone.name(),
          .list_months = {list.months},
          .list_days = {list.days},
          .list_cents = {given.product.price_cents.value()},
          .grace_days = {given.product.membership->grace_days.value},
          .source_key = {given.source_key}};
}

const MembershipPeriod* last_of(const Membership& membership, const std::vector<MembershipPeriod>& periods) {
  const auto found = std::ranges::find(periods, membership.last_period_id.value, &MembershipPeriod::id);
  return found == periods.end() ? nullptr : &*found;
}

Instant last_paid_at(const Membership& membership, const std::vector<MembershipPeriod>& periods) {
  const MembershipPeriod* last = last_of(membership, periods);
  return last == nullptr ? membership.started_at : last->paid_at;
}

void take_terms(Membership& membership, const MembershipTerms& terms) {
  membership.reminder_days.value.assign(terms.reminder_days.value.begin(), terms.reminder_days.value.end());
  membership.renewal.value = terms.renewal;
}

void write(const ActionContext& context, const Membership* before, Membership& after) {
  after.updated_at = context.now;
  write_membership(context.tx, after);
  index_metadata(context.tx, "memberships", before, &after);
  context.audit_change({"membership", after.id.text()}, before, &after);
}

void grant(const ActionContext& context, const Membership& membership, const Product& product,
           const std::vector<MembershipPeriod>& periods) {
  const MembershipPeriod* last = last_of(membership, periods);
  const OrderId order = last == nullptr  ? OrderId(membership.id.text())
                        : last->order_id ? *last->order_id
                                         : OrderId(last->id.text());
  const Holder holder{membership.user_id, membership.customer_id, membership.chat_user_id};
  grant_membership(context, {membership.id, product, holder, order, membership.expires_at});
}

// Computes the times, writes the membership, and brings the entitlements in line. `before` is null for a new one.
void settle(const ActionContext& context, const Membership* before, Membership& after,
            const std::vector<MembershipPeriod>& periods, bool has_new_period, RevocationReason reason) {
  set_times(after, periods, context.now);
  const bool begins = before == nullptr || before->status != ACTIVE || before->product_id != after.product_id;
  std::optional<Product> product;
  if (after.status == ACTIVE && (begins || has_new_period)) {
    product = context.tx.one(product_by_id(context.tenant, after.product_id));
    if (product && product->membership) take_terms(after, *product->membership);
  }
  if (before == nullptr || before->last_period_id.value != after.last_period_id.value) after.renewal_order_id.reset();
  // A refund may have made a reminder due that should already have been sent.
  const Instant paid_at = last_paid_at(after, periods);
  const bool is_due = !reminders_due(after, paid_at, context.now).empty();
  after.due_at.value = is_due ? context.now : next_due(after, paid_at, context.now);
  write(context, before, after);
  if (product) {
    grant(context, after, *product, periods);
  } else if (after.status == ACTIVE) {
    set_membership_end(context, after.id, after.expires_at);
  } else {
    revoke_membership(context, after.id, after.status == PAUSED ? RevocationReason::PAUSED : reason, context.now);
  }
}

void announce_end(const ActionContext& context, const Membership& membership) {
  insert_fact(context.tx, membership, {MembershipFactKind::ENDED, context.now});
  context.emit(MembershipEnded{membership});
}

// Locks the membership until the commit.
Membership read_membership(const ActionContext& context, const MembershipId& id) {
  lock_membership(context.tx, context.tenant, id);
  auto membership = context.tx.one(membership_by_id(context.tenant, id));
  if (!membership) throw not_found("Membership");
  return std::move(*membership);
}

void require_possible(const Membership& membership, MembershipChangeKind kind, Instant now) {
  const bool is_running = membership.status == ACTIVE && now < membership.expires_at;
  switch (kind) {
    case MembershipChangeKind::PAUSED:
      if (!is_running) throw membership_not_active();
      break;
    case MembershipChangeKind::RESUMED:
      if (membership.status != PAUSED) throw membership_not_paused();
      break;
    case MembershipChangeKind::CANCELLED:
      if (membership.status == ENDED) throw membership_not_active();
      break;
  }
}

void emit_change(const ActionContext& context, const Membership& membership, MembershipChangeKind kind) {
  switch (kind) {
    case MembershipChangeKind::PAUSED:
      return context.emit(MembershipPaused{membership});
    case MembershipChangeKind::RESUMED:
      return context.emit(MembershipResumed{membership});
    case MembershipChangeKind::CANCELLED:
      return context.emit(MembershipCancelled{membership});
  }
}

// `membership` and `periods` include the new change.
void require_few_changes(const Membership& membership, const std::vector<MembershipPeriod>& periods) {
  const auto plan_changes = std::ranges::count(periods, PeriodKind::PLAN_CHANGE, &MembershipPeriod::kind);
  const std::size_t all = membership.changes.value.size() + static_cast<std::size_t>(plan_changes);
  if (all > membership_changes_max) throw too_many_membership_changes();
}

// Places the order with which the member can renew, if the plan says so and the product can be sold.
std::optional<OrderId> place_renewal(const ActionContext& context, const Membership& membership) {
  const auto product = context.tx.one(product_by_id(context.tenant, membership.product_id));
  if (!product || !product->is_active || !product->membership || !in_stock(*product)) return std::nullopt;
  if (product->price_cents == Cents()) return std::nullopt;
  std::optional<Customer> customer;
  if (membership.customer_id) customer = context.tx.one(customer_by_id(context.tenant, *membership.customer_id));
  NewOrder input;
  input.order_number.value = next_order_number(context.tx, context.tenant);
  input.items.value = {
      {.product_id = product->id, .name = {}, .sku = {}, .quantity = {1}, .unit_price_cents = {}, .currency = {}}};
  input.currency = product->currency;
  input.customer.name.value = customer ? customer->chat_display_name : "Member";
  if (customer && customer->email) input.customer.email = Email{*customer->email};
  if (membership.chat_user_id) input.customer.chat_id = Key{*membership.chat_user_id};
  input.customer_id = membership.customer_id;
  return place_order(context, input, membership.grace_ends_at).id;
}

// Of several reminders that are due at once only the most urgent one is sent.
void remind(const ActionContext& context, Membership& membership, Instant paid_at) {
  bool is_new = false;
  for (const std::int64_t day : reminders_due(membership, paid_at, context.now)) {
    is_new = insert_reminder(context.tx, membership, day, context.now);
  }
  if (!is_new) return;
  if (membership.renewal.value == MembershipRenewal::invoice && !membership.renewal_order_id) {
    membership.renewal_order_id = place_renewal(context, membership);
  }
  context.emit(MembershipEnding{membership});
}

void end(const ActionContext& context, Membership& membership) {
  membership.status = ENDED;
  revoke_membership(context, membership.id, RevocationReason::EXPIRED, context.now + removal_delay);
  announce_end(context, membership);
}

}  // namespace

std::optional<Membership> give_time(const ActionContext& context, const GivenTime& given) {
  const std::string member = member_key_of(given.holder, given), group = group_key_of(given.product);
  lock_membership_of(context.tx, context.tenant, member, group);
  const auto found = context.tx.one(membership_of(context.tenant, member, group));
  Membership membership = found ? *found : new_membership(context, given);
  const MembershipPeriod period = period_of(context, given, membership.id);
  if (!insert_period(context.tx, period)) return std::nullopt;
  membership.user_id = given.holder.id;
  membership.customer_id = given.holder.customer;
  membership.chat_user_id = given.holder.chat_user;
  const auto periods = context.tx.all(periods_of_membership(context.tenant, membership.id));
  if (periods.size() > membership_periods_max) throw too_many_membership_periods();
  settle(context, found ? &*found : nullptr, membership, periods, true, RevocationReason::EXPIRED);
  const bool starts = !found || found->status == ENDED;
  const auto kind = starts ? MembershipFactKind::STARTED : MembershipFactKind::RENEWED;
  insert_fact(context.tx, membership, {kind, context.now, period.value_cents});
  if (starts) {
    context.emit(MembershipStarted{membership, period});
  } else {
    context.emit(MembershipRenewed{membership, period});
  }
  return membership;
}

void give_time_for_order(const ActionContext& context, const MembershipPaid& paid) {
  const auto& [order, product, holder] = paid;
  std::int64_t quantity = 0;
  for (const OrderItem& item : order.items) {
    if (item.product_id == product.id) quantity = std::min(quantity + item.quantity.value, safe_integer_max);
  }
  GivenTime given{.product = product,
                  .holder = holder,
                  .length = length_of(*product.membership, quantity),
                  .value_cents = order.currency == product.currency ? paid_for(order, product.id).value()
                                                                    : product.price_cents.value(),
                  .source_key = fmt::format("order/{}/{}", order.id.text(), product.id.text()),
                  .order = order.id};
  if (order.gift_to) given.gifted_by = order.customer.chat_id ? order.customer.chat_id->value : order.customer.name;
  give_time(context, given);
}

void take_time_of_order(const ActionContext& context, const OrderId& order) {
  auto taken = context.tx.all(periods_of_order(context.tenant, order));
  std::ranges::sort(taken, {}, &MembershipPeriod::product_id);
  for (const MembershipPeriod& period : taken) {
    const Membership before = read_membership(context, period.membership_id);
    if (!mark_refunded(context.tx, period, context.now)) continue;
    Membership after = before;
    const auto periods = context.tx.all(periods_of_membership(context.tenant, before.id));
    settle(context, &before, after, periods, false, RevocationReason::REFUNDED);
    if (before.status != ENDED && after.status == ENDED) announce_end(context, after);
  }
}

Membership start_trial(const ActionContext& context, const Product& product, const Holder& holder) {
  if (!product.membership || product.membership->trial_days.value == 0) {
    throw bad_request("NO_TRIAL", "This product cannot be tried.");
  }
  GivenTime given{.product = product,
                  .holder = holder,
                  .kind = PeriodKind::TRIAL,
                  .length = {.days = product.membership->trial_days.value},
                  .source_key = {}};
  const std::string member = member_key_of(holder, given);
  given.source_key = fmt::format("trial/{}/{}", product.id.text(), member);
  const auto used = bad_request("TRIAL_USED", "A trial is only for those who have not had this membership before.");
  if (context.tx.one(membership_of(context.tenant, member, group_key_of(product)))) throw used;
  auto started = give_time(context, given);
  if (!started) throw used;
  return std::move(*started);
}

Membership change_membership(const ActionContext& context, const MembershipId& id, MembershipChangeKind kind,
                             FunctionRef<void(const Membership&)> precondition) {
  const Membership before = read_membership(context, id);
  require_possible(before, kind, context.now);
  precondition(before);
  if (kind == MembershipChangeKind::CANCELLED && before.cancelled_at) return before;
  Membership after = before;
  after.changes.value.push_back({kind, context.now});
  const auto periods = context.tx.all(periods_of_membership(context.tenant, id));
  require_few_changes(after, periods);
  settle(context, &before, after, periods, false, RevocationReason::EXPIRED);
  emit_change(context, after, kind);
  if (after.status == ENDED) announce_end(context, after);  // cancelled during the grace
  return after;
}

Membership describe_membership(const ActionContext& context, const MembershipId& id,
                               FunctionRef<void(Membership&)> edit) {
  const Membership before = read_membership(context, id);
  Membership after = before;
  edit(after);
  if (!needs_write(before, after)) return before;
  write(context, &before, after);
  return after;
}

Membership change_plan(const ActionContext& context, const MembershipId& id, const ProductId& plan,
                       FunctionRef<void(const Membership&)> precondition) {
  const Membership before = read_membership(context, id);
  precondition(before);
  if (before.product_id == plan) return before;
  const bool has_time = before.status == PAUSED || (before.status == ACTIVE && context.now < before.expires_at);
  if (!has_time) throw membership_not_active();
  const auto product = context.tx.one(product_by_id(context.tenant, plan));
  if (!product || !product->membership || group_key_of(*product) != before.group_key.value) {
    throw invalid_field("productId", "must be a plan of the same group and currency");
  }
  const Holder holder{before.user_id, before.customer_id, before.chat_user_id};
  const GivenTime given{.product = *product,
                        .holder = holder,
                        .kind = PeriodKind::PLAN_CHANGE,
                        .length = {},
                        .source_key = fmt::format("plan/{}", make_uuid(context.now))};
  const MembershipPeriod change = period_of(context, given, id);
  insert_period(context.tx, change);
  Membership after = before;
  const auto periods = context.tx.all(periods_of_membership(context.tenant, id));
  require_few_changes(after, periods);
  settle(context, &before, after, periods, true, RevocationReason::EXPIRED);
  if (after.expires_at <= after.paused_at.value_or(context.now)) {
    throw plan_not_possible("The time that is left has no value that could be credited.");
  }
  context.emit(MembershipRenewed{after, change});
  context.emit(MembershipPlanChanged{after});
  return after;
}

bool handle_due_membership(const ActionContext& context, const MembershipId& id) {
  lock_membership(context.tx, context.tenant, id);
  const auto found = context.tx.one(membership_by_id(context.tenant, id));
  if (!found || !found->due_at.value || *found->due_at.value > context.now) return false;
  Membership membership = *found;
  const Instant paid_at =
      last_paid_at(membership, context.tx.all(periods_of_membership(context.tenant, membership.id)));
  if (context.now >= membership.grace_ends_at) {
    end(context, membership);
  } else {
    remind(context, membership, paid_at);
  }
  membership.due_at.value = next_due(membership, paid_at, context.now);
  write(context, &*found, membership);
  return true;
}

void subscribe_memberships(Events& events) {
  events.subscribe<MembershipPaid>(give_time_for_order);
  events.subscribe<OrderRefunded>(
      [](const ActionContext& context, const OrderRefunded& event) { take_time_of_order(context, event.order.id); });
  events.subscribe<OrderCancelled>([](const ActionContext& context, const OrderCancelled& event) {
    if (event.order.paid_at) take_time_of_order(context, event.order.id);
  });
}

}  // namespace guildhall
