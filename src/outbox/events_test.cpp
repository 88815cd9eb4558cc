#include "outbox/events.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

struct ItemPayload {
  std::string id;
};
BOOST_DESCRIBE_STRUCT(ItemPayload, (), (id))

struct ItemMade {
  static constexpr std::string_view name = "item.made";
  const std::string& id;
  mutable int payloads_made = 0;
  ItemPayload payload() const {
    ++payloads_made;
    return {id};
  }
};

struct ItemChecked {
  static constexpr std::string_view name = "item.checked";
  std::string id;
};
static_assert(PublishedEvent<ItemMade> && DomainEvent<ItemChecked> && !PublishedEvent<ItemChecked>);

class UnusedTx final : public Tx {
  std::int64_t run(const Query&, RowSink) override { return 0; }
  void later(Query, Refused) override {}
  bool has_single_writer() const override { return true; }
  void run_script(std::string_view) override {}
  void lift_time_limits() override {}
};

class DomainEvents : public ::testing::Test {
 protected:
  void publish(bool wanted) {
    events.set_publisher(
        {.wants =
             [this, wanted](const ActionContext&, std::string_view name) {
               calls.push_back("wants " + std::string(name));
               return wanted;
             },
         .publish = [this](const ActionContext&, std::string_view name,
                           const std::string& payload) { calls.push_back("publish " + std::string(name) + payload); }});
  }

  UnusedTx tx;
  Events events;
  const TenantId tenant{std::string("shop")};
  const Actor actor;
  const ActionContext context{tx, events, tenant, actor, Instant{1}};
  const std::string id = "one";
  std::vector<std::string> calls;
};

TEST_F(DomainEvents, reach_their_subscribers_in_order_and_then_the_publisher) {
  publish(true);
  events.subscribe<ItemMade>(
      [&](const ActionContext& given, const ItemMade& event) { calls.push_back(given.tenant.text() + event.id); });
  events.subscribe<ItemMade>([&](const ActionContext&, const ItemMade&) { calls.emplace_back("second"); });
  events.subscribe<ItemChecked>([&](const ActionContext&, const ItemChecked&) { calls.emplace_back("another event"); });
  context.emit(ItemMade{id});
  EXPECT_EQ(calls,
            (std::vector<std::string>{"shopone", "second", "wants item.made", R"(publish item.made{"id":"one"})"}));
}

TEST_F(DomainEvents, have_no_payload_made_unless_it_is_wanted) {
  const ItemMade event{id};
  context.emit(event);
  publish(false);
  context.emit(event);
  EXPECT_EQ(event.payloads_made, 0);
  EXPECT_EQ(calls, std::vector<std::string>{"wants item.made"}) << "asked once";
}

TEST_F(DomainEvents, without_a_payload_are_never_published) {
  publish(true);
  context.emit(ItemChecked{id});
  EXPECT_EQ(calls, std::vector<std::string>());
}

TEST_F(DomainEvents, are_refused_by_a_subscriber_that_throws) {
  publish(true);
  events.subscribe<ItemMade>([](const ActionContext&, const ItemMade&) { throw bad_request("NO", "No."); });
  EXPECT_THROW(context.emit(ItemMade{id}), Failure);
  EXPECT_EQ(calls, std::vector<std::string>());
}

}  // namespace
}  // namespace guildhall
