#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "features/tenancy/tenant.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

constexpr std::string_view address_json =
    R"({"addressId":"home","name":"Ada","line1":"1 Mill Lane","city":"Ely","state":"CB","postalCode":"CB7","country":"GB"})";

std::string new_customer(std::string_view chat_id) {
  return fmt::format(R"({{"chatId":"{}","chatUsername":"ada","chatDisplayName":"Ada"}})", chat_id);
}

class Customers : public test::OnEachPair {
 protected:
  HttpReply create(std::string_view chat_id = "42") { return admin.post("/api/data/customer", new_customer(chat_id)); }
  std::string created_path(std::string_view chat_id = "42") {
    return "/api/data/customer/" + create(chat_id).text("/id");
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Customers, test::engines, test::engine_name);

TEST_P(Customers, are_created_with_the_contracts_defaults) {
  const HttpReply created = create();
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(created.text("/tenantId"), "default");
  EXPECT_EQ(created.text("/source"), "CHAT");
  EXPECT_TRUE(created.boolean("/isActive"));
  EXPECT_TRUE(created.is_null("/email"));
  EXPECT_TRUE(created.is_null("/defaultAddressId"));
  EXPECT_EQ(created.size("/addresses"), 0u);
  EXPECT_EQ(created.text("/createdAt"), created.text("/updatedAt"));
}

TEST_P(Customers, of_a_known_chat_id_are_found_unchanged) {
  const HttpReply created = create();
  const HttpReply found =
      admin.post("/api/data/customer",
                 R"({"chatId":"42","chatUsername":"other","chatDisplayName":"Other","email":"o@example.com"})");
  EXPECT_EQ(found.status, 200);
  EXPECT_EQ(found.body, created.body);
}

TEST_P(Customers, are_read_with_an_etag_that_changes_with_them) {
  const std::string path = created_path();
  const HttpReply first = admin.get(path);
  EXPECT_EQ(first.status, 200);
  EXPECT_FALSE(first.header("etag").empty());
  EXPECT_EQ(admin.get(path, {{"If-None-Match", first.header("etag")}}).status, 304);
  EXPECT_EQ(admin.patch(path, R"({"notes":"likes tea"})", {{"If-Match", first.header("etag")}}).status, 200);
  EXPECT_NE(admin.get(path).header("etag"), first.header("etag"));
  const HttpReply stale = admin.patch(path, R"({"notes":"likes coffee"})", {{"If-Match", first.header("etag")}});
  EXPECT_EQ(stale.status, 412);
  EXPECT_EQ(admin.get(path).text("/notes"), "likes tea");
  EXPECT_EQ(admin.del(path, {{"If-Match", first.header("etag")}}).status, 412);
  EXPECT_EQ(admin.del(path, {{"If-Match", "*"}}).status, 200);
}

TEST_P(Customers, are_patched_field_by_field_and_null_clears) {
  const std::string path = created_path();
  const HttpReply set =
      admin.patch(path, R"({"email":"ada@example.com","phone":"1","notes":"n","userId":"u","chatUsername":"a2"})");
  EXPECT_EQ(set.status, 200);
  EXPECT_EQ(set.text("/email"), "ada@example.com");
  EXPECT_EQ(set.text("/userId"), "u");
  EXPECT_EQ(set.text("/chatUsername"), "a2");
  const HttpReply cleared =
      admin.patch(path, R"({"email":null,"phone":null,"id":"x","createdAt":"nonsense","unknown":1})");
  EXPECT_EQ(cleared.status, 200);
  EXPECT_TRUE(cleared.is_null("/email"));
  EXPECT_EQ(cleared.text("/notes"), "n");
  EXPECT_EQ(cleared.text("/chatDisplayName"), "Ada");
}

TEST_P(Customers, are_deactivated_by_deletion_and_brought_back_by_a_patch) {
  const std::string path = created_path();
  const HttpReply deleted = admin.del(path);
  EXPECT_EQ(deleted.status, 200);
  EXPECT_FALSE(deleted.boolean("/isActive"));
  const HttpReply found = create();
  EXPECT_EQ(found.status, 200);
  EXPECT_FALSE(found.boolean("/isActive"));
  EXPECT_TRUE(admin.patch(path, R"({"isActive":true})").boolean("/isActive"));
}

TEST_P(Customers, have_addresses_one_of_which_may_be_the_default) {
  const std::string path = created_path();
  const HttpReply added = admin.post(path + "/address", std::string(address_json));
  EXPECT_EQ(added.status, 200);
  EXPECT_EQ(added.text("/addresses/0/postalCode"), "CB7");
  const HttpReply again = admin.post(path + "/address", std::string(address_json));
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.code(), "ADDRESS_ID_TAKEN");
  EXPECT_EQ(admin.patch(path + "/default-address", R"({"addressId":"nowhere"})").status, 404);
  EXPECT_EQ(admin.patch(path + "/default-address", R"({"addressId":"home"})").text("/defaultAddressId"), "home");
  EXPECT_EQ(admin.del(path + "/address/nowhere").status, 404);
  const HttpReply removed = admin.del(path + "/address/home");
  EXPECT_EQ(removed.status, 200);
  EXPECT_EQ(removed.size("/addresses"), 0u);
  EXPECT_TRUE(removed.is_null("/defaultAddressId"));
}

