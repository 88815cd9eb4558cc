#include "base/job_failures.h"

#include <gtest/gtest.h>

#include "base/failure.h"

namespace guildhall {
namespace {

class Parts : public ::testing::Test {
 protected:
  bool fails(const std::exception& with) {
    return !failures.attempt({"shop", "record"}, [&] {
      if (const auto* failure = dynamic_cast<const Failure*>(&with)) throw *failure;
      throw std::runtime_error(with.what());
    });
  }
  bool has_counted(int count) const {
    return metrics.text().find(fmt::format("job_failures_total{{job=\"cleaning\"}} {}\n", count)) != std::string::npos;
  }

  Metrics metrics;
  JobFailures failures{metrics, "cleaning"};
};

TEST_F(Parts, that_fail_are_counted_and_do_not_stop_the_others) {
  EXPECT_TRUE(has_counted(0));
  EXPECT_TRUE(fails(std::runtime_error("broken")));
  EXPECT_TRUE(fails(bad_request("CODE", "wrong")));
  bool done = false;
  EXPECT_TRUE(failures.attempt({}, [&] { done = true; }));
  EXPECT_TRUE(done);
  failures.record({"shop", "other"}, "unreadable");
  EXPECT_TRUE(has_counted(3));
}

TEST_F(Parts, end_the_run_when_the_database_answers_none_of_them) {
  const Failure down = unavailable("The database does not answer.");
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(fails(down));
  EXPECT_TRUE(fails(std::runtime_error("broken"))) << "an answer, so the database is there";
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(fails(down));
  EXPECT_THROW(fails(down), Failure);
  EXPECT_THROW(fails(down), Failure) << "the next run, if it is still down";
  EXPECT_TRUE(failures.attempt({}, [] {}));
  EXPECT_TRUE(fails(down));
}

}  // namespace
}  // namespace guildhall
