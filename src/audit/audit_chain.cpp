#include "audit/audit_chain.h"

#include <deque>

#include "base/crypto.h"
#include "base/encoding.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::int64_t entries_a_transaction_max = 500;

using Head = ChainHead;

struct Link {
  StoredEntry entry;
  std::optional<std::int64_t> sequence;
  std::optional<std::string> hash;
};

const std::string entry_columns = columns<StoredEntry>();

std::string_view kind_text(const StoredEntry& entry) {
  return entry.actor_kind;
}
std::string_view kind_text(const AuditEntry& entry) {
  return name_of(entry.actor_kind);
}

// Each text is preceded by its length, so that no two different entries are hashed as the same bytes.
template <class Entry>
std::string hash_of(const Head& before, const Entry& entry) {
  static_assert(fields_of<Entry>().size() == 11, "a field that is not hashed could be changed unseen");
  json::Scratch scratch;
  std::string& bytes = scratch.text;
  fmt::format_to(std::back_inserter(bytes), "{}\n{}\n{}\n{}\n", before.hash, before.sequence + 1, entry.at.ms,
                 kind_text(entry));
  for (const std::string* text : {&entry.id, &entry.tenant_id.text(), &entry.actor_id, &entry.request_id,
                                  &entry.subject, &entry.subject_id, &entry.action, &entry.changes}) {
    json::append_integer(bytes, std::ssize(*text));
    bytes.append(":").append(*text);
  }
  // Only where there is one, so that the hashes of entries from before the column was added stay valid.
  if (entry.version) fmt::format_to(std::back_inserter(bytes), "version {}", *entry.version);
  return hex(sha256(bytes));
}

TenantId read_tenant(const Row& row) {
  return TenantId(row.text(0));
}

// Finds the tenants one by one with the index on waiting entries: for a DISTINCT, SQLite would read all entries.
const Sql next_waiting_sql(
    "SELECT tenant_id FROM audit_entries WHERE sequence IS NULL AND tenant_id > $1 ORDER BY tenant_id, id LIMIT 1");

const Sql waiting_sql("SELECT " + entry_columns +
                      " FROM audit_entries WHERE tenant_id = $1 AND sequence IS NULL ORDER BY id LIMIT $2");

const Sql head_sql("SELECT sequence, hash FROM audit_chains WHERE tenant_id = $1");

// Seals entries, ten per statement. The parameters are the tenant, then id, sequence and hash of each entry.
class Seals {
 public:
  Seals() {
    std::string values;
    for (std::size_t count = 1; count <= at_once; ++count) {
      const std::size_t first = 3 * count - 1;
      values += fmt::format("{}(CAST(${} AS text), CAST(${} AS bigint), CAST(${} AS text))", count == 1 ? "" : ", ",
                            first, first + 1, first + 2);
      by_count_.emplace_back(
          fmt::format("WITH seals(id, sequence, hash) AS (VALUES {}) UPDATE audit_entries"
                      " SET sequence = seals.sequence, hash = seals.hash FROM seals"
                      " WHERE audit_entries.tenant_id = $1 AND audit_entries.id = seals.id",
                      values));
    }
  }

  void run(Tx& tx, const TenantId& tenant, std::span<const Value> values) const {
    while (!values.empty()) {
      const auto some = values.first(std::min(values.size(), 3 * at_once));
      std::vector<Value> parameters{tenant.text()};
      parameters.insert(parameters.end(), some.begin(), some.end());
      tx.later({&by_count_[some.size() / 3 - 1], std::move(parameters)});
      values = values.subspan(some.size());
    }
  }

 private:
  static constexpr std::size_t at_once = 10;
  std::deque<Sql> by_count_;  // a deque, because the address of a statement must not change
};

const Seals seals;

const Sql first_head_sql(
    "INSERT INTO audit_chains (tenant_id, sequence, hash) VALUES ($1, $2, $3) ON CONFLICT (tenant_id) DO NOTHING");
const Sql next_head_sql("UPDATE audit_chains SET sequence = $2, hash = $3 WHERE tenant_id = $1 AND sequence = $4");

