#include "audit/audit_chain.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::int64_t entries_a_transaction_max = 500;
constexpr std::int64_t tenants_a_pass_max = 100;

struct Head {
  std::int64_t sequence = 0;
  std::string hash;
};
BOOST_DESCRIBE_STRUCT(Head, (), (sequence, hash))

struct Link {
  AuditEntry entry;
  std::optional<std::int64_t> sequence;
  std::optional<std::string> hash;
};

const std::string entry_columns = columns<AuditEntry>();

std::string hash_of(const Head& before, const AuditEntry& entry) {
  return hex(sha256(fmt::format("{}\n{}\n{}", before.hash, before.sequence + 1, to_json(entry))));
}

TenantId read_tenant(const Row& row) {
  return TenantId(row.text(0));
}

const Sql waiting_tenants_sql("SELECT DISTINCT tenant_id FROM audit_entries WHERE sequence IS NULL LIMIT $1");

const Sql waiting_sql("SELECT " + entry_columns +
                      " FROM audit_entries WHERE tenant_id = $1 AND sequence IS NULL ORDER BY id LIMIT $2");

const Sql head_sql("SELECT sequence, hash FROM audit_chains WHERE tenant_id = $1");

Select<Head> head_of(const TenantId& tenant) {
  return {{&head_sql, params(tenant)}, read_row<Head>};
}

const Sql seal_sql("UPDATE audit_entries SET sequence = $3, hash = $4 WHERE tenant_id = $1 AND id = $2");

const Sql first_head_sql(
    "INSERT INTO audit_chains (tenant_id, sequence, hash) VALUES ($1, $2, $3) ON CONFLICT (tenant_id) DO NOTHING");
const Sql next_head_sql("UPDATE audit_chains SET sequence = $2, hash = $3 WHERE tenant_id = $1 AND sequence = $4");

// Moves the head from where it was read to where the new entries end; whoever comes second starts over.
void move_head(Tx& tx, const TenantId& tenant, const std::optional<Head>& from, const Head& to) {
  const std::int64_t moved = from ? tx.run({&next_head_sql, params(tenant, to.sequence, to.hash, from->sequence)})
                                  : tx.run({&first_head_sql, params(tenant, to.sequence, to.hash)});
  if (moved == 0) throw WriteRace();
}

std::int64_t seal_some(Tx& tx, const TenantId& tenant) {
  const auto from = tx.one(head_of(tenant));
  const auto entries =
      tx.all(Select<AuditEntry>{{&waiting_sql, params(tenant, entries_a_transaction_max)}, read_row<AuditEntry>});
  if (entries.empty()) return 0;
  Head head = from.value_or(Head{});
  std::vector<Query> seals;
  for (const AuditEntry& entry : entries) {
    head = {head.sequence + 1, hash_of(head, entry)};
    seals.push_back({&seal_sql, params(tenant, entry.id, head.sequence, head.hash)});
  }
  move_head(tx, tenant, from, head);  // first: it is the guard
  for (Query& seal : seals) tx.later(std::move(seal));
  return static_cast<std::int64_t>(entries.size());
}

const Sql sealed_sql("SELECT " + entry_columns +
                     ", sequence, hash FROM audit_entries WHERE tenant_id = $1 AND sequence > $2"
                     " ORDER BY sequence LIMIT $3");

Link read_link(const Row& row) {
  const int entry_size = static_cast<int>(fields_of<AuditEntry>().size());
  return {.entry = read_row<AuditEntry>(row),
          .sequence = Column<std::optional<std::int64_t>>::read(row, entry_size),
          .hash = Column<std::optional<std::string>>::read(row, entry_size + 1)};
}

const Sql waiting_count_sql("SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND sequence IS NULL");

// Follows the chain from `head` through one batch; false at its end or at a link that does not hold.
bool follow(Tx& tx, const TenantId& tenant, Head& head, std::optional<std::string>& problem) {
  const auto links =
      tx.all(Select<Link>{{&sealed_sql, params(tenant, head.sequence, entries_a_transaction_max)}, read_link});
  for (const Link& link : links) {
    if (link.sequence != head.sequence + 1) {
      problem = fmt::format("entry {} of the chain is missing", head.sequence + 1);
    } else if (link.hash != hash_of(head, link.entry)) {
      problem = fmt::format("entry {} ({}) was changed after it was sealed", *link.sequence, link.entry.id);
    }
    if (problem) return false;
    head = {*link.sequence, *link.hash};
  }
  return !links.empty();
}

const Sql trails_sql("SELECT tenant_id FROM audit_entries UNION SELECT tenant_id FROM audit_chains ORDER BY tenant_id");

}  // namespace

std::int64_t seal_audit_trail(Storage& storage) {
  std::int64_t sealed = 0, sealed_now = 0;
  do {
    std::vector<TenantId> tenants;
    storage.write_now([&](Tx& tx) {
      tenants = tx.all(Select<TenantId>{{&waiting_tenants_sql, params(tenants_a_pass_max)}, read_tenant});
    });
    sealed_now = 0;
    for (const TenantId& tenant : tenants) {
      std::int64_t count = 0;
      storage.write_now([&](Tx& tx) { count = seal_some(tx, tenant); });
      sealed_now += count;
    }
    sealed += sealed_now;
  } while (sealed_now > 0);
  return sealed;
}

ChainReport verify_chain(Storage& storage, const TenantId& tenant) {
  ChainReport report{.tenant = tenant, .sealed = 0, .waiting = 0, .head = {}, .problem = {}};
  Head head;
  std::optional<Head> kept;
  // Read before the entries: what is sealed meanwhile only adds links.
  storage.write_now([&](Tx& tx) { kept = tx.one(head_of(tenant)); });
  bool more = true;
  while (more) {
    Head reached;
    std::optional<std::string> problem;
    storage.write_now([&](Tx& tx) {
      reached = head;
      problem.reset();
      more = follow(tx, tenant, reached, problem);
    });
    head = reached;
    report.problem = problem;
  }
  const Head wanted = kept.value_or(Head{});
  if (!report.problem && head.sequence < wanted.sequence) {
    report.problem = fmt::format("the chain ends at entry {}, but {} were sealed", head.sequence, wanted.sequence);
  } else if (!report.problem && head.sequence == wanted.sequence && head.hash != wanted.hash) {
    report.problem = "the last link is not the one that was kept";
  } else if (!report.problem && !kept && head.sequence > 0) {
    report.problem = "the record of the last link is gone";
  }
  storage.write_now([&](Tx& tx) {
    tx.run({&waiting_count_sql, params(tenant)}, [&](const Row& row) { report.waiting = row.integer(0); });
  });
  report.sealed = head.sequence;
  report.head = head.hash;
  return report;
}

std::vector<TenantId> tenants_with_trails(Storage& storage) {
  std::vector<TenantId> tenants;
  storage.write_now([&](Tx& tx) { tenants = tx.all(Select<TenantId>{{&trails_sql, {}}, read_tenant}); });
  return tenants;
}

}  // namespace guildhall
