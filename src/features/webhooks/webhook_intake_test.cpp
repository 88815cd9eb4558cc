#include "features/webhooks/webhook_intake.h"

#include <gtest/gtest.h>

#include "features/webhooks/webhook_event_store.h"
#include "outbox/dispatcher.h"
#include "storage/columns.h"
#include "storage/migrations.h"
#include "support/engines.h"
#include "support/eventually.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using Kind = IntakeResult::Kind;

const TenantId intake_tenant(std::string("default"));
const Sql create_sql("CREATE TABLE effects (tenant_id text, id text)");
const Sql effect_sql("INSERT INTO effects (tenant_id, id) VALUES ($1, $2)");
const Sql count_sql("SELECT count(*) FROM effects");
const Sql event_sql("SELECT " + columns<WebhookEvent>() +
                    " FROM webhook_events WHERE tenant_id = $1 AND event_id = $2");
const Sql hurry_sql("UPDATE outbox_messages SET due_at = 0 WHERE topic = 'webhook.retry'");
const Sql queued_sql("SELECT count(*) FROM outbox_messages WHERE topic = 'webhook.retry'");

// A loop of the server's, with its own handle.
struct Node {
  explicit Node(Storage& storage) : db(storage.open(loop.context())) {}
  ~Node() {
    loop.stop();
    db.reset();
  }

  test::LoopThread loop;
  std::unique_ptr<Database> db;
};

class Intake : public test::OnEachEngine {
 protected:
  Intake() {
    migrate(*storage);
    storage->write_now([](Tx& tx) { tx.run({&create_sql, {}}); });
    intake.handle(shipping_webhooks, [this](const ActionContext& context, const IncomingEvent& event) {
      if (event.payload == R"({"of":"no interest"})") return Applied::ignored;
      context.tx.run({&effect_sql, params(context.tenant, event.event_id)});
      if (failing) throw std::runtime_error("the shipment is upside down");
      return Applied::processed;
    });
  }

  IntakeResult receive(Node& node, const std::string& id, const std::string& payload = R"({"a": 1.0})") const {
    const IncomingEvent event{shipping_webhooks, id, payload, intake_tenant};
    return node.loop.run([&] { return intake.receive(*node.db, event, now()); });
  }

  static WebhookEvent event_in(Tx& tx, const std::string& id) {
    return tx.one(Select<WebhookEvent>{{&event_sql, params(intake_tenant, id)}, read_row<WebhookEvent>}).value();
  }

  WebhookEvent event(const std::string& id) {
    WebhookEvent found;
    storage->write_now([&](Tx& tx) { found = event_in(tx, id); });
    return found;
  }

