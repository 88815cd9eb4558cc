#include <boost/asio/this_coro.hpp>

#include "api/failure_reply.h"
#include "features/changes/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t resumed_changes_max = 2000;
constexpr std::int64_t retry_seconds = 15;

struct ChangesQuery {
  std::optional<std::string> last_event_id;  // for clients that cannot set the header
};
BOOST_DESCRIBE_STRUCT(ChangesQuery, (), (last_event_id))

struct Start {
  ChangePosition position;
  bool reload = false;
};

std::optional<std::string> last_event_id(const Call& call) {
  const auto query = call.query<ChangesQuery>();
  if (!call.request.has_header("last-event-id")) return query.last_event_id;
  return std::string(call.request.header("last-event-id"));
}

// True if the client has seen exactly the changes up to this position, and not too many have been made since.
Task<bool> can_resume(Database& db, const TenantId& tenant, const ChangePosition& position, const ChainHead& head) {
  if (position.sequence > head.sequence || head.sequence - position.sequence > resumed_changes_max) co_return false;
  const auto hash = co_await db.one(sealed_hash(tenant, position.sequence));
  co_return ChangePosition::of({position.sequence, hash.value_or("")}).hash == position.hash;
}

Task<Start> start_of(const Call& call, Database& db) {
  const std::optional<std::string> id = last_event_id(call);
  const ChainHead head = (co_await db.one(chain_head(call.tenant))).value_or(ChainHead{});
  if (!id) co_return Start{ChangePosition::of(head)};
  const auto position = ChangePosition::parse(*id);
  if (position && co_await can_resume(db, call.tenant, *position, head)) co_return Start{*position};
  co_return Start{ChangePosition::of(head), true};
}

Task<Reply> stream(Call& call, LiveChanges& changes) {
  if (changes.draining) throw unavailable("This server is about to stop.");
  http::Quota::Hold place = changes.feed.reserve(call.tenant);
  if (!place && changes.feed.is_full_for(call.tenant))
    co_return api::too_many_requests_reply(retry_seconds, retry_seconds);
  if (!place) throw unavailable("Too many streams of live changes are open.");
  const Start start = co_await start_of(call, changes.db);
  const auto opened =
      ChangeStream::open(changes, co_await boost::asio::this_coro::executor, call, std::move(place), start.position);
  Reply reply{.content_type = "text/event-stream", .body = opening(start.position)};
  if (start.reload) {
    reply.body += reload_event(start.position);
    changes.feed.reloads().add();
  }
  reply.more = [opened](std::string& piece) { return opened->next(piece); };
  reply.end = [opened] { opened->end(); };
  co_return std::move(reply).with("X-Accel-Buffering", "no");  // a proxy is to pass each event on at once
}

}  // namespace

std::vector<api::Route> change_routes(LiveChanges& changes) {
  return {
      route(Method::get, "/api/admin/changes", Access::data_read, "The tenant's changes as they are made", stream,
            changes)
          .takes_query<ChangesQuery>()
          .gives_events<LiveChange>(200, "Server-Sent Events: `change` with this data, and `reload`."),
  };
}

}  // namespace guildhall
