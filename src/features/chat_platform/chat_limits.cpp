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

static const Sql close_sql(
    "INSERT INTO chat_limits (tenant_id, bucket, closed_until) VALUES ($1, $2, $3)"
    " ON CONFLICT (tenant_id, bucket) DO UPDATE SET closed_until = excluded.closed_until"
    " WHERE chat_limits.closed_until < excluded.closed_until");

static const Sql forget_sql("DELETE FROM chat_limits WHERE tenant_id = $1 AND closed_until < $2");

Instant ChatLimits::known_end(const std::string& bucket, Instant at) {
  const std::lock_guard lock(mutex_);
  Instant end = at;
  for (const std::string& name : {all_buckets, bucket}) {
    const auto found = closed_until_.find(name);
    if (found != closed_until_.end()) end = std::max(end, found->second);
  }
  return end;
}

std::optional<milliseconds> ChatLimits::wait_for(const std::string& bucket) {
  const Instant at = now();
  Instant end = known_end(bucket, at);
  if (end == at && storage_ != nullptr) {
    try {
      storage_->read_now([&](Tx& tx) {
        const auto told = tx.one(Select<Instant>{{&end_sql, params(no_tenant, all_buckets, bucket)}, read_end});
        end = std::max(at, told.value_or(at));
      });
    } catch (const std::exception& error) {
      log::warn("chat: the other nodes' limits are not known", {{"error", error.what()}});
    }
  }
  if (end == at) return std::nullopt;
  return outbox::limit_requested_wait(milliseconds(end.ms - at.ms));  // another node's clock may be wrong
}

void ChatLimits::close(const std::string& bucket, milliseconds wait) {
  const Instant at = now();
  const Instant end = at + outbox::limit_requested_wait(wait);
  {
    const std::lock_guard lock(mutex_);
    if (closed_until_.size() >= buckets_max) {
      std::erase_if(closed_until_, [&](const auto& entry) { return entry.second <= at; });
    }
    Instant& known = closed_until_[bucket];
    known = std::max(known, end);
  }
  if (storage_ == nullptr) return;
  try {
    storage_->write_now([&](Tx& tx) {
      tx.later({&forget_sql, params(no_tenant, at - std::chrono::hours(1))});
      tx.later({&close_sql, params(no_tenant, bucket, end)});
    });
  } catch (const std::exception& error) {
    log::warn("chat: a limit could not be told to other nodes", {{"error", error.what()}});
  }
}

}  // namespace guildhall