// Moves the head from the position at which it was read to the last new entry. Throws WriteRace if another transaction
// has moved it.
void move_head(Tx& tx, const TenantId& tenant, const std::optional<Head>& from, const Head& to) {
  const std::int64_t moved = from ? tx.run({&next_head_sql, params(tenant, to.sequence, to.hash, from->sequence)})
                                  : tx.run({&first_head_sql, params(tenant, to.sequence, to.hash)});
  if (moved == 0) throw WriteRace();
}

std::int64_t seal_some(Tx& tx, const TenantId& tenant) {
  const auto from = tx.one(chain_head(tenant));
  Head head = from.value_or(Head{});
  std::vector<Value> sealed;
  for (const StoredEntry& entry :
       tx.all(Select<StoredEntry>{{&waiting_sql, params(tenant, entries_a_transaction_max)}, read_row<StoredEntry>})) {
    head = {head.sequence + 1, hash_of(head, entry)};
    for (Value& value : params(entry.id, head.sequence, head.hash)) sealed.push_back(std::move(value));
  }
  if (sealed.empty()) return 0;
  move_head(tx, tenant, from, head);  // first, because it detects a concurrent sealing
  seals.run(tx, tenant, sealed);
  return std::ssize(sealed) / 3;
}

const Sql sealed_sql("SELECT " + entry_columns +
                     ", sequence, hash FROM audit_entries WHERE tenant_id = $1 AND sequence > $2"
                     " ORDER BY sequence LIMIT $3");

Link read_link(const Row& row) {
  const int entry_size = static_cast<int>(fields_of<StoredEntry>().size());
  return {.entry = read_row<StoredEntry>(row),
          .sequence = Column<std::optional<std::int64_t>>::read(row, entry_size),
          .hash = Column<std::optional<std::string>>::read(row, entry_size + 1)};
}

const Sql waiting_count_sql("SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND sequence IS NULL");

constexpr std::string_view erased_action = "erased", erased_subject = "erasure";
constexpr std::string_view erased_begins = "{\"(erased)\":\"";

std::string erased_changes(const std::string& certificate) {
  return fmt::format("{}{}\"}}", erased_begins, certificate);
}

bool is_certificate(const StoredEntry& entry) {
  return entry.subject == erased_subject && entry.action == erased_action;
}

// The digest of all hashes up to one entry.
std::string next_digest(const std::string& digest, const std::string& hash) {
  return hex(sha256(digest + hash));
}

std::string certificate_changes(const std::string& digest) {
  return fmt::format(R"({{"digest":{{"before":null,"after":"{}"}}}})", digest);
}

// The state of a verification.
struct Verified {
  Head head;
  std::string digest;
  std::int64_t uncertified = 0;  // an erased entry after the last certificate; 0 if there is none
};

// Returns what is wrong with the next entry; empty if nothing is.
std::string mismatch(const Verified& before, const Link& link) {
  const std::int64_t expected = before.head.sequence + 1;
  if (link.sequence != expected) return fmt::format("entry {} of the chain is missing", expected);
  if (!link.hash) return fmt::format("entry {} has no hash", expected);
  const bool erased = link.entry.changes.starts_with(erased_begins);
  if (!erased && link.hash != hash_of(before.head, link.entry)) {
    return fmt::format("entry {} ({}) was changed after it was sealed", expected, link.entry.id);
  }
  if (!erased && is_certificate(link.entry) && link.entry.changes != certificate_changes(before.digest)) {
    return fmt::format("entry {} certifies an erasure of other entries", expected);
  }
  return "";
}

void move_past(Verified& verified, const Link& link) {
  verified.head = {*link.sequence, *link.hash};
  verified.digest = next_digest(verified.digest, *link.hash);
  if (link.entry.changes.starts_with(erased_begins)) {
    verified.uncertified = *link.sequence;
  } else if (is_certificate(link.entry)) {
    verified.uncertified = 0;
  }
}

// Verifies one batch of entries after `head`. Returns false at the end of the chain or at an entry that does not match.
bool follow(Tx& tx, const TenantId& tenant, Verified& verified, std::optional<std::string>& problem) {
  const auto links =
      tx.all(Select<Link>{{&sealed_sql, params(tenant, verified.head.sequence, entries_a_transaction_max)}, read_link});
  for (const Link& link : links) {
    if (std::string found = mismatch(verified, link); !found.empty()) {
      problem = std::move(found);
      return false;
    }
    move_past(verified, link);
  }
  return !links.empty();
}

