#include "api/list.h"
#include "api/resource.h"
#include "audit/audit_chain.h"
#include "audit/audit_trail.h"
#include "features/operations/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct AuditQuery : api::ListParams {
  Is<std::string, "Changes of this kind of record, such as order."> subject;
  Is<std::string, "Changes of the record with this id."> subject_id;
  OneOf<ActorKind, "Changes by one of these kinds of actors."> actor_kind;
  Is<std::string, "Changes by this user, token or job."> actor_id;
  Is<std::string, "Changes of this kind, such as created."> action;
  Is<std::string, "The changes that this request made."> request_id;
  From<Instant, "at", "Made at this time or later."> from;
  To<Instant, "at", "Made at this time or earlier."> to;
  SortBy<"at"> sort;
};
BOOST_DESCRIBE_STRUCT(AuditQuery, (api::ListParams),
                      (subject, subject_id, actor_kind, actor_id, action, request_id, from, to, sort))

// The ids of entries rise with time.
const Listing listing = Listing::of<AuditQuery>({
    .table = "audit_entries",
    .columns = columns<AuditRecord>(),
    .paths = {{.filter = "subject_id",
               .condition = "subject = :subject AND subject_id = :subject_id",
               .order = ListPath::Order::id,
               .and_filter = "subject"}},
});

Task<Reply> list_entries(Call& call, Database& db) {
  return api::list_records<AuditQuery, AuditRecord>(call, db, listing);
}

// Where a verification goes on: what the step before has returned.
struct VerificationQuery {
  Default<Bounded<0, safe_integer_max>> after{{0}};
  Default<Text<64, 0>> hash{};
  Default<Text<64, 0>> digest{};
  Default<Bounded<0, safe_integer_max>> uncertified{{0}};
};
BOOST_DESCRIBE_STRUCT(VerificationQuery, (), (after, hash, digest, uncertified))

Task<Reply> verify(Call& call, Database& db) {
  const auto query = call.query<VerificationQuery>();
  const ChainPosition from{query.after.value.value, query.hash.value.value, query.digest.value.value,
                           query.uncertified.value.value};
  co_return api::json_reply(200, co_await db.read([&](Tx& tx) { return verify_chain_after(tx, call.tenant, from); }));
}

}  // namespace

std::vector<api::Route> audit_routes(Database& db) {
  return {
      route(Method::get, "/api/admin/audit", Access::admin, "Who changed what, newest first", list_entries, db)
          .takes_query<AuditQuery>()
          .gives<api::ListPage<AuditRecord>>(200, "A page of the tenant's audit trail."),
      route(Method::get, "/api/admin/audit/verification", Access::admin, "Recompute a part of the chain of hashes",
            verify, db)
          .takes_query<VerificationQuery>()
          .gives<ChainStep>(200, "How far the chain was verified."),
  };
}

}  // namespace guildhall
