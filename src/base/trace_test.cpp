#include "base/trace.h"

#include <gtest/gtest.h>
#include <thread>

namespace guildhall::trace {
namespace {

constexpr std::string_view sampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(Traceparent, is_read_and_written_as_the_standard_says) {
  const auto context = parse_traceparent(sampled);
  ASSERT_TRUE(context);
  EXPECT_TRUE(context->sampled);
  EXPECT_EQ(traceparent(*context), sampled);
  const auto later = parse_traceparent("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-more");
  ASSERT_TRUE(later) << "later versions may have more fields";
  EXPECT_EQ(traceparent(*later), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
  for (const std::string_view wrong : {"", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
                                       "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                       "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                       "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                                       "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                       "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                                       "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
                                       "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}) {
    EXPECT_FALSE(parse_traceparent(wrong)) << wrong;
  }
}

TEST(Trace, continues_with_a_new_span_for_each_part) {
  const Context root = child_of(nullptr);
  const Context child = child_of(&root);
  EXPECT_TRUE(root.sampled);
  EXPECT_EQ(child.trace_id, root.trace_id);
  EXPECT_NE(child.span_id, root.span_id);
  EXPECT_NE(child_of(nullptr).trace_id, root.trace_id);
}

// A thread does other work while a coroutine is suspended.
TEST(Trace, is_not_that_of_other_work_of_the_same_thread) {
  const Context context = child_of(nullptr);
  const Scope scope(&context);
  {
    const Suspension suspension;
    EXPECT_EQ(current, nullptr);
    EXPECT_EQ(suspension.kept(), &context);
  }
  EXPECT_EQ(current, &context);
}

TEST(Spans, are_recorded_only_while_they_are_exported_and_sampled) {
  Context unsampled = child_of(nullptr);
  unsampled.sampled = false;
  const Context context = child_of(nullptr);
  EXPECT_FALSE(SpanTimer("part", Span::Kind::internal, &context).is_recorded());
  spans().set_open(true);
  EXPECT_FALSE(SpanTimer("part", Span::Kind::internal, &unsampled).is_recorded());
  EXPECT_FALSE(SpanTimer("part", Span::Kind::internal, nullptr).is_recorded());
  { EXPECT_TRUE(SpanTimer("part", Span::Kind::internal, &context).is_recorded()); }
  const auto taken = spans().take(1, std::chrono::seconds(60));
  spans().set_open(false);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].name, "part");
  EXPECT_EQ(taken[0].parent, context.span_id);
  EXPECT_EQ(taken[0].context.trace_id, context.trace_id);
}

TEST(Spans, that_do_not_fit_into_the_queue_are_dropped_and_counted) {
  SpanQueue queue;
  queue.set_open(true);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::size_t n = 0; n < SpanQueue::spans_max; ++n) queue.push(Span{});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(queue.dropped(), 3 * SpanQueue::spans_max);
  EXPECT_EQ(queue.take(SpanQueue::spans_max * 2, std::chrono::milliseconds(0)).size(), SpanQueue::spans_max);
}

}  // namespace
}  // namespace guildhall::trace
