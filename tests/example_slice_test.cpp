// A complete slice as an example: a table, the usual five routes, an event and a job. CONTRIBUTING.md refers to it.
#include "app/slices.h"
#include "base/inputs.h"
#include "features/records.h"
#include "features/resource.h"
#include "storage/record_table.h"
#include "support/test_server.h"

namespace guildhall::example_slice {
namespace {

using RemarkId = Id<struct RemarkTag>;

struct Remark {
  RemarkId id;
  TenantId tenant_id;
  std::string text;
  bool is_done = false;
  Instant created_at, updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(Remark, (), (id, tenant_id, text, is_done, created_at, updated_at, version))

using RemarkInputs = Inputs<Required<&Remark::text, Text<200>>, Defaulted<&Remark::is_done>>;
struct NewRemark : New<RemarkInputs> {};
struct RemarkPatch : Patch<RemarkInputs> {};

struct RemarkAdded {
  static constexpr std::string_view name = "remark.added";
  const Remark& remark;
  const Remark& payload() const { return remark; }
};

struct RemarkQuery : api::ListParams {
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(RemarkQuery, (api::ListParams), (sort))

const RecordTable<Remark> table("remarks");
const Listing listing = Listing::of<RemarkQuery>({.table = "remarks", .columns = columns<Remark>()});
const Sql remove_done_sql("DELETE FROM remarks WHERE is_done");

constexpr Records<Remark> records{
    .name = "Remark",
    .subject = "remark",
    .by_id = [](const TenantId& tenant, const RemarkId& id) { return table.by_id(tenant, id); },
    .update = [](Tx& tx, Remark& remark) { table.update(tx, remark); },
    .remove = [](Tx& tx, const Remark& remark) { table.erase(tx, remark); },
};

Remark add(const ActionContext& context, const NewRemark& input) {
  const Remark remark = input.made(context.tenant, context.now);
  table.insert(context.tx, remark);
  records.note(context, nullptr, &remark);
  context.emit(RemarkAdded{remark});
  return remark;
}

constexpr Resource<NewRemark, RemarkPatch, RemarkQuery> resource{
    .path = "/api/data/remark",
    .noun = "remark",
    .records = records,
    .listing = []() -> const Listing& { return listing; },
    .create = add,
};

void remove_done_remarks(const JobFailures&, Storage& storage) {
  storage.write_now([](Tx& tx) { tx.run({&remove_done_sql, {}}); });
}

Slice remarks_slice() {
  return Slice("remarks")
      .table({.name = "remarks", .other = "text"})
      .routes(+[](Database& db, const Events& events) { return resource.routes(db, events); })
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
