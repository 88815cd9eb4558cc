// Metadata of products, orders, customers, discounts and memberships: the same rules for all of them.
#include <sstream>

#include "app/ops/commands.h"
#include "app/ops/transfer/transfer.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

struct RecordWithMetadata {
  std::string list;
  std::string id;

  std::string path() const { return list + "/" + id; }
};

// The JSON of a record's metadata, which is followed by the time of creation.
std::string metadata_in(const test::HttpReply& reply) {
  constexpr std::string_view key = R"("metadata":)";
  const std::size_t begin = reply.body.find(key) + key.size();
  return reply.body.substr(begin, reply.body.find(R"(,"createdAt")", begin) - begin);
}

class MetadataOfRecords : public test::OnEachPair {
 protected:
  // One record of each kind; `metadata` is that of those that are created with a body.
  std::vector<RecordWithMetadata> make_all(const std::string& metadata, const std::string& mark) {
    const std::string more = fmt::format(R"(,"metadata":{})", metadata);
    const auto made = [&](const std::string& resource, const std::string& body) {
      return RecordWithMetadata{"/api/data/" + resource, test::created(shop, resource, body)};
    };
    const RecordWithMetadata plan =
        made("product", fmt::format(R"({{"name":"Plan","sku":"{}","priceCents":500,"isDigital":true,)"
                                    R"("membership":{{"periodMonths":1}}{}}})",
                                    mark, more));
    const RecordWithMetadata customer = made("customer", fmt::format(R"({{"chatId":"{0}","chatUsername":"{0}",)"
                                                                     R"("chatDisplayName":"{0}"{1}}})",
                                                                     mark, more));
    const RecordWithMetadata discount =
        made("discount", fmt::format(R"({{"code":"{}","type":"PERCENT","percent":5{}}})", mark, more));
    const RecordWithMetadata order =
        made("order", fmt::format(R"({{"orderNumber":"{0}","customer":{{"name":"{0}","chatId":"{0}"}},)"
                                  R"("customerId":"{1}","status":"PAID",)"
                                  R"("items":[{{"productId":"{2}","quantity":1}}]{3}}})",
                                  mark, customer.id, plan.id, more));
    const RecordWithMetadata membership{"/api/admin/memberships",
                                        shop.get("/api/admin/memberships?chatUserId=" + mark).text("/items/0/id")};
    EXPECT_EQ(shop.patch(membership.path(), fmt::format(R"({{"metadata":{}}})", metadata)).status, 200);
    return {plan, customer, discount, order, membership};
  }

  std::vector<std::string> found(const RecordWithMetadata& made, const std::string& query) {
    const auto page = shop.get(made.list + "?" + query);
    EXPECT_EQ(page.status, 200) << page.body;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < page.size("/items"); ++i) ids.push_back(page.text(fmt::format("/items/{}/id", i)));
    return ids;
  }

  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, MetadataOfRecords, test::engines, test::engine_name);

using RecordIds = std::vector<std::string>;

TEST_P(MetadataOfRecords, is_empty_at_first_merged_by_key_and_removed_by_null) {
  for (const RecordWithMetadata& made : make_all("null", "100000000000000001")) {
    EXPECT_EQ(metadata_in(shop.get(made.path())), "{}") << made.list;
    const auto patch = [&](const std::string& metadata) {
      const auto reply = shop.patch(made.path(), fmt::format(R"({{"metadata":{}}})", metadata));
      EXPECT_EQ(reply.status, 200) << reply.body;
      EXPECT_EQ(shop.get(made.path()).body, reply.body);
      return metadata_in(reply);
    };
    EXPECT_EQ(patch(R"({"b":"2","a":"ä \"1\""})"), R"({"a":"ä \"1\"","b":"2"})");
    EXPECT_EQ(patch(R"({"b":null,"c":""})"), R"({"a":"ä \"1\"","c":""})");
    const std::string etag = shop.get(made.path()).header("etag");
    EXPECT_EQ(patch(R"({"c":"","d":null})"), R"({"a":"ä \"1\"","c":""})");
    EXPECT_EQ(shop.get(made.path()).header("etag"), etag) << "nothing has changed";
    EXPECT_EQ(patch("null"), "{}");
  }
}

TEST_P(MetadataOfRecords, filters_every_list_by_one_key) {
  const auto first = make_all(R"({"erp":"4711","note":"same, \"quoted\""})", "100000000000000001");
  const auto second = make_all(R"({"erp":"4712","note":"same, \"quoted\""})", "100000000000000002");
  for (std::size_t i = 0; i < first.size(); ++i) {
    const RecordWithMetadata &one = first[i], &two = second[i];
    EXPECT_EQ(found(one, "metadata[erp]=4711"), RecordIds{one.id}) << one.list;
    EXPECT_EQ(found(one, "metadata%5Berp%5D=4712"), RecordIds{two.id});
    EXPECT_EQ(found(one, "metadata[erp]=471"), RecordIds{});
    EXPECT_EQ(found(one, "metadata[other]=4711"), RecordIds{});
    EXPECT_EQ(found(one, "metadata[note]=same,%20%22quoted%22"), (RecordIds{two.id, one.id}));
    EXPECT_EQ(found(one, "metadata[erp]=4711&sort=createdAt&total=true"), RecordIds{one.id});
    const auto page = shop.get(one.list + "?metadata[note]=same,%20%22quoted%22&limit=1&total=true");
    EXPECT_EQ(page.integer("/total"), 2);
    EXPECT_EQ(found(one, "metadata[note]=same,%20%22quoted%22&limit=1&cursor=" + page.text("/nextCursor")),
              RecordIds{one.id});
    for (const char* wrong : {"metadata=4711", "metadata[a]=1&metadata[b]=2", "metadata[a]=1&metadata[a]=2"}) {
      EXPECT_EQ(shop.get(one.list + "?" + wrong).status, 400) << wrong;
    }
    EXPECT_EQ(shop.patch(one.path(), R"({"metadata":{"erp":"4713"}})").status, 200);
    EXPECT_EQ(found(one, "metadata[erp]=4711"), RecordIds{});
    EXPECT_EQ(found(one, "metadata[erp]=4713"), RecordIds{one.id});
  }
  server.add_tenant("another");
  auto neighbour = server.admin("another");
  EXPECT_EQ(neighbour.get("/api/data/order?metadata[erp]=4712").size("/items"), 0u);
}