// The digest of all entries that are sealed now.
Verified digest_of_chain(Tx& tx, const TenantId& tenant) {
  Verified chain;
  for (bool more = true; more;) {
    const auto links =
        tx.all(Select<Link>{{&sealed_sql, params(tenant, chain.head.sequence, entries_a_transaction_max)}, read_link});
    for (const Link& link : links) {
      if (!link.hash) throw std::runtime_error("an entry of the audit trail has no hash");
      move_past(chain, link);
    }
    more = !links.empty();
  }
  return chain;
}

const Sql erase_one_sql(R"(
  UPDATE audit_entries SET changes = $3, actor_id = CASE WHEN actor_kind = 'CHAT' THEN '' ELSE actor_id END
  WHERE tenant_id = $1 AND sequence = $2)");

const Sql erase_sql(R"(
  UPDATE audit_entries SET actor_id = '', request_id = '', subject_id = '', changes = $4
  WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3)");

// Describes the fault at the end of a chain whose entries all match; `kept` is the record of its end.
std::optional<std::string> problem_at_end(const Verified& verified, const std::optional<Head>& kept) {
  const Head& head = verified.head;
  const Head wanted = kept.value_or(Head{});
  if (head.sequence < wanted.sequence) {
    return fmt::format("the chain ends at entry {}, but {} were sealed", head.sequence, wanted.sequence);
  }
  if (head.sequence == wanted.sequence && head.hash != wanted.hash) return "the last link is not the one that was kept";
  if (!kept && head.sequence > 0) return "the record of the last link is gone";
  if (verified.uncertified > 0) {
    return fmt::format("entry {} was erased, but no certificate says so", verified.uncertified);
  }
  return std::nullopt;
}

const Sql trails_sql("SELECT tenant_id FROM audit_entries UNION SELECT tenant_id FROM audit_chains ORDER BY tenant_id");

const Sql insert_sealed_sql("INSERT INTO audit_entries (" + entry_columns + ", sequence, hash) VALUES (" +
                            placeholders<StoredEntry>() + ", $12, $13)");
const Sql keep_head_sql(
    "INSERT INTO audit_chains (tenant_id, sequence, hash) VALUES ($1, $2, $3)"
    " ON CONFLICT (tenant_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash");

}  // namespace

Select<ChainHead> chain_head(const TenantId& tenant) {
  return {{&head_sql, params(tenant)}, read_row<ChainHead>};
}

std::int64_t seal_audit_trail_of(Storage& storage, const TenantId& tenant) {
  std::int64_t sealed = 0;
  storage.write_now([&](Tx& tx) { sealed = seal_some(tx, tenant); });
  return sealed;
}

void insert_sealed(Tx& tx, const AuditEntry& entry) {
  const Head before = tx.one(chain_head(entry.tenant_id)).value_or(Head{});
  const Head head{before.sequence + 1, hash_of(before, entry)};
  std::vector<Value> values = values_of(entry);
  values.emplace_back(head.sequence);
  values.emplace_back(head.hash);
  tx.run({&insert_sealed_sql, std::move(values)});
  tx.run({&keep_head_sql, params(entry.tenant_id, head.sequence, head.hash)});
}

std::int64_t seal_audit_trail(Storage& storage, const JobFailures& failures) {
  std::int64_t sealed = 0;
  for (bool more = true; more;) {
    more = false;  // repeated if a tenant has more waiting entries than one transaction seals
    for (std::optional<TenantId> tenant{TenantId()}; tenant;) {
      std::int64_t sealed_now = 0;
      std::optional<TenantId> next;
      storage.read_now([&](Tx& tx) {
        next = tx.one(Select<TenantId>{{&next_waiting_sql, params(*tenant)}, read_tenant});
      });
      if (next) {
        failures.attempt({.tenant = next->text()}, [&] { sealed_now = seal_audit_trail_of(storage, *next); });
      }
      sealed += sealed_now;
      more = more || sealed_now == entries_a_transaction_max;
      tenant = next;
    }
  }
  return sealed;
}

