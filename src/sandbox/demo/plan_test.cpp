#include "sandbox/demo/plan.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/codec.h"
#include "sandbox/demo/catalogue.h"
#include "sandbox/demo/people.h"
#include "sandbox/demo/pictures.h"

namespace guildhall::demo {
namespace {

constexpr Instant noon{1'794'830'400'000};
constexpr PlanRequest request{.first_order = 0, .orders = 420, .first_customer = 0, .customers = 40, .now = noon};

bool same(const Plan& a, const Plan& b) {
  return std::ranges::equal(a.steps, b.steps, [](const Step& x, const Step& y) {
    return x.at == y.at && x.kind == y.kind && x.order == y.order;
  });
}

TEST(DemoPlan, is_the_same_every_time) {
  EXPECT_TRUE(same(make_plan(request), make_plan(request)));
  PlanRequest other = request;
  other.first_order = 1;
  EXPECT_FALSE(same(make_plan(request), make_plan(other)));
}

TEST(DemoPlan, is_in_the_order_of_time_and_ends_now) {
  const Plan plan = make_plan(request);
  ASSERT_EQ(plan.orders.size(), 420u);
  std::set<std::size_t> placed, customers;
  Instant last = noon - history_length;
  for (const Step& step : plan.steps) {
    EXPECT_LE(last, step.at);
    last = step.at;
    if (step.kind >= StepKind::contribute) continue;
    if (step.kind == StepKind::place) placed.insert(step.order);
    EXPECT_TRUE(placed.contains(step.order)) << "a step of an order that does not exist yet";
  }
  EXPECT_LE(last, noon);
  EXPECT_EQ(placed.size(), 420u);
  for (const PlannedOrder& order : plan.orders) customers.insert(order.customer);
  EXPECT_EQ(customers.size(), 40u);
}

TEST(DemoPlan, contains_every_kind_of_step_at_every_time_of_the_day) {
  for (int hour = 0; hour < 24; hour += 5) {
    PlanRequest at = request;
    at.now = noon + std::chrono::hours(hour);
    const Plan plan = make_plan(at);
    std::map<StepKind, int> kinds;
    for (const Step& step : plan.steps) ++kinds[step.kind];
    for (StepKind kind = StepKind::place; kind <= StepKind::count_stock;
         kind = static_cast<StepKind>(static_cast<int>(kind) + 1)) {
      EXPECT_GT(kinds[kind], 0) << static_cast<int>(kind) << " at hour " << hour;
    }
  }
}

// The state that an order has at the end of its steps. Money that was too little leaves it unpaid.
std::string_view last_state(const Plan& plan, std::size_t order) {
  std::string_view state;
  for (const Step& step : plan.steps) {
    if (step.order != order) continue;
    if (step.kind == StepKind::place) state = "pending";
    if (step.kind == StepKind::pay && plan.orders[order].paid_percent >= 100) state = "paid";
    if (step.kind == StepKind::resolve_flag) state = "paid";
    if (step.kind == StepKind::fulfil) state = "fulfilling";
    if (step.kind == StepKind::ship) state = "shipped";
    if (step.kind == StepKind::complete) state = "complete";
    if (step.kind == StepKind::cancel || step.kind == StepKind::expire) state = "cancelled";
    if (step.kind == StepKind::refund) state = "refunded";
  }
  return state;
}

TEST(DemoPlan, leaves_orders_in_every_state_at_every_time_of_the_week) {
  for (int minutes = 0; minutes < 7 * 24 * 60; minutes += 97) {
    PlanRequest at = request;
    at.now = noon + std::chrono::minutes(minutes);
    const Plan plan = make_plan(at);
    std::set<std::string_view> states;
    for (std::size_t order = 0; order < plan.orders.size(); ++order) states.insert(last_state(plan, order));
    for (const char* state : {"pending", "paid", "fulfilling", "shipped", "complete", "cancelled", "refunded"}) {
      EXPECT_TRUE(states.contains(state)) << state << " after " << minutes << " minutes";
    }
  }
}

TEST(DemoPlan, sells_what_needs_a_role_only_to_those_who_have_bought_it) {
  const Plan plan = make_plan(request);
  std::set<std::size_t> members;
  for (const PlannedOrder& order : plan.orders) {
    for (const PlannedItem& item : order.items) {
      if (item.product == membership()) members.insert(order.customer);
      if (catalogue()[item.product].required_role.empty()) continue;
      EXPECT_TRUE(members.contains(order.customer));
    }
  }
}

TEST(DemoPeople, are_different_people) {
  std::set<std::string> chat_ids, usernames, emails, names;
  for (std::size_t i = 0; i < 2000; ++i) {
    const Person one = person(i);
    chat_ids.insert(one.chat_id);
    usernames.insert(one.username);
    emails.insert(one.email);
    if (i < 40) names.insert(one.name);
    EXPECT_TRUE(is_email(one.email)) << one.email;
  }
  EXPECT_EQ(chat_ids.size(), 2000u);
  EXPECT_EQ(usernames.size(), 2000u);
  EXPECT_EQ(emails.size(), 2000u);
  EXPECT_EQ(names.size(), 40u);
  EXPECT_FALSE(chat_ids.contains(std::string(owner.chat_id)));
}

TEST(DemoPictures, exist_for_every_product_and_are_small) {
  std::set<std::string_view> names;
  for (const EmbeddedPicture& picture : embedded_pictures()) {
    names.insert(picture.name);
    for (const std::string_view bytes : {picture.large.text(), picture.thumbnail.text()}) {
      EXPECT_EQ(picture_type(bytes), PictureType::webp) << picture.name;
      EXPECT_LE(bytes.size(), 25'000u) << picture.name;
    }
  }
  EXPECT_TRUE(names.contains("logo"));
  for (const CatalogueProduct& product : catalogue()) EXPECT_TRUE(names.contains(product.picture)) << product.picture;
}

}  // namespace
}  // namespace guildhall::demo
