#include "api/resource.h"
#include "audit/audit_trail.h"
#include "features/operations/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct AuditQuery {
  std::optional<std::string> subject;
  std::optional<std::string> subject_id;
  std::optional<std::string> actor_id;
  std::optional<std::string> action;
  std::optional<Instant> from;
  std::optional<Instant> to;
  std::optional<Bounded<1, 200>> limit;
  std::optional<Position> cursor;
};
BOOST_DESCRIBE_STRUCT(AuditQuery, (), (subject, subject_id, actor_id, action, from, to, limit, cursor))

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<AuditQuery>();
  const AuditFilter filter{query.subject, query.subject_id, query.actor_id, query.action, query.from, query.to};
  co_return co_await api::read_page(
      db, {query.limit, query.cursor},
      [&](const Position& position, std::int64_t rows) {
        return audit_records(call.tenant, filter, position.created_at, position.id, rows);
      },
      [](const AuditRecord& record) {
        return Position{record.at, record.id};
      });
}

}  // namespace

std::vector<api::Route> audit_routes(Database& db) {
  return {
      route(Method::get, "/api/admin/audit", Access::admin, "Who changed what, newest first", list, db)
          .takes_query<AuditQuery>()
          .gives<api::Page<AuditRecord>>(200, "A page of the tenant's audit trail."),
  };
}

}  // namespace guildhall
