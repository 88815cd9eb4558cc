#include "base/fair_queue.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

using Queue = FairQueue<std::string>;

std::vector<std::string> drained(Queue& queue) {
  std::vector<std::string> items;
  while (!queue.empty()) items.push_back(queue.pop());
  return items;
}

TEST(FairQueue, takes_turns_between_sources_and_keeps_the_order_of_each) {
  Queue queue(10);
  for (const char* item : {"a1", "a2", "a3", "b1", "c1", "c2"}) {
    EXPECT_EQ(queue.push(std::string_view(item, 1), item), std::nullopt);
  }
  EXPECT_EQ(drained(queue), (std::vector<std::string>{"a1", "b1", "c1", "a2", "c2", "a3"}));
  queue.push("b", "b2");
  EXPECT_EQ(drained(queue), std::vector<std::string>{"b2"});
}

TEST(FairQueue, refuses_the_newest_item_of_the_source_that_has_most) {
  Queue queue(3);
  for (const char* item : {"a1", "a2", "a3"}) queue.push("a", item);
  EXPECT_EQ(queue.push("a", "a4"), "a4") << "of one source the new item is the newest";
  EXPECT_EQ(queue.push("b", "b1"), "a3");
  EXPECT_EQ(queue.push("b", "b2"), "b2") << "with the new item both sources have two, and it is the newest";
  EXPECT_EQ(queue.push("c", "c1"), "a2");
  EXPECT_EQ(queue.push("d", "d1"), "d1") << "every source has one";
  EXPECT_EQ(drained(queue), (std::vector<std::string>{"a1", "b1", "c1"}));
}

TEST(FairQueue, with_a_limit_of_zero_refuses_everything) {
  Queue queue(0);
  EXPECT_EQ(queue.push("a", "a1"), "a1");
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace guildhall
