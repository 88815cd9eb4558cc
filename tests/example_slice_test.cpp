// A complete slice as an example: a table, the usual five routes, an event and a job. CONTRIBUTING.md refers to it.
#include "api/list.h"
#include "api/resource.h"
#include "app/slices.h"
#include "audit/audit.h"
#include "support/test_server.h"

namespace guildhall::example_slice {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

using RemarkId = Id<struct RemarkTag>;

struct Remark {
  RemarkId id;
  TenantId tenant_id;
  std::string text;
  bool is_done = false;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version{1};
};
BOOST_DESCRIBE_STRUCT(Remark, (), (id, tenant_id, text, is_done, created_at, updated_at, version))

struct NewRemark {
  using Record = Remark;
  Text<200> text;
};
BOOST_DESCRIBE_STRUCT(NewRemark, (), (text))

struct RemarkPatch {
  using Record = Remark;
  Change<Text<200>> text;
  Change<bool> is_done;
};
BOOST_DESCRIBE_STRUCT(RemarkPatch, (), (text, is_done))

void apply(const RemarkPatch& patch, Remark& remark) {
  patch.text.apply_to(remark.text);
  patch.is_done.apply_to(remark.is_done);
}

struct RemarkAdded {
  static constexpr std::string_view name = "remark.added";
  const Remark& remark;
  const Remark& payload() const { return remark; }
};

struct RemarkQuery : api::ListParams {
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(RemarkQuery, (api::ListParams), (sort))

const Listing remarks = Listing::of<RemarkQuery>({.table = "remarks", .columns = columns<Remark>()});
const Sql remark_sql("SELECT " + columns<Remark>() + " FROM remarks WHERE tenant_id = $1 AND id = $2");
const Sql add_sql("INSERT INTO remarks (" + columns<Remark>() + ") VALUES (" + placeholders<Remark>() + ")");
const Sql change_sql(versioned_update<Remark>("remarks"));
const Sql remove_sql("DELETE FROM remarks WHERE tenant_id = $1 AND id = $2");
const Sql remove_done_sql("DELETE FROM remarks WHERE is_done");

Select<Remark> remark_of(const Call& call) {
  return {{&remark_sql, params(call.tenant, RemarkId(call.param(0)))}, read_row<Remark>};
}

// The record before and after a change; null: there is none.
void audit_remark(Tx& tx, const Call& call, const Remark* before, const Remark* after) {
  const Subject subject{"remark", (after != nullptr ? after : before)->id.text()};
  audit_change(tx, call.tenant, call.actor(), subject, before, after, call.now);
}

Task<Reply> add(Call& call, Database& db, const Events& events) {
  return api::create_one<NewRemark>(call, db, [&](Tx& tx, const NewRemark& input) {
    const Remark remark{RemarkId::make(call.now), call.tenant, input.text, false, call.now, call.now};
    tx.run({&add_sql, values_of(remark)});
    audit_remark(tx, call, nullptr, &remark);
    events.emit({tx, events, call.tenant, call.actor(), call.now}, RemarkAdded{remark});
    return remark;
  });
}

Task<Reply> find(Call& call, Database& db) {
  return api::find_one(db, remark_of(call), "Remark");
}

Task<Reply> list(Call& call, Database& db) {
  return api::list_records<RemarkQuery, Remark>(call, db, remarks);
}

Task<Reply> change(Call& call, Database& db) {
  return api::patch_one<RemarkPatch>(call, db, [&](Tx& tx, const auto& edit) {
    auto remark = tx.one(remark_of(call));
    if (!remark) throw not_found("Remark");
    const Remark before = *remark;
    edit(*remark);
    if (!needs_write(before, *remark)) return before;
    remark->updated_at = call.now;
    write_versioned(tx, change_sql, *remark);
    audit_remark(tx, call, &before, &*remark);
    return *remark;
  });
}

Task<Reply> remove(Call& call, Database& db) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    const auto remark = tx.one(remark_of(call));
    if (!remark) throw not_found("Remark");
    precondition(*remark);
    tx.run({&remove_sql, params(call.tenant, remark->id)});
    audit_remark(tx, call, &*remark, nullptr);
  });
}

std::vector<api::Route> remark_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/remark", one = "/api/data/remark/:id";
  return {
      route(Method::post, all, Access::data_write, "Add a remark", add, db, events)
          .takes<NewRemark>()
          .gives<Remark>(201, "The new remark."),
      route(Method::get, all, Access::data_read, "A page of remarks, newest first", list, db)
          .takes_query<RemarkQuery>()
          .gives<api::ListPage<Remark>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One remark", find, db).gives<Remark>(200, "The remark."),
      route(Method::patch, one, Access::data_write, "Change a remark", change, db)
          .takes<RemarkPatch>()
          .gives<Remark>(200, "The changed remark."),
      route(Method::del, one, Access::data_write, "Delete a remark", remove, db).gives(204, "It is gone."),
  };
}

void remove_done_remarks(const JobFailures&, Storage& storage) {
  storage.write_now([](Tx& tx) { tx.run({&remove_done_sql, {}}); });
}

Slice remarks_slice() {
  return Slice("remarks")
      .table({.name = "remarks", .other = "text"})
      .routes(remark_routes)
      .events<RemarkAdded>()
      .job("done_remarks", std::chrono::milliseconds(10), remove_done_remarks);
}

// A migration makes the table of a real slice.
class ExampleSlice : public test::OnEachPair {
 protected:
  ExampleSlice() {
    static const Sql table(
        "CREATE TABLE remarks (id text NOT NULL, tenant_id text NOT NULL, text text NOT NULL, is_done boolean NOT NULL,"
        " created_at bigint NOT NULL, updated_at bigint NOT NULL, version bigint NOT NULL,"
        " CONSTRAINT remarks_pkey PRIMARY KEY (tenant_id, id))");
    server.write([](Tx& tx) { tx.run({&table, {}}); });
    server.serve_also({remarks_slice()});
  }
  ~ExampleSlice() override {
    static const Sql no_table("DROP TABLE remarks");
    server.restart();
    server.write([](Tx& tx) { tx.run({&no_table, {}}); });
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, ExampleSlice, test::engines, test::engine_name);

TEST_P(ExampleSlice, is_served_beside_the_others) {
  auto shop = server.admin();
  EXPECT_EQ(shop.post("/api/data/remark", R"({"text":""})").wrong_fields(), std::vector<std::string>{"text"});
  const std::string added = shop.post("/api/data/remark", R"({"text":"Buy ink"})").text("/id");
  const std::string one = "/api/data/remark/" + added;
  EXPECT_EQ(shop.get(one).text("/text"), "Buy ink");
  EXPECT_EQ(shop.patch(one, R"({"text":"Buy paper"})").text("/text"), "Buy paper");
  EXPECT_EQ(shop.get("/api/data/remark").size("/items"), 1u);
  EXPECT_NE(shop.get("/openapi.json").body.find("remark.added"), std::string::npos) << "endpoints may ask for it";
  shop.patch(one, R"({"isDone":true})");
  for (int i = 0; i < 1000 && shop.get(one).status == 200; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(shop.get(one).status, 404) << "the job has removed it";
  const std::string other = "/api/data/remark/" + shop.post("/api/data/remark", R"({"text":"?"})").text("/id");
  EXPECT_EQ(shop.del(other).status, 204);
}

}  // namespace
}  // namespace guildhall::example_slice
