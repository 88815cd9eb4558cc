#pragma once

#include "features/catalog/product.h"
#include "features/customers/customer.h"
#include "features/fulfilment/shipment.h"
#include "features/payments/payment.h"
#include "outbox/events.h"
#include "sandbox/demo/plan.h"

namespace guildhall::demo {

// The records of the shop that the orders of a plan refer to.
struct ShopRecords {
  TenantId tenant;
  std::vector<ProductId> products;  // in the order of catalogue()
  UserId owner, packer;
};

std::string order_number(std::size_t index);

// The prefix of the demo's order numbers.
constexpr std::string_view order_prefix = "LG-";
constexpr std::size_t first_number = 1001;

// Carries out a plan with the actions that the API, the bot and the webhooks use, each at the time and by the actor of
// the plan. So everything that follows from them (audit trail, timelines, reports, counters, the fund's ledger) is as
// if it had happened.
class History {
 public:
  // All of them must outlive this object. `first_order` is the number of orders that exist already.
  History(const ShopRecords& shop, const Plan& plan, std::size_t first_order);

  // Carries out some steps in the caller's transaction, which may be repeated. Messages to the chat platform and to
  // payment processors are marked as delivered: they belong to the past.
  void run(Tx& tx, std::span<const Step> steps);

 private:
  struct OrderRecords {
    OrderId order;
    ShipmentId shipment;
  };

  void run_step(Tx& tx, const Step& step);
  void run_order_step(const ActionContext& context, const Step& step);
  void place(const ActionContext& context, std::size_t index);
  Order require_order(const ActionContext& context, std::size_t index) const;
  Actor actor_of(const Step& step) const;

  const ShopRecords& shop_;
  const Plan& plan_;
  std::size_t first_order_;
  Events events_;
  std::vector<OrderRecords> records_;
};

}  // namespace guildhall::demo
