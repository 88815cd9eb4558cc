#include "storage/postgres/commit_group.h"

namespace guildhall {
namespace {

constexpr int committing_max = 1;
constexpr std::size_t jobs_max = 16;
constexpr std::size_t waiting_max = 64;

}  // namespace

void PgCommitGroup::add(UncommittedJob job) {
  std::unique_lock lock(mutex_);
  taken_.wait(lock, [&] { return waiting_.size() < waiting_max || committing_ == 0; });
  waiting_.push_back(std::move(job));
}

std::vector<UncommittedJob> PgCommitGroup::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || committing_ == committing_max) return {};
  ++committing_;
  return take_first(jobs_max);
}

void PgCommitGroup::ended() {
  const std::lock_guard lock(mutex_);
  --committing_;
  taken_.notify_all();
}

std::vector<UncommittedJob> PgCommitGroup::take_all() {
  const std::lock_guard lock(mutex_);
  return take_first(waiting_.size());
}

std::vector<UncommittedJob> PgCommitGroup::take_first(std::size_t count) {
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(count, waiting_.size()));
  std::vector<UncommittedJob> taken(std::move_iterator(waiting_.begin()), std::move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  taken_.notify_all();
  return taken;
}

}  // namespace guildhall
