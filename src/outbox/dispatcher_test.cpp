#include "outbox/dispatcher.h"

#include <gtest/gtest.h>

#include "outbox/message.h"
#include "outbox/outbox.h"
#include "storage/columns.h"
#include "storage/migrations.h"
#include "support/engines.h"
#include "support/eventually.h"

namespace guildhall::outbox {
namespace {

using namespace std::chrono_literals;

const TenantId shop(std::string("shop")), other(std::string("other"));

// Counts the deliveries that handlers received, and waits for them.
class Seen {
 public:
  int add(const Delivery& delivery) {
    const std::lock_guard lock(mutex_);
    const int times = ++times_[delivery.id];
    changed_.notify_all();
    return times;
  }
  std::map<std::string, int> wait_for(std::size_t messages) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, 20s, [&] { return times_.size() >= messages; })) << times_.size();
    return times_;
  }
  bool has(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return times_.contains(id);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, int> times_;
};

const Sql create_sql("CREATE TABLE effects (tenant_id text, id text)");
const Sql effect_sql("INSERT INTO effects (tenant_id, id) VALUES ($1, $2)");
const Sql count_sql("SELECT count(*) FROM effects");

class Outbox : public test::OnEachEngine {
 protected:
  Outbox() { migrate(*storage); }

  std::string append_one(const TenantId& tenant, std::string topic, std::string receiver = "", Instant due = now()) {
    std::string id;
    storage->write_now([&](Tx& tx) {
      id = append(tx, {.tenant = tenant, .topic = topic, .payload = "{}", .due = due, .receiver = receiver}, now());
    });
    return id;
  }

  std::vector<std::string> append_many(const TenantId& tenant, const std::string& topic, int count) {
    std::vector<std::string> ids;
    storage->write_now([&](Tx& tx) {
      ids.clear();
      for (int i = 0; i < count; ++i) {
        ids.push_back(append(tx, {.tenant = tenant, .topic = topic, .payload = "{}", .due = now()}, now()));
      }
    });
    return ids;
  }

  StoredMessage message(const std::string& id, const TenantId& tenant = shop) {
    std::optional<StoredMessage> found;
    storage->write_now([&](Tx& tx) { found = tx.one(message_by_id(tenant, OutboxMessageId(id))); });
    return found.value();
  }

  StoredMessage wait_for_status(const std::string& id, MessageStatus status, const TenantId& tenant = shop) {
    StoredMessage found;
    EXPECT_TRUE(test::eventually([&] { return (found = message(id, tenant)).status == status; }));
    return found;
  }

  std::int64_t effects() {
    std::int64_t count = 0;
    storage->write_now([&](Tx& tx) { tx.run({&count_sql, {}}, [&](const Row& row) { count = row.integer(0); }); });
    return count;
  }

  std::unique_ptr<Dispatcher> dispatcher(int threads = 4, std::chrono::milliseconds lease = 60s) {
    return std::make_unique<Dispatcher>(
        *storage, metrics, DispatcherOptions{.threads = threads, .lease = lease, .pause = 10ms, .lanes = lane_limits});
  }

  LaneLimits lane_limits{.rest_first = 1ms, .rest_longest = 5ms};
  Metrics metrics;
  Seen seen;
};
INSTANTIATE_TEST_SUITE_P(Engines, Outbox, test::engines, test::engine_name);

constexpr RetryPolicy quick{.first = 1ms, .longest = 5ms, .attempts_max = 4};

TEST_P(Outbox, delivers_every_message_once_when_nothing_fails) {
  const auto ids = append_many(shop, "topic", 100);
  const auto running = dispatcher();
  running->handle("topic", [&](const Delivery& delivery) {
    seen.add(delivery);
    return done();
  });
  running->start();
  const auto times = seen.wait_for(ids.size());
  for (const std::string& id : ids) EXPECT_EQ(times.at(id), 1);
  EXPECT_EQ(wait_for_status(ids.back(), MessageStatus::DONE).attempts, 1);
}

