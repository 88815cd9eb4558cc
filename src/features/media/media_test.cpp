#include "features/media/media.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "features/media/picture_converter.h"
#include "support/engines.h"
#include "support/pictures.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

const TenantId busy(std::string("busy")), quiet(std::string("quiet"));

// Replaces the worker by a program that only takes its time, so that uploads wait.
class SlowWorker {
 public:
  SlowWorker() {
    const std::filesystem::path script = folder_.path / "slow";
    std::ofstream(script) << "#!/bin/sh\nexec /bin/sleep 0.2\n";
    std::filesystem::permissions(script, std::filesystem::perms(0700));
    program_ = std::exchange(picture_worker_program, script.string());
  }
  ~SlowWorker() { picture_worker_program = program_; }

 private:
  test::TemporaryFolder folder_;
  std::string program_;
};

class Uploads : public ::testing::Test {
 protected:
  std::future<NewPicture> begin(const TenantId& tenant, const std::string& bytes) {
    return loop.start([this, &tenant, &bytes] { return media.convert(tenant, bytes, now()); });
  }

  // Why the upload has failed.
  static std::string reason(std::future<NewPicture>& upload) {
    try {
      upload.get();
      return "";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.kind, Failure::Kind::unavailable);
      return failure.sentence;
    }
  }

  const std::string too_many = "Too many pictures are being uploaded; please try again.";
  const std::string too_busy = "The server is too busy; please try again.";
  const std::string was_tried = "Pictures cannot be converted at the moment.";
  const SlowWorker slow;
  const MediaConfig config{.media_dir = "", .media_tenant_mib_max = 1};
  test::LoopThread loop;
  Media media{config};
};

TEST_F(Uploads, in_progress_have_a_limit_of_bytes_in_each_tenant) {
  std::string large = test::png_of(test::quarters(8, 8));
  large.resize(picture_bytes_max, 'x');
  std::vector<std::future<NewPicture>> uploads;
  for (int i = 0; i < 4; ++i) uploads.push_back(begin(busy, large));
  auto other = begin(quiet, large);
  EXPECT_EQ(reason(uploads[3]), too_many);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(reason(uploads[static_cast<std::size_t>(i)]), was_tried);
  EXPECT_EQ(reason(other), was_tried);
  auto later = begin(busy, large);
  EXPECT_EQ(reason(later), was_tried) << "the bytes are free again";
}

TEST_F(Uploads, of_one_tenant_cannot_keep_another_out) {
  const std::string small = test::png_of(test::quarters(8, 8));
  std::vector<std::future<NewPicture>> uploads;
  for (int i = 0; i < 40; ++i) uploads.push_back(begin(busy, small));
  auto other = begin(quiet, small);
  EXPECT_EQ(reason(other), was_tried) << "although the queue is full";
  std::size_t refused = 0, waiting = 0;
  for (auto& upload : uploads) waiting += upload.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  for (auto& upload : uploads) refused += reason(upload) == too_busy;
  EXPECT_GE(refused, 20u);
  EXPECT_GT(waiting, 8u) << "the other tenant did not wait for all of them";
}

}  // namespace
}  // namespace guildhall
