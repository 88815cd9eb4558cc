#include "api/resource.h"
#include "base/log.h"
#include "features/action.h"
#include "features/memberships/membership_code_actions.h"
#include "features/memberships/membership_code_store.h"
#include "features/memberships/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct MadeMembershipCodes {
  std::int64_t count = 0;
  std::optional<std::vector<std::string>> codes;  // null in a reply that is sent again: they are shown once
};
BOOST_DESCRIBE_STRUCT(MadeMembershipCodes, (), (count, codes))

MembershipCodeId code_in_path(const Call& call) {
  return MembershipCodeId(call.param(0));
}

// Other writers get their turn between two portions.
constexpr std::size_t codes_a_portion = 100;

// Returns how often codes were opened before.
Task<std::int64_t> store_codes(Database& db, const CodeBatch& batch) {
  const std::int64_t batches = co_await db.read([&](Tx& tx) { return require_possible_codes(tx, batch); });
  for (std::size_t begin = 0; begin < batch.codes().size(); begin += codes_a_portion) {
    const std::size_t end = std::min(batch.codes().size(), begin + codes_a_portion);
    co_await db.write([&](Tx& tx) {
      for (std::size_t number = begin; number < end; ++number) insert_code(tx, batch.record(number));
    });
  }
  co_return batches;
}

// Deletes the codes of a request that has failed. If this fails, too, withdrawn codes remain that nobody knows.
Task<> delete_codes(Database& db, const CodeBatch& batch) {
  try {
    for (std::int64_t deleted = codes_a_portion; deleted == codes_a_portion;) {
      deleted = co_await db.write([&](Tx& tx) { return delete_some_of_batch(tx, batch, codes_a_portion); });
    }
  } catch (const std::exception& error) {
    log::warn("codes of a request that has failed remain as withdrawn", {{"error", error.what()}});
  }
}

Task<Reply> store_and_open(Call& call, Database& db, const Events& events, const CodeBatch& batch) {
  const std::int64_t batches = co_await store_codes(db, batch);
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    open_codes(action_of(call, tx, events), batch, batches);
    return api::json_reply(201, MadeMembershipCodes{.count = batch.input().count.value, .codes = std::nullopt});
  });
}

Task<Reply> post_codes(Call& call, Database& db, const Events& events) {
  if (auto earlier = co_await api::earlier_reply(call, db)) co_return std::move(*earlier);
  const auto body = call.partial_body<NewMembershipCodes>();
  if (!body.problems.empty()) {
    const ProductId& product = body.value.product_id;
    co_await api::refuse_body(db, body.problems, [&](Tx& tx) { require_membership(tx, call.tenant, product); });
  }
  const CodeBatch batch(body.value, call.tenant, call.now);
  Reply stored;
  std::exception_ptr failure;
  try {
    stored = co_await store_and_open(call, db, events, batch);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure || api::is_replayed(stored)) co_await delete_codes(db, batch);
  if (failure) std::rethrow_exception(failure);
  if (api::is_replayed(stored)) co_return stored;
  co_return api::json_reply(201, MadeMembershipCodes{.count = batch.input().count.value, .codes = batch.codes()});
}

Task<Reply> get_code(Call& call, Database& db) {
  return api::find_one(db, code_by_id(call.tenant, code_in_path(call)), "Code");
}

Task<Reply> list_codes(Call& call, Database& db) {
  return api::list_records<MembershipCodeQuery, MembershipCode>(call, db, code_listing());
}

Task<Reply> withdraw(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    withdraw_code(action_of(call, tx, events), code_in_path(call), precondition);
  });
}

}  // namespace

std::vector<api::Route> membership_code_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/admin/codes", one = "/api/admin/codes/:id";
  return {
      route(Method::post, all, Access::admin, "Make codes that give a membership", post_codes, db, events)
          .takes_at_cost<NewMembershipCodes>(cost_of)
          .gives<MadeMembershipCodes>(201, "The codes, which are shown only now."),
      route(Method::get, all, Access::admin, "A page of codes", list_codes, db)
          .takes_query<MembershipCodeQuery>()
          .gives<api::ListPage<MembershipCode>>(200, "Newest first, without the codes themselves."),
      route(Method::get, one, Access::admin, "One code", get_code, db).gives<MembershipCode>(200, "The code's record."),
      route(Method::del, one, Access::admin, "Withdraw a code", withdraw, db, events)
          .gives(204, "It can no longer be redeemed."),
  };
}

}  // namespace guildhall
