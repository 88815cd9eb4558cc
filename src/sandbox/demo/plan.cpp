#include "sandbox/demo/plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "sandbox/demo/catalogue.h"

namespace guildhall::demo {
namespace {

using std::chrono::days, std::chrono::hours, std::chrono::minutes, std::chrono::seconds, std::chrono::milliseconds;

constexpr std::uint64_t seed = 1'742;
constexpr minutes newest_age{20};  // of the newest order

// Numbers that are the same with every standard library, which its distributions do not promise.
class Dice {
 public:
  explicit Dice(std::uint64_t start) : numbers_(start) {}

  std::uint64_t below(std::uint64_t limit) { return numbers_() % limit; }
  bool percent(std::uint64_t chance) { return below(100) < chance; }
  double share() { return static_cast<double>(numbers_() >> 11) * 0x1p-53; }  // 0 to 1
  milliseconds between(milliseconds least, milliseconds most) {
    return least + milliseconds(static_cast<std::int64_t>(below(static_cast<std::uint64_t>((most - least).count()))));
  }

  // An index, each as often as its weight says.
  template <class Weights>
  std::size_t weighted(const Weights& weights) {
    std::uint64_t sum = 0;
    for (const auto weight : weights) sum += weight;
    std::uint64_t left = below(sum);
    std::size_t index = 0;
    for (; left >= weights[index]; ++index) left -= weights[index];
    return index;
  }

 private:
  std::mt19937_64 numbers_;
};

// Orders become more frequent with time, at weekends and in the evening.
constexpr std::uint64_t hour_weights[24] = {4, 2, 1, 1, 1, 1,  2,  3,  4,  5,  5,  6,
                                            7, 6, 6, 7, 8, 10, 12, 14, 15, 14, 11, 7};
constexpr std::uint64_t weekday_weights[7] = {62, 60, 66, 70, 88, 100, 96};  // from Monday

Instant order_time(Dice& dice, Instant now) {
  constexpr std::int64_t day = milliseconds(days(1)).count();
  for (;;) {
    const double progress = std::pow(dice.share(), 0.72);
    const auto age = milliseconds(static_cast<std::int64_t>(
        (1 - progress) * static_cast<double>(milliseconds(history_length - days(4)).count())));
    const std::int64_t date = (now - age).ms / day;
    const auto weekday = static_cast<std::size_t>((date + 3) % 7);  // 1970 began on a Thursday
    if (!dice.percent(weekday_weights[weekday])) continue;
    const auto hour = hours(dice.weighted(hour_weights));
    Instant at = Instant{date * day} + hour + dice.between(seconds(0), hours(1));
    while (at > now - newest_age) at = at - days(1);
    return at;
  }
}

std::vector<Instant> order_times(Dice& dice, const PlanRequest& request) {
  std::vector<Instant> times;
  for (std::size_t i = request.first_order; i < request.orders; ++i) times.push_back(order_time(dice, request.now));
  // Something is new in every demo shop, at whatever time of the day it is made.
  constexpr minutes recent[] = {minutes(24), minutes(71), minutes(160), minutes(290), minutes(430)};
  for (std::size_t i = 0; i < std::min(std::size(recent), times.size() / 20); ++i) times[i] = request.now - recent[i];
  std::sort(times.begin(), times.end());
  return times;
}

// Every third customer is a Keeper, whose first order is the membership.
bool is_keeper(std::size_t customer) {
  return customer % 3 == 0;
}

std::vector<PlannedItem> chosen_items(Dice& dice, std::size_t customer) {
  const auto products = catalogue();
  std::vector<std::uint64_t> weights;
  for (const CatalogueProduct& product : products) {
    weights.push_back(!product.required_role.empty() && !is_keeper(customer) ? 0 : product.popularity);
  }
  std::vector<PlannedItem> items;
  constexpr std::uint64_t count_weights[] = {55, 30, 15};
  for (std::size_t left = dice.weighted(count_weights) + 1; left > 0; --left) {
    const std::size_t product = dice.weighted(weights);
    weights[product] = 0;
    items.push_back({product, !products[product].is_digital() && dice.percent(18) ? 2 : 1});
  }
  return items;
}

PlannedOrder planned_order(Dice& dice, std::size_t customer, bool is_first) {
  PlannedOrder order{.customer = customer};
  constexpr std::int64_t amounts[] = {300, 500, 500, 1000, 1000, 2500, 5000};
  const std::int64_t amount = amounts[dice.below(std::size(amounts))];
  if (is_first && is_keeper(customer)) {
    order.items = {{membership(), 1}};
  } else if (dice.percent(7)) {
    order.contribution_cents = amount;
  } else {
    order.items = chosen_items(dice, customer);
    if (dice.percent(8)) order.contribution_cents = std::min<std::int64_t>(amount, 500);
  }
  order.anonymous = order.contribution_cents > 0 && dice.percent(30);
  constexpr std::uint64_t payer_weights[] = {34, 32, 7, 9, 18};
  order.payer = static_cast<Payer>(dice.weighted(payer_weights));
  return order;
}

bool is_shipped(const PlannedOrder& order) {
  return std::any_of(order.items.begin(), order.items.end(),
                     [](const PlannedItem& item) { return !catalogue()[item.product].is_digital(); });
}

// Writes the steps of one order, each after the one before it. Steps in the future are left out, and so the newest
// orders are still on their way.
class OrderSteps {
 public:
  OrderSteps(Dice& dice, Plan& plan, std::size_t order, Instant at, Instant now)
      : dice_(dice), plan_(plan), order_(order), at_(at), now_(now) {
    add(StepKind::place);
  }