TEST_P(Outbox, tries_again_with_the_same_id_and_then_gives_up) {
  const std::string refused = append_one(shop, "refused"), flaky = append_one(shop, "flaky");
  const auto running = dispatcher();
  running->handle(
      "refused", [](const Delivery&) { return retry("not today \xff"); }, quick);
  running->handle(
      "flaky",
      [&](const Delivery& delivery) {
        if (seen.add(delivery) < 3) throw std::runtime_error("it fell over");
        return done();
      },
      quick);
  running->start();
  const StoredMessage dead = wait_for_status(refused, MessageStatus::DEAD);
  EXPECT_EQ(dead.attempts, 4);
  EXPECT_EQ(dead.last_error, "not today ?");
  EXPECT_TRUE(dead.finished_at.has_value());
  EXPECT_EQ(wait_for_status(flaky, MessageStatus::DONE).attempts, 3);
  EXPECT_EQ(message(flaky).last_error, std::nullopt);
}

TEST_P(Outbox, keeps_a_dead_message_until_somebody_queues_it_again) {
  const std::string id = append_one(shop, "topic");
  std::atomic<bool> willing = false;
  const auto running = dispatcher();
  running->handle("topic", [&](const Delivery&) { return willing ? done() : dead("unknown customer"); });
  running->start();
  EXPECT_EQ(wait_for_status(id, MessageStatus::DEAD).last_error, "unknown customer");
  willing = true;
  storage->write_now([&](Tx& tx) {
    EXPECT_FALSE(queue_again(tx, other, OutboxMessageId(id), now()));
    EXPECT_TRUE(queue_again(tx, shop, OutboxMessageId(id), now()));
  });
  EXPECT_EQ(wait_for_status(id, MessageStatus::DONE).attempts, 1);
  storage->write_now([&](Tx& tx) { EXPECT_FALSE(queue_again(tx, shop, OutboxMessageId(id), now())); });
}

TEST_P(Outbox, waits_as_long_as_the_receiver_asks) {
  const std::string id = append_one(shop, "topic");
  const auto running = dispatcher();
  running->handle(
      "topic",
      [&](const Delivery& delivery) {
        seen.add(delivery);
        return retry("busy", 1h);
      },
      quick);
  running->start();
  seen.wait_for(1);
  running->stop();
  EXPECT_GT(message(id).due_at, now() + 50min);
  EXPECT_EQ(message(id).status, MessageStatus::PENDING);
}

TEST_P(Outbox, leaves_messages_that_are_not_due_or_that_nobody_handles) {
  const std::string later = append_one(shop, "topic", "", now() + 1h), unknown = append_one(shop, "unheard.of");
  const std::string known = append_one(shop, "topic");
  const auto running = dispatcher();
  running->handle("topic", [&](const Delivery& delivery) {
    seen.add(delivery);
    return done();
  });
  running->start();
  wait_for_status(known, MessageStatus::DONE);
  running->stop();
  EXPECT_EQ(message(later).attempts, 0);
  EXPECT_EQ(message(unknown).status, MessageStatus::PENDING);
  EXPECT_EQ(message(unknown).attempts, 0);
}

TEST_P(Outbox, is_shared_by_several_dispatchers_without_a_double) {
  std::vector<std::string> ids;
  for (const TenantId& tenant : {shop, other}) {
    for (const std::string& id : append_many(tenant, "topic", 100)) ids.push_back(id);
  }
  std::vector<std::unique_ptr<Dispatcher>> nodes;
  for (int i = 0; i < 3; ++i) {
    nodes.push_back(dispatcher());
    nodes.back()->handle("topic", [&](const Delivery& delivery) {
      seen.add(delivery);
      return done();
    });
  }
  for (auto& node : nodes) node->start();
  const auto times = seen.wait_for(ids.size());
  for (const std::string& id : ids) EXPECT_EQ(times.at(id), 1);
}

