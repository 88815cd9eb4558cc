#include "audit/audit_chain.h"

#include <deque>
#include <future>

#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

using namespace std::literals;

const TenantId shop("shop"sv), other("other"sv);
const Actor somebody{ActorKind::USER, "user-1", "request-1"};

class AuditChain : public test::OnEachEngine {
 protected:
  AuditChain() { migrate(*storage); }

  void record(const TenantId& tenant, int entries) {
    storage->write_now([&](Tx& tx) {
      for (int i = 0; i < entries; ++i) {
        audit(tx, tenant, somebody, {"order", "order-" + std::to_string(i)}, "created", "{}", now());
      }
    });
  }

  void record_sealed(const TenantId& tenant, int entries) {
    record(tenant, entries);
    seal_audit_trail(*storage);
  }

  // Changes the stored trail behind the program's back. The engines know a statement by its address, so each is kept.
  void tamper(const std::string& statement) {
    const Sql& sql = statements_.emplace_back(statement);
    storage->write_now([&](Tx& tx) { ASSERT_GT(tx.run({&sql, {}}), 0) << statement; });
  }

  ChainReport verify(const TenantId& tenant) {
    ChainReport report;
    storage->read_now([&](Tx& tx) { report = verify_chain(tx, tenant); });
    return report;
  }

  std::string problem_of(const TenantId& tenant) { return verify(tenant).problem.value_or("(none)"); }

  bool seals_at_once() const { return GetParam() == test::Engine::sqlite; }

 private:
  std::deque<Sql> statements_;
};
INSTANTIATE_TEST_SUITE_P(Engines, AuditChain, test::engines, test::engine_name);

TEST_P(AuditChain, holds_every_entry_once_it_is_sealed) {
  record(shop, 3);
  EXPECT_EQ(verify(shop).waiting, seals_at_once() ? 0 : 3);
  EXPECT_EQ(verify(shop).sealed, seals_at_once() ? 3 : 0);
  EXPECT_EQ(seal_audit_trail(*storage), seals_at_once() ? 0 : 3);
  const ChainReport report = verify(shop);
  EXPECT_EQ(report.tenant, shop);
  EXPECT_EQ(report.sealed, 3);
  EXPECT_EQ(report.waiting, 0);
  EXPECT_EQ(report.head.size(), 64U);
  EXPECT_EQ(report.problem, std::nullopt);
  EXPECT_EQ(seal_audit_trail(*storage), 0) << "nothing waits any more";
}

TEST_P(AuditChain, covers_the_version_of_a_record) {
  storage->write_now([&](Tx& tx) { audit(tx, shop, somebody, {"order", "1"}, "updated", "{}", now(), 7); });
  record_sealed(shop, 1);
  EXPECT_EQ(problem_of(shop), "(none)");
  tamper("UPDATE audit_entries SET version = 8 WHERE version = 7");
  EXPECT_NE(problem_of(shop).find("was changed"), std::string::npos) << problem_of(shop);
}

TEST_P(AuditChain, grows_without_changing_the_sealed_entries) {
  record_sealed(shop, 2);
  const std::string head = verify(shop).head;
  record_sealed(shop, 2);
  EXPECT_EQ(verify(shop).sealed, 4);
  EXPECT_NE(verify(shop).head, head);
  EXPECT_EQ(problem_of(shop), "(none)");
}

TEST_P(AuditChain, is_separate_for_each_tenant) {
  record(shop, 2);
  record(other, 1);
  seal_audit_trail(*storage);
  EXPECT_EQ(verify(shop).sealed, 2);
  EXPECT_EQ(verify(other).sealed, 1);
  tamper("UPDATE audit_entries SET action = 'deleted' WHERE tenant_id = 'other'");
  EXPECT_EQ(problem_of(shop), "(none)");
  EXPECT_NE(problem_of(other), "(none)");
  std::vector<TenantId> tenants;
  storage->read_now([&](Tx& tx) { tenants = tenants_with_trails(tx); });
  EXPECT_EQ(tenants, (std::vector{other, shop}));
}

TEST_P(AuditChain, of_a_tenant_without_entries_is_empty_and_holds) {
  const ChainReport report = verify(shop);
  EXPECT_EQ(report.sealed, 0);
  EXPECT_EQ(report.head, "");
  EXPECT_EQ(report.problem, std::nullopt);
}

TEST_P(AuditChain, may_be_longer_than_one_transaction_seals) {
  constexpr int entries = 1'003;  // a transaction seals at most 500
  record_sealed(shop, entries);
  EXPECT_EQ(verify(shop).sealed, entries);
  EXPECT_EQ(problem_of(shop), "(none)");
  tamper("UPDATE audit_entries SET actor_id = 'nobody' WHERE sequence = 1002");
  EXPECT_NE(problem_of(shop).find("entry 1002 "), std::string::npos) << problem_of(shop);
}

