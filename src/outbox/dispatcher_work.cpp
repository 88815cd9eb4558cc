// The dispatcher's delivery threads.
#include <random>

#include "base/log.h"
#include "base/trace.h"
#include "outbox/dispatcher.h"

namespace guildhall::outbox {
namespace {

double chance() {
  thread_local std::mt19937 generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

std::string_view name_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::done:
      return "done";
    case Verdict::Kind::retry:
      return "retry";
    case Verdict::Kind::dead:
      return "dead";
  }
  return "";
}

// A delivery belongs to the trace of the request that caused its message, or to a new trace.
trace::SpanTimer begin_span(const std::string& name, const std::optional<trace::Context>& cause) {
  constexpr auto kind = trace::Span::Kind::consumer;
  if (cause) return {name, kind, &*cause};
  return {name, kind, trace::SpanTimer::NewTrace{}};
}

}  // namespace

void Dispatcher::deliver_messages() {
  std::unique_lock lock(mutex_);
  while (true) {
    claimed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const Claim claim = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const Verdict verdict = deliver(claim);
    lock.lock();
    if (verdict.kind == Verdict::Kind::retry) {
      lanes_.failed(claim.lane, now(), verdict.after);
    } else {
      lanes_.succeeded(claim.lane);
    }
    --in_flight_;
    delivered_since_search_ = true;
    delivered_.notify_all();
  }
}

Verdict Dispatcher::deliver(const Claim& claim) {
  const Topic& topic = topics_.find(claim.delivery.topic)->second;
  const auto cause = trace::parse_traceparent(claim.delivery.traceparent);
  trace::SpanTimer span = begin_span("outbox " + claim.delivery.topic, cause);
  const trace::Scope scope(span.context());
  Verdict verdict;
  try {
    verdict = topic.handler(claim.delivery);
  } catch (const std::exception& error) {
    verdict = retry(error.what());
  }
  try {
    settle(claim, topic, verdict);
  } catch (const std::exception& error) {
    log::error("outbox: a delivery could not be marked", {{"id", claim.delivery.id}, {"error", error.what()}});
    verdict = retry(error.what());
    settle_failure(claim, topic, verdict);
  }
  count(claim.delivery, verdict);
  span.add("messaging.message.id", claim.delivery.id);
  span.add("guildhall.tenant", claim.delivery.tenant.text());
  span.add("guildhall.attempts", std::int64_t{claim.delivery.attempts});
  if (verdict.kind != Verdict::Kind::done) span.fail();
  return verdict;
}

void Dispatcher::settle(const Claim& claim, const Topic& topic, Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::retry && claim.delivery.attempts >= topic.policy.attempts_max) {
    verdict.kind = Verdict::Kind::dead;
  }
  const Instant at = now();
  const Instant due = at + wait_before_next(topic.policy, claim.delivery.attempts, chance(), verdict.after);
  storage_.write_now([&](Tx& tx) {
    bool ours = false;
    switch (verdict.kind) {
      case Verdict::Kind::done:
        ours = mark_done(tx, claim, at);
        break;
      case Verdict::Kind::retry:
        ours = mark_retry(tx, claim, verdict.reason, due);
        break;
      case Verdict::Kind::dead:
        ours = mark_dead(tx, claim, verdict.reason, at);
        break;
    }
    if (ours && verdict.also) verdict.also(tx);
  });
}

// Marks the message for a retry after marking it had failed, perhaps because of the handler's own writes (`also`). If
// the database is the cause, this fails too: the claim then expires, and the message is delivered again.
void Dispatcher::settle_failure(const Claim& claim, const Topic& topic, Verdict& verdict) {
  try {
    settle(claim, topic, verdict);
  } catch (const std::exception& error) {
    log::error("outbox: a message waits until its claim expires", {{"id", claim.delivery.id}, {"error", error.what()}});
  }
}

Counter& Dispatcher::attempts(const std::string& topic, Verdict::Kind kind) {
  return metrics_.counter("outbox_attempts_total", "Delivery attempts by topic and verdict.",
                          {{"topic", topic}, {"verdict", std::string(name_of(kind))}});
}

void Dispatcher::count(const Delivery& delivery, const Verdict& verdict) {
  attempts(delivery.topic, verdict.kind).add();
  if (verdict.kind == Verdict::Kind::dead) {
    log::error("outbox: a message is dead; an admin may queue it again", {{"tenant", delivery.tenant.text()},
                                                                          {"id", delivery.id},
                                                                          {"topic", delivery.topic},
                                                                          {"reason", verdict.reason}});
  }
}

}  // namespace guildhall::outbox
