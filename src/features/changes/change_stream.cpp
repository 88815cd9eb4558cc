#include "features/changes/change_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include "base/log.h"

namespace guildhall {
namespace {

constexpr std::size_t piece_bytes_max = 12 * 1024;  // small enough for the connection to copy it
constexpr std::int64_t missed_rows = 50;

bool sees_all(const api::Caller& caller) {
  return caller.may("admin.access");
}

}  // namespace

ChangeStream::ChangeStream(LiveChanges& changes, const Executor& loop, const api::Call& call, http::Quota::Hold place)
    : changes_(changes),
      timer_(loop),
      place_(std::move(place)),
      tenant_(call.tenant),
      user_(call.user()),
      credential_name_(call.caller->token_id.empty() ? "cookie" : "authorization"),
      credential_(call.request.header(credential_name_)),
      reader_{.position = {}, .sees_all = sees_all(*call.caller)},
      check_at_(std::chrono::steady_clock::now() + changes.heartbeat_every) {}

std::shared_ptr<ChangeStream> ChangeStream::open(LiveChanges& changes, const Executor& loop, const api::Call& call,
                                                 http::Quota::Hold place, const ChangePosition& from) {
  const std::shared_ptr<ChangeStream> stream(new ChangeStream(changes, loop, call, std::move(place)));
  stream->reader_.position = from;
  // A subscription ends before the loop does, so the loop exists whenever the feed calls this.
  const auto wake = [loop, weak = std::weak_ptr(stream)] {
    boost::asio::post(loop, [weak] {
      if (const auto waiting = weak.lock()) waiting->timer_.cancel();
    });
  };
  stream->subscription_.emplace(changes.feed, stream->tenant_, from, wake);
  return stream;
}

void ChangeStream::end() {
  ended_ = true;
  timer_.cancel();
}

Task<bool> ChangeStream::next(std::string& piece) {
  while (!ended_) {
    co_await take(piece);
    const bool due = std::chrono::steady_clock::now() >= check_at_;
    if (due || reader_.affects_access) {
      if (!co_await may_continue()) break;
      reader_.affects_access = false;
      check_at_ = std::chrono::steady_clock::now() + changes_.heartbeat_every;
      if (due) piece += heartbeat(reader_.position);
    }
    if (!piece.empty()) co_return true;
    timer_.expires_at(check_at_);
    co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::deferred));
  }
  piece.clear();
  co_return false;
}

// Checks the session or token again. A caller whose permissions have changed connects anew, so that the filter fits.
Task<bool> ChangeStream::may_continue() {
  http::Request request;
  request.headers.push_back({credential_name_, credential_});
  try {
    const auto caller = co_await changes_.authenticate(request);
    co_return caller && caller->user == user_ && caller->tenant == tenant_ && caller->may("data.read") &&
        sees_all(*caller) == reader_.sees_all;
  } catch (const std::exception& error) {
    log::warn("a stream of live changes ends, because its caller cannot be checked", {{"error", error.what()}});
    co_return false;
  }
}

Task<> ChangeStream::take(std::string& piece) {
  const RecentChanges& recent = subscription_->changes();
  while (recent.take(reader_, piece, piece_bytes_max) == RecentChanges::Result::behind) {
    if (resuming_ && co_await read_missed(piece)) {
      if (!piece.empty()) co_return;
      continue;
    }
    reader_.position = recent.end();
    piece += reload_event(reader_.position);
    changes_.feed.reloads().add();
  }
  resuming_ = false;
}

// Reads changes that were made before the stream began. Returns false if they cannot be read.
Task<bool> ChangeStream::read_missed(std::string& piece) {
  try {
    const auto missed = co_await changes_.db.read(
        [this](Tx& tx) { return tx.all(sealed_changes(tenant_, reader_.position.sequence, missed_rows)); });
    for (const SealedChange& change : missed) {
      const EncodedChange read = encoded(change);
      if (reader_.sees_all || read.is_data) piece += read.text;
      reader_.position = read.position;
    }
    co_return !missed.empty();
  } catch (const std::exception& error) {
    log::warn("missed changes cannot be read", {{"error", error.what()}});
    co_return false;
  }
}

}  // namespace guildhall
