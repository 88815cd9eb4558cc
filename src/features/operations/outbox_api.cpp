#include "api/resource.h"
#include "features/action.h"
#include "features/operations/routes.h"
#include "outbox/message.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;
using outbox::StoredMessage;

struct OutboxQuery {
  std::optional<outbox::MessageStatus> status;
  std::optional<Bounded<1, 200>> limit;
  std::optional<Position> cursor;

  api::ListQuery page() const { return {limit, cursor}; }
};
BOOST_DESCRIBE_STRUCT(OutboxQuery, (), (status, limit, cursor))

// Ids increase with time, so a cursor needs only the id. This one is greater than all ids.
const std::string above_all = "~";

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<OutboxQuery>();
  co_return co_await api::read_page(db, query.page(), [&](const Position& position, std::int64_t rows) {
    return messages_below(call.tenant, query.status, position.id.empty() ? above_all : position.id, rows);
  });
}

Task<Reply> retry(Call& call, Database& db) {
  const OutboxMessageId id(call.param(0));
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const bool queued = outbox::queue_again(tx, call.tenant, id, call.now);
    const auto message = tx.one(outbox::message_by_id(call.tenant, id));
    if (!message) throw not_found("Message");
    if (!queued) throw bad_request("MESSAGE_DONE", "The message has been delivered already.");
    action_of(call, tx).audit({"outbox-message", id.text()}, "queued");
    return api::json_reply(200, *message);
  });
}

}  // namespace

std::vector<api::Route> outbox_routes(Database& db) {
  return {
      route(Method::get, "/api/admin/outbox", Access::admin, "Messages of the outbox, newest first", list, db)
          .takes_query<OutboxQuery>()
          .gives<api::Page<StoredMessage>>(200, "A page; with status only those of that status."),
      route(Method::post, "/api/admin/outbox/:id/retry", Access::admin, "Queue a message again, a dead one too", retry,
            db)
          .gives<StoredMessage>(200, "The message, due now."),
  };
}

}  // namespace guildhall