  std::int64_t number(const Sql& sql) {
    std::int64_t found = 0;
    storage->write_now([&](Tx& tx) { tx.run({&sql, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }

  void wait_for(const std::string& id, WebhookStatus status) {
    EXPECT_TRUE(test::eventually([&] { return event(id).status == status; }));
  }

  std::atomic<bool> failing = false;
  Events events;
  WebhookIntake intake{events};
};
INSTANTIATE_TEST_SUITE_P(Engines, Intake, test::engines, test::engine_name);

TEST_P(Intake, keeps_an_event_byte_for_byte_and_applies_it) {
  Node node(*storage);
  const std::string raw = "{ \"weight\" : 136.0,\n\t\"name\":\"Zo\\u00eb\" }";
  EXPECT_EQ(receive(node, "e1", raw).kind, Kind::processed);
  const WebhookEvent kept = event("e1");
  EXPECT_EQ(kept.status, WebhookStatus::PROCESSED);
  EXPECT_EQ(kept.source, WebhookSource::PROVIDER);
  EXPECT_EQ(kept.payload->text, raw);
  EXPECT_EQ(kept.attempts, 1);
  EXPECT_TRUE(kept.processed_at.has_value());
  EXPECT_EQ(number(count_sql), 1);
}

TEST_P(Intake, skips_duplicates_and_stores_ignored_events) {
  Node node(*storage);
  EXPECT_EQ(receive(node, "e1").kind, Kind::processed);
  EXPECT_EQ(receive(node, "e1").kind, Kind::duplicate);
  EXPECT_EQ(receive(node, "e2", R"({"of":"no interest"})").kind, Kind::ignored);
  EXPECT_EQ(receive(node, "e2", R"({"of":"no interest"})").kind, Kind::duplicate);
  EXPECT_EQ(event("e2").status, WebhookStatus::IGNORED);
  EXPECT_EQ(number(count_sql), 1);
}

TEST_P(Intake, applies_an_event_once_that_arrives_twenty_times_at_once) {
  std::vector<std::unique_ptr<Node>> nodes;
  for (int i = 0; i < 4; ++i) nodes.push_back(std::make_unique<Node>(*storage));
  const IncomingEvent incoming{shipping_webhooks, "e1", "{}", intake_tenant};
  std::vector<std::future<IntakeResult>> results;
  for (int i = 0; i < 20; ++i) {
    Node& node = *nodes[static_cast<std::size_t>(i) % nodes.size()];
    results.push_back(node.loop.start([&] { return intake.receive(*node.db, incoming, now()); }));
  }
  std::map<Kind, int> kinds;
  for (auto& result : results) ++kinds[result.get().kind];
  EXPECT_EQ(kinds[Kind::processed], 1);
  EXPECT_EQ(kinds[Kind::duplicate], 19);
  EXPECT_EQ(number(count_sql), 1);
}

TEST_P(Intake, keeps_a_failed_event_with_its_error_and_without_its_effect) {
  Node node(*storage);
  failing = true;
  const IntakeResult result = receive(node, "e1");
  EXPECT_EQ(result.kind, Kind::failed);
  EXPECT_EQ(result.error, "the shipment is upside down");
  EXPECT_EQ(event("e1").status, WebhookStatus::FAILED);
  EXPECT_EQ(event("e1").error, "the shipment is upside down");
  EXPECT_EQ(number(count_sql), 0);
  EXPECT_EQ(receive(node, "e1").kind, Kind::failed);
  EXPECT_EQ(event("e1").attempts, 2);
  EXPECT_EQ(number(queued_sql), 1);  // however often it fails
}

TEST_P(Intake, applies_a_failed_event_when_the_provider_sends_it_again) {
  Node node(*storage);
  failing = true;
  receive(node, "e1");
  failing = false;
  EXPECT_EQ(receive(node, "e1").kind, Kind::processed);
  EXPECT_EQ(event("e1").status, WebhookStatus::PROCESSED);
  EXPECT_EQ(event("e1").error, std::nullopt);
  EXPECT_EQ(receive(node, "e1").kind, Kind::duplicate);
  EXPECT_EQ(number(count_sql), 1);
}

TEST_P(Intake, retries_a_failed_event_through_the_outbox) {
  Node node(*storage);
  failing = true;
  receive(node, "e1");
  Metrics metrics;
  outbox::Dispatcher dispatcher(*storage, metrics,
                                {.threads = 1, .pause = 10ms, .lanes = {.rest_first = 1ms, .rest_longest = 1ms}});
  dispatcher.handle(std::string(webhook_retry_topic),
                    [&](const outbox::Delivery& delivery) { return intake.try_again(*storage, delivery); },
                    {.first = 1ms, .longest = 5ms});
  storage->write_now([](Tx& tx) { tx.run({&hurry_sql, {}}); });
  dispatcher.start();
  EXPECT_TRUE(test::eventually([&] { return event("e1").attempts >= 3; }));
  EXPECT_EQ(event("e1").status, WebhookStatus::FAILED);
  EXPECT_EQ(number(count_sql), 0);
  failing = false;
  wait_for("e1", WebhookStatus::PROCESSED);
  EXPECT_EQ(number(count_sql), 1);
}

TEST_P(Intake, treats_an_erased_event_as_a_duplicate) {
  Node node(*storage);
  failing = true;
  receive(node, "e1");
  failing = false;
  storage->write_now([&](Tx& tx) {
    WebhookEvent erased = event_in(tx, "e1");
    erased.payload.reset();
    update_webhook_event(tx, erased);
  });
  EXPECT_EQ(receive(node, "e1").kind, Kind::duplicate);
  EXPECT_EQ(number(count_sql), 0);
}

TEST_P(Intake, deletes_events_after_the_retention_time) {
  Node node(*storage);
  receive(node, "e1");
  std::int64_t gone = 0;
  storage->write_now([&](Tx& tx) { gone = forget_webhook_events(tx, now() - 1h, 10); });
  EXPECT_EQ(gone, 0);
  storage->write_now([&](Tx& tx) { gone = forget_webhook_events(tx, now() + 1h, 10); });
  EXPECT_EQ(gone, 1);
}

}  // namespace
}  // namespace guildhall
