#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/instant.h"

// The plan of the demo shop's past: which orders there were, and what happened to each of them when. Pure: the same
// request always gives the same plan.
namespace guildhall::demo {

struct PlanRequest {
  std::size_t first_order = 0;  // orders before this one exist already
  std::size_t orders = 0;       // the number of orders, those that exist included
  std::size_t first_customer = 0;
  std::size_t customers = 0;
  Instant now;
};

struct PlannedItem {
  std::size_t product = 0;  // index in catalogue()
  std::int64_t quantity = 1;
};

enum class Payer { wallet, app, coins, gateway, cash };

struct PlannedOrder {
  std::size_t customer = 0;
  std::vector<PlannedItem> items;
  std::int64_t contribution_cents = 0;  // to the community fund
  bool anonymous = false;
  std::string_view discount_code;
  Payer payer = Payer::cash;
  std::int64_t paid_percent = 100;  // of the total; other amounts are flagged
  bool role_fails = false;          // the buyer has left the chat server
};

enum class StepKind {
  place,
  open_payment,
  pay,
  expire_payment,
  resolve_flag,
  grant_role,
  fulfil,
  print_label,
  ship,
  fail_parcel,
  deliver,
  complete,
  cancel,       // by the shop
  expire,       // because nobody has paid
  refund,       // all of it
  refund_part,  // a fifth of it
  contribute,   // a contribution without an order; these three have no order
  disburse,     // a part of the fund's balance
  count_stock,
};

struct Step {
  Instant at;
  StepKind kind;
  std::size_t order = 0;  // index in Plan::orders
};

struct Plan {
  std::vector<PlannedOrder> orders;  // oldest first
  std::vector<Step> steps;           // in the order of time; none is later than now
};

constexpr std::chrono::days history_length{152};

Plan make_plan(const PlanRequest& request);

}  // namespace guildhall::demo