TEST_P(Customers, have_a_bounded_number_of_addresses) {
  const std::string path = created_path();
  for (int i = 0; i <= 100; ++i) {
    std::string address(address_json);
    address.replace(address.find("home"), 4, fmt::format("home {}", i));
    const HttpReply added = admin.post(path + "/address", address);
    EXPECT_EQ(added.status, i < 100 ? 200 : 400) << i;
  }
}

TEST_P(Customers, are_linked_to_a_user) {
  const std::string path = created_path();
  EXPECT_EQ(admin.post(path + "/link", R"({"userId":"u-1"})").text("/userId"), "u-1");
  EXPECT_EQ(admin.post(path + "/link", "{}").wrong_fields(), std::vector<std::string>{"userId"});
}

TEST_P(Customers, are_listed_whole_newest_first_or_by_pages) {
  EXPECT_EQ(admin.get("/api/data/customer").body, "[]");
  std::vector<std::string> ids;
  for (int i = 0; i < 7; ++i) ids.push_back(create(std::to_string(i)).text("/id"));
  const HttpReply whole = admin.get("/api/data/customer");
  ASSERT_EQ(whole.size(), 7u);
  EXPECT_EQ(whole.text("/0/id"), ids.back());
  EXPECT_EQ(admin.get("/api/data/customer?unknown=1").size(), 7u);

  std::vector<std::string> paged;
  std::string cursor;
  do {
    const HttpReply page = admin.get("/api/data/customer?limit=3" + (cursor.empty() ? "" : "&cursor=" + cursor));
    ASSERT_EQ(page.status, 200);
    for (std::size_t i = 0; i < page.size("/items"); ++i) paged.push_back(page.text(fmt::format("/items/{}/id", i)));
    cursor = page.text("/nextCursor");
  } while (!cursor.empty());
  EXPECT_EQ(paged, std::vector<std::string>(ids.rbegin(), ids.rend()));
}