TEST_P(Outbox, writes_what_a_verdict_adds_with_the_mark_and_only_once) {
  storage->write_now([](Tx& tx) { tx.run({&create_sql, {}}); });
  const std::string id = append_one(shop, "topic");
  const auto effect = [&](Tx& tx) { tx.run({&effect_sql, params(shop, id)}); };
  // Claims that run out at once let both dispatchers deliver; the first to mark writes the effect.
  std::atomic<int> inside = 0;
  const Handler handler = [&](const Delivery&) {
    ++inside;
    EXPECT_TRUE(test::eventually([&] { return inside >= 2; }));
    return done(effect);
  };
  const auto first = dispatcher(1, 1ms), second = dispatcher(1, 1ms);
  first->handle("topic", handler);
  second->handle("topic", handler);
  first->start();
  second->start();
  wait_for_status(id, MessageStatus::DONE);
  first->stop();
  second->stop();
  EXPECT_EQ(effects(), 1);
  EXPECT_GE(inside, 2);
}

TEST_P(Outbox, tries_again_when_what_the_verdict_adds_cannot_be_written) {
  const std::string id = append_one(shop, "topic");
  const auto running = dispatcher();
  running->handle(
      "topic",
      [&](const Delivery& delivery) {
        return seen.add(delivery) > 1 ? done() : done([](Tx&) { throw std::runtime_error("no room"); });
      },
      quick);
  running->start();
  EXPECT_EQ(wait_for_status(id, MessageStatus::DONE).attempts, 2);
}

TEST_P(Outbox, serves_others_while_one_tenant_has_much_and_is_slow) {
  append_many(shop, "slow", 500);
  std::mutex mutex;
  std::condition_variable released;
  bool open = false;
  const auto running = dispatcher(8);  // its threads use the variables above until it is destroyed
  running->handle("slow", [&](const Delivery&) {
    std::unique_lock lock(mutex);
    released.wait(lock, [&] { return open; });
    return done();
  });
  running->handle("quick", [&](const Delivery& delivery) {
    seen.add(delivery);
    return done();
  });
  running->start();
  // While the slow tenant's deliveries hang, everything of the other goes through, and so does its own other lane.
  append_many(other, "quick", 20);
  seen.wait_for(20);
  append_one(shop, "quick");
  seen.wait_for(21);
  {
    const std::lock_guard lock(mutex);
    open = true;
  }
  released.notify_all();
}

TEST_P(Outbox, keeps_the_order_of_a_lane_where_the_topic_asks_for_it) {
  std::vector<std::string> expected;
  for (int i = 0; i < 10; ++i) expected.push_back(append_one(shop, "ordered", "buyer"));
  std::mutex mutex;
  std::vector<std::string> sent;
  const auto handler = [&](const Delivery& delivery) {
    if (delivery.attempts < 3) return retry("not yet");
    const std::lock_guard lock(mutex);
    sent.push_back(delivery.id);
    return done();
  };
  const auto one = dispatcher(), two = dispatcher();  // like two nodes
  for (const auto& running : {one.get(), two.get()}) {
    running->handle("ordered", handler, quick, Dispatcher::Order::as_appended);
    running->start();
  }
  wait_for_status(expected.back(), MessageStatus::DONE);
  EXPECT_EQ(sent, expected);
}

TEST_P(Outbox, keeps_one_receiver_from_delaying_another_of_the_same_topic) {
  std::vector<std::string> failing;
  for (int i = 0; i < 50; ++i) failing.push_back(append_one(shop, "hook", "down"));
  std::atomic<int> refused = 0;
  const std::string fine = append_one(shop, "hook", "up");
  const auto running = dispatcher(4);
  running->handle("hook", [&](const Delivery& delivery) {
    if (delivery.id != fine) {
      ++refused;
      return retry("down");
    }
    seen.add(delivery);
    return done();
  });
  running->start();
  wait_for_status(fine, MessageStatus::DONE);
}

