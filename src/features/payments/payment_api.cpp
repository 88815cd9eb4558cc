#include "api/resource.h"
#include "features/action.h"
#include "features/payments/payment_actions.h"
#include "features/payments/payment_store.h"
#include "features/payments/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

Task<Reply> list(Call& call, Database& db) {
  return api::read_list(
      db, payment_listing(), call.tenant, call.query<PaymentQuery>(),
      [](std::string& out, const Row& row) { Codec<PaymentView>::encode(out, view_of(read_row<Payment>(row))); });
}

struct Resolution {
  Text<1000> note;
};
BOOST_DESCRIBE_STRUCT(Resolution, (), (note))

Task<Reply> resolve(Call& call, Database& db, const Events& events) {
  const auto input = call.body<Resolution>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::json_reply(
        200, view_of(resolve_attention(action_of(call, tx, events), PaymentId(call.param(0)), input.note)));
  });
}

}  // namespace

std::vector<api::Route> payment_routes(Database& db, const Events& events) {
  return {
      route(Method::get, "/api/admin/payments", Access::admin,
            "Payments; with attention=true those that somebody should look at", list, db)
          .takes_query<PaymentQuery>()
          .gives<api::ListPage<PaymentView>>(200, "Newest first."),
      route(Method::post, "/api/admin/payments/:id/resolve", Access::admin, "Somebody has looked at a flagged payment",
            resolve, db, events)
          .takes<Resolution>()
          .gives<PaymentView>(200, "The payment, without its flag; the note is in the audit trail."),
  };
}

}  // namespace guildhall
