#include "base/worker_pool.h"

#include <array>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

#include "base/failure.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

// The failure that the task ends with. It is read on the task's own loop: the thread sanitizer reports an exception
// that two threads share as a race, because it does not see the standard library's reference count.
Task<std::optional<Failure::Kind>> failure_of(Task<> task) {
  try {
    co_await std::move(task);
  } catch (const Failure& failure) {
    co_return failure.kind;
  }
  co_return std::nullopt;
}

class WorkerPoolTest : public ::testing::Test {
 protected:
  std::array<test::LoopThread, 2> loops_;
};

TEST_F(WorkerPoolTest, runs_on_its_threads_and_resumes_on_the_callers_loop) {
  WorkerPool pool(2, 100);
  std::vector<std::future<int>> results;
  for (int i = 0; i < 100; ++i) {
    results.push_back(loops_[i % 2].start([&pool, i]() -> Task<int> {
      const auto loop = std::this_thread::get_id();
      int seen = 0;
      const auto worker = co_await pool.run([&seen, i] {
        seen = i;
        return std::this_thread::get_id();
      });
      EXPECT_NE(worker, loop);
      EXPECT_EQ(std::this_thread::get_id(), loop);
      co_return seen;
    }));
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(results[i].get(), i);
}

TEST_F(WorkerPoolTest, has_a_thread_for_each_job_that_comes_at_once) {
  WorkerPool pool(3, 100);
  std::latch all_running(3);
  std::vector<std::future<void>> results;
  for (int i = 0; i < 3; ++i) {
    results.push_back(loops_[0].start([&]() -> Task<> { co_await pool.run([&] { all_running.arrive_and_wait(); }); }));
  }
  for (auto& result : results) result.get();
}

TEST_F(WorkerPoolTest, returns_move_only_results_and_void) {
  WorkerPool pool(1, 10);
  auto done = loops_[0].start([&]() -> Task<> {
    const std::unique_ptr<int> moved = co_await pool.run([] { return std::make_unique<int>(7); });
    EXPECT_EQ(*moved, 7);
    bool ran = false;
    co_await pool.run([&ran, owned = std::make_unique<int>(1)] { ran = true; });
    EXPECT_TRUE(ran);
  });
  done.get();
}

TEST_F(WorkerPoolTest, passes_exceptions_to_the_caller) {
  WorkerPool pool(1, 10);
  auto failed = loops_[0].start([&] { return failure_of(pool.run([] { throw not_found("The hat"); })); });
  EXPECT_EQ(failed.get(), Failure::Kind::not_found);
  EXPECT_EQ(loops_[0].start([&]() -> Task<int> { co_return co_await pool.run([] { return 1; }); }).get(), 1);
}

TEST_F(WorkerPoolTest, refuses_one_more_than_may_queue) {
  WorkerPool pool(1, 2);
  std::latch running(1);
  std::latch go_on(1);
  auto wait = [&]() -> Task<> {
    co_await pool.run([&] {
      if (!running.try_wait()) running.count_down();
      go_on.wait();
    });
  };
  auto first = loops_[0].start(wait);
  running.wait();
  std::vector<std::future<void>> queued;
  for (int i = 0; i < 2; ++i) queued.push_back(loops_[0].start(wait));
  auto refused = loops_[0].start([&] { return failure_of(wait()); });  // the same loop, so after the two
  EXPECT_EQ(refused.get(), Failure::Kind::unavailable);
  go_on.count_down();
  first.get();
  for (auto& one : queued) one.get();
}

TEST_F(WorkerPoolTest, a_flood_from_one_source_refuses_its_own_newest_job_and_not_another_source) {
  WorkerPool pool(1, 2);
  std::latch running(1);
  std::latch go_on(1);
  auto first = loops_[0].start([&]() -> Task<> {
    co_await pool.run([&] {
      running.count_down();
      go_on.wait();
    });
  });
  running.wait();
  std::vector<std::string> order;  // written by the pool's only thread
  const auto queue = [&](const std::string& name, const std::string& source) {
    return loops_[0].start([&pool, &order, name, source] {
      return failure_of(pool.run([&order, name] { order.push_back(name); }, source));
    });
  };
  auto a1 = queue("a1", "a"), a2 = queue("a2", "a"), b1 = queue("b1", "b");
  EXPECT_EQ(a2.get(), Failure::Kind::unavailable);
  go_on.count_down();
  first.get();
  EXPECT_EQ(a1.get(), std::nullopt);
  EXPECT_EQ(b1.get(), std::nullopt);
  EXPECT_EQ(order, (std::vector<std::string>{"a1", "b1"}));
}

TEST_F(WorkerPoolTest, waits_for_running_jobs_and_refuses_queued_jobs_when_destroyed) {
  auto pool = std::make_unique<WorkerPool>(1, 10);
  std::latch running(1);
  std::latch go_on(1);
  bool finished = false;
  auto first = loops_[0].start([&]() -> Task<> {
    co_await pool->run([&] {
      running.count_down();
      go_on.wait();
      finished = true;
    });
  });
  running.wait();
  auto queued = loops_[1].start([&] { return failure_of(pool->run([] {})); });
  loops_[1].start([]() -> Task<> { co_return; }).get();  // the other job is in the queue when this returns
  std::thread destroyer([&] { pool.reset(); });
  EXPECT_EQ(queued.get(), Failure::Kind::unavailable);
  go_on.count_down();
  destroyer.join();
  EXPECT_TRUE(finished);
  first.get();
}

TEST_F(WorkerPoolTest, leaves_the_frames_of_a_loop_that_has_ended_to_that_loop) {
  auto pool = std::make_unique<WorkerPool>(1, 10);
  test::LoopThread ending;
  std::latch running(1);
  std::latch go_on(1);
  auto never = ending.start([&]() -> Task<> {
    co_await pool->run([&] {
      running.count_down();
      go_on.wait();
    });
  });
  running.wait();
  ending.stop();
  go_on.count_down();
  pool.reset();
  EXPECT_EQ(never.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
}

}  // namespace
}  // namespace guildhall
