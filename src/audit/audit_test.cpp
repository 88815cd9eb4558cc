#include "audit/audit.h"

#include "audit/audit_changes.h"
#include "audit/audit_trail.h"
#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

using namespace std::literals;

struct Lamp {
  std::string id;
  std::string colour;
  std::vector<std::string> rooms;
  Hidden<std::string> password;
  Instant updated_at;
};
BOOST_DESCRIBE_STRUCT(Lamp, (), (id, colour, rooms, password, updated_at))

const TenantId lamp_shop("shop"sv), other_shop("other"sv);
const Actor some_user{ActorKind::USER, "user-1", "request-1"};
const Lamp red{.id = "1", .colour = "red", .rooms = {"hall"}, .password = {"secret"}, .updated_at = {1}};

class AuditEntries : public test::OnEachEngine {
 protected:
  AuditEntries() { migrate(*storage); }

  void change(const Lamp* before, const Lamp* after) {
    storage->write_now([&](Tx& tx) { audit_change(tx, lamp_shop, some_user, {"lamp", "1"}, before, after, now()); });
  }

  std::vector<AuditEntry> entries_of(const TenantId& tenant, Subject subject, const std::string& after_id = "",
                                     std::int64_t limit = 100) {
    std::vector<AuditEntry> found;
    storage->read_now([&](Tx& tx) { found = tx.all(audit_trail_of(tenant, subject, after_id, limit)); });
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, AuditEntries, test::engines, test::engine_name);

TEST_P(AuditEntries, say_who_created_changed_and_deleted_a_record) {
  Lamp green = red;
  green.colour = "green";
  green.updated_at = {2};
  change(nullptr, &red);
  change(&red, &green);
  change(&green, nullptr);
  const auto entries = entries_of(lamp_shop, {"lamp", "1"});
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].action, "created");
  EXPECT_EQ(entries[0].changes, R"({"colour":{"before":null,"after":"red"},"rooms":{"before":null,"after":["hall"]}})");
  EXPECT_EQ(entries[1].action, "updated");
  EXPECT_EQ(entries[1].changes, R"({"colour":{"before":"red","after":"green"}})");
  EXPECT_EQ(entries[2].action, "deleted");
  for (const AuditEntry& entry : entries) {
    EXPECT_EQ(entry.actor_kind, ActorKind::USER);
    EXPECT_EQ(entry.actor_id, "user-1");
    EXPECT_EQ(entry.request_id, "request-1");
    EXPECT_EQ(entry.changes.find("secret"), std::string::npos) << entry.changes;
  }
}

TEST_P(AuditEntries, are_not_written_when_only_hidden_or_bookkeeping_columns_change) {
  Lamp after = red;
  after.password.value = "another";
  after.updated_at = {2};
  change(&red, &after);
  EXPECT_TRUE(entries_of(lamp_shop, {"lamp", "1"}).empty());
}

TEST_P(AuditEntries, roll_back_with_their_transaction) {
  EXPECT_THROW(storage->write_now([&](Tx& tx) {
    audit(tx, lamp_shop, some_user, {"lamp", "1"}, "switched", "{}", now());
    throw std::runtime_error("refused");
  }),
               std::runtime_error);
  EXPECT_TRUE(entries_of(lamp_shop, {"lamp", "1"}).empty());
}

TEST_P(AuditEntries, belong_to_one_tenant_and_one_record_and_are_paged) {
  for (const char* id : {"1", "1", "1", "2"}) {
    storage->write_now([&](Tx& tx) { audit(tx, lamp_shop, some_user, {"lamp", id}, "switched", "{}", now()); });
  }
  EXPECT_TRUE(entries_of(other_shop, {"lamp", "1"}).empty());
  const auto first = entries_of(lamp_shop, {"lamp", "1"}, "", 2);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_LT(first[0].id, first[1].id);
  const auto rest = entries_of(lamp_shop, {"lamp", "1"}, first[1].id, 2);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_GT(rest[0].id, first[1].id);
}

TEST_P(AuditEntries, have_a_limited_length) {
  const std::string changes = fmt::format(R"({{"note":{{"before":null,"after":"{}"}}}})", std::string(100'000, 'x'));
  storage->write_now([&](Tx& tx) { audit(tx, lamp_shop, some_user, {"lamp", "1"}, "updated", changes, now()); });
  const auto entries = entries_of(lamp_shop, {"lamp", "1"});
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_LE(entries[0].changes.size(), changes_bytes_max);
  EXPECT_NE(entries[0].changes.find(R"("bytes":100002)"), std::string::npos) << entries[0].changes.substr(0, 100);
}

}  // namespace
}  // namespace guildhall