ChainReport verify_chain(Tx& tx, const TenantId& tenant) {
  ChainReport report{.tenant = tenant, .sealed = 0, .waiting = 0, .head = {}, .problem = {}};
  Verified verified;
  const Head& head = verified.head;
  const std::optional<Head> kept =
      tx.one(chain_head(tenant));  // read first: entries that are sealed meanwhile only make the chain longer
  while (follow(tx, tenant, verified, report.problem)) continue;
  if (!report.problem) report.problem = problem_at_end(verified, kept);
  tx.run({&waiting_count_sql, params(tenant)}, [&](const Row& row) { report.waiting = row.integer(0); });
  report.sealed = head.sequence;
  report.head = head.hash;
  return report;
}

ErasureCertificate certify_erasure(Storage& storage, const TenantId& tenant, const Actor& actor, Instant now) {
  ErasureCertificate certificate{.id = make_uuid(now), .entries = 0, .digest = {}};
  while (seal_audit_trail_of(storage, tenant) > 0) continue;
  storage.write_now([&](Tx& tx) {
    const Verified chain = digest_of_chain(tx, tenant);
    const Head kept = tx.one(chain_head(tenant)).value_or(Head{});
    if (kept.sequence != chain.head.sequence) throw WriteRace();  // a server has sealed entries meanwhile
    certificate.entries = chain.head.sequence;
    certificate.digest = chain.digest;
    const AuditEntry entry{.id = make_uuid(now),
                           .tenant_id = tenant,
                           .at = now,
                           .actor_kind = actor.kind,
                           .actor_id = actor.id,
                           .request_id = actor.request_id,
                           .subject = std::string(erased_subject),
                           .subject_id = certificate.id,
                           .action = std::string(erased_action),
                           .changes = certificate_changes(chain.digest),
                           .version = {}};
    std::vector<Value> values = values_of(entry);
    const Head head{kept.sequence + 1, hash_of(kept, entry)};
    values.emplace_back(head.sequence);
    values.emplace_back(head.hash);
    move_head(tx, tenant, kept.sequence > 0 ? std::optional(kept) : std::nullopt, head);
    tx.run({&insert_sealed_sql, std::move(values)});
  });
  return certificate;
}

std::int64_t erase_entries(Tx& tx, const TenantId& tenant, const ErasureCertificate& certificate,
                           std::int64_t& sequence) {
  const std::int64_t from = sequence;
  sequence = std::min(certificate.entries, from + entries_a_transaction_max);
  return tx.run({&erase_sql, params(tenant, from, sequence, erased_changes(certificate.id))});
}

ChainStep verify_chain_after(Tx& tx, const TenantId& tenant, const ChainPosition& from) {
  const std::optional<Head> kept = tx.one(chain_head(tenant));
  Verified verified{{from.sequence, from.hash}, from.digest, from.uncertified};
  ChainStep step{.verified = {}, .head = kept.value_or(Head{}), .complete = false, .problem = {}};
  const bool more = follow(tx, tenant, verified, step.problem) && verified.head.sequence < step.head.sequence;
  step.verified = {verified.head.sequence, verified.head.hash, verified.digest, verified.uncertified};
  if (more || step.problem) return step;
  step.problem = problem_at_end(verified, kept);
  step.complete = true;
  return step;
}

std::int64_t erase_entries_if(Tx& tx, const TenantId& tenant, const ErasureCertificate& certificate,
                              std::int64_t& sequence, FunctionRef<bool(const StoredEntry&)> matches) {
  const std::string changes = erased_changes(certificate.id);
  std::int64_t erased = 0;
  const auto links =
      tx.all(Select<Link>{{&sealed_sql, params(tenant, sequence, entries_a_transaction_max)}, read_link});
  for (const Link& link : links) {
    if (*link.sequence > certificate.entries) break;
    if (!link.entry.changes.starts_with(erased_begins) && !is_certificate(link.entry) && matches(link.entry)) {
      erased += tx.run({&erase_one_sql, params(tenant, *link.sequence, changes)});
    }
  }
  sequence = links.empty() ? certificate.entries : std::min(certificate.entries, *links.back().sequence);
  return erased;
}

std::vector<TenantId> tenants_with_trails(Tx& tx) {
  return tx.all(Select<TenantId>{{&trails_sql, {}}, read_tenant});
}

}  // namespace guildhall