  void after(milliseconds least, milliseconds most, StepKind kind) {
    at_ = at_ + dice_.between(least, most);
    add(kind);
  }
  Instant at() const { return at_; }
  milliseconds age() const { return milliseconds(now_.ms - at_.ms); }

 private:
  void add(StepKind kind) {
    if (at_ <= now_) plan_.steps.push_back({at_, kind, order_});
  }

  Dice& dice_;
  Plan& plan_;
  std::size_t order_;
  Instant at_, now_;
};

void deliver(Dice& dice, OrderSteps& steps) {
  steps.after(hours(3), hours(30), StepKind::fulfil);
  steps.after(minutes(30), hours(6), StepKind::print_label);
  steps.after(hours(4), hours(24), StepKind::ship);
  if (dice.percent(4)) steps.after(days(1), days(3), StepKind::fail_parcel);
  steps.after(days(2), days(6), StepKind::deliver);
  steps.after(hours(1), hours(24), StepKind::complete);
}

// Plans the payment. Returns whether it pays the order: money that is not the total is flagged, and what is older than
// a few days has been looked at by somebody.
bool pay(Dice& dice, PlannedOrder& order, OrderSteps& steps) {
  if (order.payer == Payer::cash) {
    steps.after(hours(2), hours(40), StepKind::pay);
  } else if (order.payer == Payer::gateway) {
    if (dice.percent(25)) order.paid_percent = dice.percent(50) ? 104 : 90;
    steps.after(minutes(12), minutes(80), StepKind::pay);
  } else {
    steps.after(minutes(1), minutes(14), StepKind::pay);
  }
  if (order.paid_percent == 100) return true;
  const bool is_resolved = steps.age() > days(9);
  if (is_resolved) steps.after(hours(2), hours(20), StepKind::resolve_flag);
  return is_resolved || order.paid_percent > 100;
}

void plan_life(Dice& dice, PlannedOrder& order, OrderSteps& steps) {
  if (order.payer != Payer::cash) steps.after(seconds(20), seconds(90), StepKind::open_payment);
  const std::uint64_t fate = dice.below(100);
  if (fate < 6) {  // forgotten
    if (order.payer != Payer::cash) steps.after(hours(2), hours(3), StepKind::expire_payment);
    return steps.after(hours(44), hours(46), StepKind::expire);
  }
  if (fate < 8) {
    steps.after(hours(1), hours(9), StepKind::cancel);
    if (order.payer != Payer::cash) steps.after(hours(1), hours(2), StepKind::expire_payment);
    return;
  }
  if (!pay(dice, order, steps)) return;
  const bool grants = std::any_of(order.items.begin(), order.items.end(),
                                  [](const PlannedItem& item) { return item.product == membership(); });
  if (grants) {
    steps.after(seconds(1), seconds(4), StepKind::grant_role);
  }
  if (is_shipped(order)) {
    deliver(dice, steps);
  } else {
    steps.after(seconds(2), seconds(40), StepKind::complete);
  }
  if (fate < 12) {
    steps.after(hours(20), days(9), StepKind::refund);
  } else if (fate < 15 && is_shipped(order)) {
    steps.after(hours(20), days(9), StepKind::refund_part);
  }
}

// WELCOME10 is used all the time. Orders that are added later use no other code. The sale lasted three weeks, and
// LANTERN5, whose uses are limited, is used now and then.
std::string_view chosen_discount(Dice& dice, const PlanRequest& request, Instant at, std::size_t& gifts_left) {
  const auto age = milliseconds(request.now.ms - at.ms);
  if (request.first_order == 0 && age > days(96) && age < days(117) && dice.percent(55)) return sale_code;
  if (dice.percent(12)) return welcome_code;
  if (gifts_left == 0 || !dice.percent(5)) return {};
  --gifts_left;
  return gift_code;
}

// The fund and the stock, once for each shop.
void plan_events(Plan& plan, const PlanRequest& request) {
  if (request.first_order == 0) {
    for (const int age : {131, 74}) plan.steps.push_back({request.now - days(age), StepKind::contribute});
    for (const int age : {88, 41, 9}) plan.steps.push_back({request.now - days(age), StepKind::disburse});
  }
  plan.steps.push_back({request.now - minutes(5), StepKind::count_stock});
}

// A flagged payment is always there to look at.
void flag_newest_coins(Plan& plan, const std::vector<Instant>& times, Instant now) {
  for (std::size_t i = plan.orders.size(); i-- > 0;) {
    const bool is_paid = std::any_of(plan.steps.begin(), plan.steps.end(),
                                     [&](const Step& step) { return step.order == i && step.kind == StepKind::pay; });
    if (plan.orders[i].payer == Payer::cash || !is_paid || plan.orders[i].items.empty()) continue;
    if (now - hours(3) < times[i]) continue;
    plan.orders[i].payer = Payer::gateway;
    plan.orders[i].paid_percent = 90;
    std::erase_if(plan.steps, [&](const Step& step) { return step.order == i && step.kind > StepKind::pay; });
    return;
  }
}

// So is an order that is being prepared: the last one that was sent is still to be sent, if there is no other.
void keep_one_in_preparation(Plan& plan) {
  std::vector<StepKind> last(plan.orders.size(), StepKind::place);
  for (const Step& step : plan.steps) last[step.order] = step.kind;
  const auto has_ended_with = [&](StepKind kind) { return std::find(last.rbegin(), last.rend(), kind); };
  if (has_ended_with(StepKind::fulfil) != last.rend() || has_ended_with(StepKind::print_label) != last.rend()) return;
  const auto sent = has_ended_with(StepKind::ship);
  if (sent == last.rend()) return;
  const auto order = static_cast<std::size_t>(last.rend() - sent) - 1;
  std::erase_if(plan.steps, [&](const Step& step) { return step.order == order && step.kind == StepKind::ship; });
}

// So is a role that could not be given: the newest one of an order that was not refunded.
void fail_newest_role(Plan& plan) {
  std::size_t refunded = plan.orders.size();
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    if (step->kind == StepKind::refund) refunded = step->order;
    if (step->kind != StepKind::grant_role || step->order == refunded) continue;
    plan.orders[step->order].role_fails = true;
    return;
  }
}

}  // namespace

