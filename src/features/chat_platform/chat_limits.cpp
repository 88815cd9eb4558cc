#include "features/chat_platform/chat_limits.h"

#include "base/log.h"
#include "outbox/verdict.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

using std::chrono::milliseconds;

const std::string all_buckets;
constexpr std::size_t buckets_max = 10'000;
const TenantId no_tenant;

Instant read_end(const Row& row) {
  return {row.integer(0)};
}

}  // namespace

static const Sql end_sql(
    "SELECT closed_until FROM chat_limits WHERE tenant_id = $1 AND bucket IN ($2, $3)"
    " ORDER BY closed_until DESC LIMIT 1");

static const Sql block_sql(
    "INSERT INTO chat_limits (tenant_id, bucket, closed_until) VALUES ($1, $2, $3)"
    " ON CONFLICT (tenant_id, bucket) DO UPDATE SET closed_until = excluded.closed_until"
    " WHERE chat_limits.closed_until < excluded.closed_until");

static const Sql delete_old_sql("DELETE FROM chat_limits WHERE tenant_id = $1 AND closed_until < $2");

Instant ChatLimits::local_end(const std::string& bucket, Instant at) {
  const std::lock_guard lock(mutex_);
  Instant end = at;
  for (const std::string& name : {all_buckets, bucket}) {
    const auto found = blocked_until_.find(name);
    if (found != blocked_until_.end()) end = std::max(end, found->second);
  }
  return end;
}

std::optional<milliseconds> ChatLimits::wait_for(const std::string& bucket) {
  const Instant at = now();
  Instant end = local_end(bucket, at);
  if (end == at && storage_ != nullptr) {
    try {
      storage_->read_now([&](Tx& tx) {
        const auto stored = tx.one(Select<Instant>{{&end_sql, params(no_tenant, all_buckets, bucket)}, read_end});
        end = std::max(at, stored.value_or(at));
      });
    } catch (const std::exception& error) {
      log::warn("chat: the rate limits of other nodes could not be read", {{"error", error.what()}});
    }
  }
  if (end == at) return std::nullopt;
  return outbox::limit_requested_wait(milliseconds(end.ms - at.ms));  // another node's clock may be wrong
}

void ChatLimits::block(const std::string& bucket, milliseconds wait) {
  const Instant at = now();
  const Instant end = at + outbox::limit_requested_wait(wait);
  {
    const std::lock_guard lock(mutex_);
    if (blocked_until_.size() >= buckets_max) {
      std::erase_if(blocked_until_, [&](const auto& entry) { return entry.second <= at; });
    }
    Instant& known = blocked_until_[bucket];
    known = std::max(known, end);
  }
  if (storage_ == nullptr) return;
  try {
    storage_->write_now([&](Tx& tx) {
      tx.later({&delete_old_sql, params(no_tenant, at - std::chrono::hours(1))});
      tx.later({&block_sql, params(no_tenant, bucket, end)});
    });
  } catch (const std::exception& error) {
    log::warn("chat: a rate limit could not be stored for other nodes", {{"error", error.what()}});
  }
}

}  // namespace guildhall