TEST_P(Outbox, does_not_write_while_nothing_is_due) {
  append_one(shop, "topic", "", now() + 1h);
  const auto running = dispatcher();
  running->handle("topic", [](const Delivery&) { return done(); });
  running->start();
  // It searches far more often than this: if each search were a writing transaction, the test would time out.
  constexpr auto many_looks = 1s;
  EXPECT_TRUE(test::eventually([&] { return !storage->has_written_within(many_looks); }));
}

TEST_P(Outbox, does_not_write_while_the_oldest_message_of_an_ordered_lane_waits) {
  append_one(shop, "ordered");
  append_one(shop, "ordered");
  std::atomic<int> attempts = 0;
  const auto running = dispatcher();
  const Handler handler = [&](const Delivery&) {
    ++attempts;
    return retry("later");
  };
  running->handle("ordered", handler, {.first = 1h}, Dispatcher::Order::as_appended);
  running->start();
  EXPECT_TRUE(test::eventually([&] { return attempts == 1 && !storage->has_written_within(1s); }));
}

TEST_P(Outbox, finds_the_lanes_with_something_due_in_order) {
  for (const char* topic : {"b", "a", "c"}) {
    append_many(shop, topic, 3);
    append_many(other, topic, 2);
  }
  append_one(other, "later", "", now() + 1h);
  const auto found = [&](const Lane& after, std::int64_t limit) {
    std::string text;
    storage->read_now([&](Tx& tx) {
      text.clear();
      for (const Lane& lane : due_lanes(tx, after, now(), limit)) text += lane.tenant + "/" + lane.name + " ";
    });
    return text;
  };
  EXPECT_EQ(found({}, 10), "other/a other/b other/c shop/a shop/b shop/c ");
  EXPECT_EQ(found({}, 2), "other/a other/b ");
  EXPECT_EQ(found({"other", "b"}, 10), "other/c shop/a shop/b shop/c ");
  EXPECT_EQ(found({"other", "zzz"}, 10), "shop/a shop/b shop/c ");
  EXPECT_EQ(found({"shop", "c"}, 10), "");
}

TEST_P(Outbox, forgets_what_was_finished_long_ago_and_keeps_the_dead_longer) {
  const std::string delivered = append_one(shop, "topic"), refused = append_one(shop, "refused");
  const std::string waiting = append_one(shop, "topic", "", now() + 1h);
  const auto running = dispatcher();
  running->handle("topic", [](const Delivery&) { return done(); });
  running->handle("refused", [](const Delivery&) { return dead("no"); });
  running->start();
  wait_for_status(delivered, MessageStatus::DONE);
  wait_for_status(refused, MessageStatus::DEAD);
  std::int64_t gone = 0;
  storage->write_now([&](Tx& tx) { gone = forget_messages(tx, now() + 1h, now() - 1h, 10); });
  EXPECT_EQ(gone, 1);
  storage->write_now([&](Tx& tx) { gone = forget_messages(tx, now() + 1h, now() + 1h, 10); });
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(message(waiting).status, MessageStatus::PENDING);
}

// PostgreSQL cannot count the attempts of this message, so that claiming it fails.
TEST_P(Outbox, delivers_the_other_lanes_when_one_cannot_be_claimed) {
  const std::string stuck = append_one(shop, "topic"), sound = append_one(other, "topic");
  storage->write_now([&](Tx& tx) {
    static const Sql sql("UPDATE outbox_messages SET attempts = 9223372036854775807 WHERE tenant_id = $1 AND id = $2");
    tx.run({&sql, params(shop, stuck)});
  });
  const auto running = dispatcher();
  running->handle("topic", [](const Delivery&) { return done(); });
  running->start();
  wait_for_status(sound, MessageStatus::DONE, other);
  if (GetParam() == test::Engine::sqlite) return;
  EXPECT_EQ(message(stuck).status, MessageStatus::PENDING);
  EXPECT_EQ(metrics.text().find("job_failures_total{job=\"outbox\"} 0\n"), std::string::npos) << metrics.text();
}

}  // namespace
}  // namespace guildhall::outbox
