#include "api/idempotency.h"
#include "features/action.h"
#include "features/orders/order_store.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/payments/refunds/refund_service.h"
#include "features/payments/refunds/refund_store.h"
#include "features/payments/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct MadeRefund {
  OrderId order_id;
  OrderStatus order_status = OrderStatus::PAID;
  Cents amount_cents;    // of this request
  Cents refunded_cents;  // of the order in total, including this request
  std::string currency;
  std::vector<Refund> refunds;  // of this request: one for each payment that is refunded
};
BOOST_DESCRIBE_STRUCT(MadeRefund, (), (order_id, order_status, amount_cents, refunded_cents, currency, refunds))

struct RefundList {
  std::vector<Refund> items;
};
BOOST_DESCRIBE_STRUCT(RefundList, (), (items))

// Thrown to roll back the transaction of a dry run.
struct DryRun : std::exception {};

MadeRefund report(Tx& tx, const TenantId& tenant, const std::vector<Refund>& made) {
  const auto order = tx.one(order_by_id(tenant, made.front().order_id));
  MadeRefund result{.order_id = made.front().order_id, .currency = made.front().currency};
  if (order) result.order_status = order->status;
  for (const Refund& refund : made) {
    result.amount_cents += refund.amount_cents;
    result.refunds.push_back(*tx.one(refund_by_id(tenant, refund.id)));
  }
  for (const Refund& refund : tx.all(refunds_of_order(tenant, result.order_id))) {
    if (refund.status != RefundStatus::FAILED) result.refunded_cents += refund.amount_cents;
  }
  return result;
}

struct RefundCall {
  const Call& call;
  Database& db;
  const PaymentService& service;
  RefundInput input;

  std::vector<Refund> begin(Tx& tx) const {
    return begin_refunds(action_of(call, tx, service.events()), OrderId(call.param(0)), input);
  }

  // A processor's refund cannot be undone. So we find out first whether the refund would be refused after it, because
  // the fund no longer holds the order's contribution: everything is written and rolled back. Returns the failure.
  Task<std::optional<Failure>> dry_run() const {
    try {
      co_await db.write([&](Tx& tx) {
        for (const Refund& refund : begin(tx)) {
          finish_refund(action_of(call, tx, service.events()), refund.id, "", RefundCause::requested);
        }
        throw DryRun();
      });
    } catch (const Failure& failure) {
      co_return failure;
    } catch (const DryRun&) {
    }
    co_return std::nullopt;
  }
};

Task<Reply> refund(Call& call, Database& db, const PaymentService& service) {
  const RefundCall refund{call, db, service, call.request.body.empty() ? RefundInput{} : call.body<RefundInput>()};
  const std::optional<Failure> forbidden = co_await refund.dry_run();
  std::vector<Refund> made;
  Reply reply = co_await api::write_once(call, db, [&](Tx& tx) {
    if (forbidden) throw Failure(*forbidden);  // a repeated request with the same key does not get here
    made = refund.begin(tx);
    return api::json_reply(201, report(tx, call.tenant, made));
  });
  if (made.empty()) co_return reply;  // a repeated request
  for (const Refund& each : made) {
    if (each.status != RefundStatus::PENDING) continue;
    try {
      co_await carry_out_refund(db, service, call.actor(), each);
    } catch (const ProcessorFailure& failure) {
      if (failure.not_sent) throw refund_not_possible(fmt::format("Nothing was sent: {}.", failure.what()));
      throw bad_request("REFUND_REFUSED", fmt::format("The processor refuses the refund ({}).", failure.what()));
    }
  }
  co_return co_await db.read([&](Tx& tx) { return api::json_reply(201, report(tx, call.tenant, made)); });
}

Task<Reply> list(Call& call, Database& db) {
  const OrderId order(call.param(0));
  if (!co_await db.one(order_by_id(call.tenant, order))) throw not_found("Order");
  co_return api::json_reply(
      200, RefundList{co_await db.read([&](Tx& tx) { return tx.all(refunds_of_order(call.tenant, order)); })});
}

}  // namespace

std::vector<api::Route> refund_routes(Database& db, const PaymentService& service) {
  return {
      route(Method::post, "/api/data/order/:id/refund", Access::admin, "Return money that was paid for an order",
            refund, db, service)
          .takes<RefundInput>()
          .gives<MadeRefund>(201, "The refunds of this request."),
      route(Method::get, "/api/data/order/:id/refunds", Access::data_read, "The refunds of an order", list, db)
          .gives<RefundList>(200, "Newest first."),
  };
}

}  // namespace guildhall