Plan make_plan(const PlanRequest& request) {
  Dice dice(seed + request.first_order);
  const std::vector<Instant> times = order_times(dice, request);
  Plan plan;
  std::size_t arrived = request.first_customer, gifts_left = request.first_order == 0 ? 30 : 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    // Customers arrive one after the other; those who came early order most.
    const std::size_t new_customers = request.customers - request.first_customer;
    const bool is_first =
        arrived == 0 || (arrived < request.customers &&
                         i * new_customers * 11 >= (arrived - request.first_customer) * times.size() * 10);
    const std::size_t customer =
        is_first ? arrived++ : static_cast<std::size_t>(static_cast<double>(arrived) * std::pow(dice.share(), 1.4));
    PlannedOrder order = planned_order(dice, customer, is_first);
    if (!order.items.empty()) order.discount_code = chosen_discount(dice, request, times[i], gifts_left);
    OrderSteps steps(dice, plan, i, times[i], request.now);
    plan_life(dice, order, steps);
    plan.orders.push_back(std::move(order));
  }
  if (request.first_order == 0) {
    flag_newest_coins(plan, times, request.now);
    keep_one_in_preparation(plan);
    fail_newest_role(plan);
  }
  plan_events(plan, request);
  std::stable_sort(plan.steps.begin(), plan.steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
  return plan;
}

}  // namespace guildhall::demo