TEST_P(MetadataOfRecords, is_found_together_with_other_filters_and_not_after_the_record_is_deleted) {
  const auto all = make_all(R"({"erp":"4711"})", "100000000000000001");
  const RecordWithMetadata &plan = all[0], &discount = all[2], &order = all[3];
  EXPECT_EQ(found(order, "metadata[erp]=4711&status=PAID&search=1000"), RecordIds{order.id});
  EXPECT_EQ(found(order, "metadata[erp]=4711&status=CANCELLED"), RecordIds{});
  EXPECT_EQ(found(order, "metadata[erp]=4711&sort=totalCents"), RecordIds{order.id});
  EXPECT_EQ(found(plan, "metadata[erp]=4711&type=digital"), RecordIds{plan.id});
  EXPECT_EQ(found(plan, "metadata[erp]=4711&type=physical&sort=sku"), RecordIds{});
  for (const RecordWithMetadata& made : {plan, discount, order}) {
    EXPECT_EQ(shop.del(made.path()).status, 204);
    const auto page = shop.get(made.list + "?metadata[erp]=4711&total=true");
    EXPECT_EQ(page.size("/items"), 0u);
    EXPECT_EQ(page.integer("/total"), 0);
  }
}

TEST_P(MetadataOfRecords, has_bounds_that_are_reported_with_the_other_fields) {
  const auto product = [&](const std::string& metadata) {
    return shop.post("/api/data/product",
                     fmt::format(R"({{"name":" ","sku":"S","priceCents":1,"metadata":{}}})", metadata));
  };
  const std::string long_key(41, 'k');
  EXPECT_EQ(product(R"({"a":1})").wrong_fields(), (std::vector<std::string>{"metadata.a", "name"}));
  EXPECT_EQ(product(R"({"":"x"})").wrong_fields().size(), 2u);
  EXPECT_EQ(product(fmt::format(R"({{"{}":"x"}})", long_key)).wrong_fields(),
            (std::vector<std::string>{"metadata." + long_key, "name"}));
  EXPECT_EQ(product("[]").wrong_fields(), (std::vector<std::string>{"metadata", "name"}));
  std::string many;
  for (int i = 0; i < 50; ++i) many += fmt::format(R"({}"key{}":"x")", i == 0 ? "" : ",", i);
  EXPECT_EQ(product("{" + many + R"(,"more":"x"})").wrong_fields(), (std::vector<std::string>{"metadata", "name"}));
  EXPECT_EQ(product(fmt::format(R"({{"a":"{}"}})", std::string(8192, 'x'))).wrong_fields(),
            (std::vector<std::string>{"metadata", "name"}));
  const std::string path = "/api/data/product/" + test::created(shop, "product",
                                                                fmt::format(R"({{"name":"N","sku":"S","priceCents":1,)"
                                                                            R"("metadata":{{{}}}}})",
                                                                            many));
  EXPECT_EQ(shop.patch(path, R"({"metadata":{"more":"x"},"name":" "})").wrong_fields(),
            (std::vector<std::string>{"metadata", "name"}));
  EXPECT_EQ(shop.patch(path, R"({"metadata":{"more":"x","key0":null}})").status, 200);
}

TEST_P(MetadataOfRecords, moves_with_an_export_and_is_indexed_again) {
  const auto all = make_all(R"({"erp":"4711"})", "100000000000000001");
  const test::TemporaryFolder folder;
  std::ostringstream report;
  const std::string url = server.config.database_url;
  server.stop();
  export_tenant(url, server.config.default_tenant, ExportFormat::ndjson, folder.path / "export", report);
  test::FreshDatabase target(GetParam());
  import_tenant(target.url, folder.path / "export", report);
  test::TestServer moved(GetParam(), {{"DATABASE_URL", target.url}});
  auto admin = moved.admin();
  for (const RecordWithMetadata& made : all) {
    EXPECT_EQ(admin.get(made.list + "?metadata[erp]=4711").text("/items/0/id"), made.id) << made.list;
  }
}

TEST_P(MetadataOfRecords, is_erased_with_the_person) {
  const auto all = make_all(R"({"erp":"4711"})", "100000000000000001");
  if (GetParam() == test::Engine::sqlite) server.stop();
  erase_customer(server.config, server.config.default_tenant, CustomerId(all[1].id));
  if (GetParam() == test::Engine::sqlite) server.restart();
  auto admin = server.admin();
  for (const RecordWithMetadata& made : {all[1], all[3], all[4]}) {
    EXPECT_EQ(metadata_in(admin.get(made.path())), "{}") << made.list;
    EXPECT_EQ(admin.get(made.list + "?metadata[erp]=4711").size("/items"), 0u);
  }
  EXPECT_EQ(admin.get("/api/data/product?metadata[erp]=4711").size("/items"), 1u) << "it is not about the person";
}

}  // namespace
}  // namespace guildhall