TEST_P(AuditChain, shows_a_change_of_any_column) {
  record_sealed(shop, 3);
  for (const std::string column : {"actor_id", "request_id", "subject", "subject_id", "action", "changes"}) {
    tamper("UPDATE audit_entries SET " + column + " = " + column + " || 'x' WHERE sequence = 2");
    EXPECT_NE(problem_of(shop).find("was changed after it was sealed"), std::string::npos) << column;
    EXPECT_TRUE(problem_of(shop).starts_with("entry 2 ")) << column;
    tamper("UPDATE audit_entries SET " + column + " = substr(" + column + ", 1, length(" + column +
           ") - 1) WHERE sequence = 2");
    EXPECT_EQ(problem_of(shop), "(none)") << column;
  }
  tamper("UPDATE audit_entries SET at = at + 1 WHERE sequence = 2");
  EXPECT_TRUE(problem_of(shop).starts_with("entry 2 ")) << "at";
  tamper("UPDATE audit_entries SET at = at - 1, actor_kind = 'SYSTEM' WHERE sequence = 2");
  EXPECT_TRUE(problem_of(shop).starts_with("entry 2 ")) << "actor_kind";
}

TEST_P(AuditChain, shows_text_that_was_moved_between_columns) {
  record_sealed(shop, 1);
  tamper("UPDATE audit_entries SET subject = 'orde', subject_id = 'r' || subject_id");
  EXPECT_TRUE(problem_of(shop).starts_with("entry 1 "));
}

TEST_P(AuditChain, shows_an_entry_that_was_removed) {
  record_sealed(shop, 3);
  tamper("DELETE FROM audit_entries WHERE sequence = 2");
  EXPECT_EQ(problem_of(shop), "entry 2 of the chain is missing");
}

TEST_P(AuditChain, shows_an_entry_that_has_lost_its_hash) {
  record_sealed(shop, 3);
  tamper(R"sql(UPDATE audit_entries SET hash = NULL, changes = '{"(erased)":"x"}' WHERE sequence = 2)sql");
  EXPECT_EQ(problem_of(shop), "entry 2 has no hash");
}

TEST_P(AuditChain, shows_entries_that_were_removed_from_its_end) {
  record_sealed(shop, 3);
  tamper("DELETE FROM audit_entries WHERE sequence = 3");
  EXPECT_EQ(problem_of(shop), "the chain ends at entry 2, but 3 were sealed");
  tamper("DELETE FROM audit_entries");
  EXPECT_EQ(problem_of(shop), "the chain ends at entry 0, but 3 were sealed");
}

TEST_P(AuditChain, shows_entries_that_changed_places) {
  record_sealed(shop, 3);
  tamper("UPDATE audit_entries SET sequence = 4 WHERE sequence = 1");
  tamper("UPDATE audit_entries SET sequence = 1 WHERE sequence = 2");
  tamper("UPDATE audit_entries SET sequence = 2 WHERE sequence = 4");
  EXPECT_TRUE(problem_of(shop).starts_with("entry 1 ")) << problem_of(shop);
}

TEST_P(AuditChain, shows_an_entry_that_was_added) {
  record_sealed(shop, 2);
  tamper(
      "INSERT INTO audit_entries (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action,"
      " changes, sequence, hash) SELECT 'forged', tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id,"
      " action, changes, 3, hash FROM audit_entries WHERE sequence = 2");
  EXPECT_EQ(problem_of(shop), "entry 3 (forged) was changed after it was sealed");
}

TEST_P(AuditChain, shows_a_record_of_the_last_link_that_does_not_fit) {
  record_sealed(shop, 2);
  tamper("UPDATE audit_chains SET hash = 'another'");
  EXPECT_EQ(problem_of(shop), "the last link is not the one that was kept");
  tamper("DELETE FROM audit_chains");
  EXPECT_EQ(problem_of(shop), "the record of the last link is gone");
}

TEST_P(AuditChain, stays_one_chain_when_two_threads_seal_it) {
  record(shop, 300);
  const auto seal = [&] { return seal_audit_trail(*storage); };
  auto first = std::async(std::launch::async, seal), second = std::async(std::launch::async, seal);
  EXPECT_EQ(first.get() + second.get(), seals_at_once() ? 0 : 300);
  EXPECT_EQ(verify(shop).sealed, 300);
  EXPECT_EQ(verify(shop).waiting, 0);
  EXPECT_EQ(problem_of(shop), "(none)");
}

}  // namespace
}  // namespace guildhall