TEST_P(Customers, list_is_streamed_when_it_is_long) {
  constexpr int count = 150;  // with their notes more than one piece of half a mebibyte
  const std::string notes = fmt::format(R"({{"notes":"{}"}})", std::string(9'000, 'n'));
  for (int i = 0; i < count; ++i) {
    const HttpReply customer = create(std::to_string(i));
    ASSERT_EQ(admin.patch("/api/data/customer/" + customer.text("/id"), notes).status, 200);
  }
  const HttpReply whole = admin.get("/api/data/customer");
  EXPECT_EQ(whole.header("transfer-encoding"), "chunked");
  EXPECT_EQ(whole.size(), static_cast<std::size_t>(count));
}

TEST_P(Customers, of_another_tenant_do_not_exist) {
  server.write([](Tx& tx) {
    tx.run({[] {
              static const Sql sql(
                  "INSERT INTO tenants (tenant_id, name, owner_user_id, created_at, updated_at, version)"
                  " VALUES ('other', 'Other', '', 0, 0, 1)");
              return &sql;
            }(),
            {}});
  });
  const std::string path = created_path();
  ASSERT_EQ(admin.post(path + "/address", std::string(address_json)).status, 200);
  CheckedClient other = server.admin("other");
  const std::string missing = other.get("/api/data/customer/no-such-id").body;
  EXPECT_EQ(other.get(path).status, 404);
  EXPECT_EQ(other.get(path).body, missing);
  EXPECT_EQ(other.patch(path, R"({"notes":"mine"})").status, 404);
  EXPECT_EQ(other.del(path).status, 404);
  EXPECT_EQ(other.post(path + "/address", std::string(address_json)).status, 404);
  EXPECT_EQ(other.del(path + "/address/home").status, 404);
  EXPECT_EQ(other.patch(path + "/default-address", R"({"addressId":"home"})").status, 404);
  EXPECT_EQ(other.post(path + "/link", R"({"userId":"u"})").status, 404);
  EXPECT_EQ(other.get("/api/data/customer").body, "[]");
  EXPECT_EQ(other.post("/api/data/customer", new_customer("42")).status, 201);
  EXPECT_EQ(admin.get(path).text("/chatId"), "42");
}

TEST_P(Customers, of_one_chat_id_are_one_however_many_ask_at_once) {
  constexpr int clients = 16;
  std::vector<std::string> ids(clients);
  std::atomic<int> created = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&, i] {
      CheckedClient client = admin;
      const HttpReply reply = client.post("/api/data/customer", new_customer("same"));
      created += reply.status == 201 ? 1 : 0;
      ids[static_cast<std::size_t>(i)] = reply.text("/id");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1u);
}

TEST_P(Customers, lose_no_address_to_another_written_at_once) {
  const std::string path = created_path();
  constexpr int clients = 12;
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&, i] {
      CheckedClient client = admin;
      std::string address(address_json);
      address.replace(address.find("home"), 4, fmt::format("home {}", i));
      EXPECT_EQ(client.post(path + "/address", address).status, 200);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(admin.get(path).size("/addresses"), static_cast<std::size_t>(clients));
}

TEST_P(Customers, take_an_idempotency_key) {
  const std::string path = created_path();
  const test::HttpHeaders key{{"Idempotency-Key", "k1"}};
  const HttpReply first = admin.post(path + "/address", std::string(address_json), key);
  const HttpReply second = admin.post(path + "/address", std::string(address_json), key);
  EXPECT_EQ(first.status, 200);
  EXPECT_TRUE(first.header("idempotent-replayed").empty());
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(second.header("idempotent-replayed"), "true");
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(second.header("etag"), first.header("etag"));
  EXPECT_EQ(admin.post(path + "/address", R"({"addressId":"x"})", key).status, 400);
  std::string other(address_json);
  other.replace(other.find("home"), 4, "away");
  EXPECT_EQ(admin.post(path + "/address", other, key).status, 409);
  EXPECT_EQ(admin.get(path).size("/addresses"), 1u);
  for (const std::string& bad : {std::string(256, 'k'), std::string("a b")}) {
    EXPECT_EQ(admin.post(path + "/link", R"({"userId":"u"})", {{"Idempotency-Key", bad}}).wrong_fields(),
              std::vector<std::string>{"Idempotency-Key"});
  }
}

TEST_P(Customers, key_of_a_failed_request_may_be_used_again) {
  const std::string path = created_path();
  const test::HttpHeaders key{{"Idempotency-Key", "k2"}};
  ASSERT_EQ(admin.post(path + "/address", std::string(address_json)).status, 200);
  EXPECT_EQ(admin.post(path + "/address", std::string(address_json), key).status, 400);
  ASSERT_EQ(admin.del(path + "/address/home").status, 200);
  EXPECT_EQ(admin.post(path + "/address", std::string(address_json), key).status, 200);
}

TEST_P(Customers, have_one_effect_for_many_equal_keys_at_once) {
  const std::string path = created_path();
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      CheckedClient client = admin;
      EXPECT_EQ(client.post(path + "/address", std::string(address_json), {{"Idempotency-Key", "race"}}).status, 200);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(admin.get(path).size("/addresses"), 1u);
}

struct BadInput {
  std::string_view name;
  std::string_view body;
  std::vector<std::string> wrong_fields;
};

// The rules are the declared types', the same on every engine: one server of one kind suffices.
class BadCustomers : public ::testing::TestWithParam<BadInput> {
 protected:
  static void SetUpTestSuite() { server = new TestServer(test::Engine::sqlite); }
  static void TearDownTestSuite() { delete std::exchange(server, nullptr); }
  static inline TestServer* server = nullptr;
};

TEST_P(BadCustomers, are_refused_naming_every_wrong_field) {
  CheckedClient admin = server->admin();
  const HttpReply reply = admin.post("/api/data/customer", std::string(GetParam().body));
  EXPECT_EQ(reply.status, 400) << reply.body;
  if (!GetParam().wrong_fields.empty()) EXPECT_EQ(reply.wrong_fields(), GetParam().wrong_fields);
  EXPECT_EQ(admin.get("/api/data/customer").body, "[]");
}

const BadInput bad_inputs[] = {
    {"empty_object", "{}", {"chatDisplayName", "chatId", "chatUsername"}},
    {"nulls",
     R"({"chatId":null,"chatUsername":null,"chatDisplayName":null})",
     {"chatDisplayName", "chatId", "chatUsername"}},
    {"blank",
     R"({"chatId":" ","chatUsername":"\t","chatDisplayName":""})",
     {"chatDisplayName", "chatId", "chatUsername"}},
    {"wrong_types",
     R"({"chatId":1,"chatUsername":{},"chatDisplayName":[],"source":1,"email":1,"phone":true,"userId":1})",
     {"chatDisplayName", "chatId", "chatUsername", "email", "phone", "source", "userId"}},
    {"bad_email", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a","email":"a@b"})", {"email"}},
    {"bad_source", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a","source":"chat"})", {"source"}},
    {"other_tenant", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a","tenantId":"other"})", {}},
    {"not_json", "{", {}},
    {"not_an_object", "[]", {}},
    {"duplicate_key", R"({"chatId":"1","chatId":"1","chatUsername":"a","chatDisplayName":"a"})", {}},
    {"duplicate_in_unknown", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a","x":{"a":1,"a":1}})", {}},
    {"nul_character",
     R"({"chatId":"a\u0000b","chatUsername":"","phone":"\u0000"})",
     {"chatDisplayName", "chatId", "chatUsername", "phone"}},
    {"lone_surrogate", R"({"chatId":"\ud800","chatUsername":"a","chatDisplayName":"a"})", {}},
    {"invalid_utf8", "{\"chatId\":\"\xff\",\"chatUsername\":\"a\",\"chatDisplayName\":\"a\"}", {}},
    {"number_too_large", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a","x":1e400})", {}},
    {"trailing_text", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"a"} x)", {}},
};
INSTANTIATE_TEST_SUITE_P(Table, BadCustomers, ::testing::ValuesIn(bad_inputs),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace guildhall
