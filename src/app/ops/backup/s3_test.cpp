#include "app/ops/backup/s3.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "base/crypto.h"
#include "support/engines.h"
#include "support/s3_stand_in.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;
using test::S3StandIn;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class S3 : public ::testing::Test {
 protected:
  S3Folder opened(const std::string& secret_key = S3StandIn::secret_key) const {
    return {
        {.endpoint = storage.url(),
         .credentials = {.region = S3StandIn::region, .access_key = S3StandIn::access_key, .secret_key = secret_key},
         .part_bytes = 64 * 1024,
         .retry_pause = std::chrono::milliseconds(1)},
        parse_s3_url("s3://backups/shop-1/daily/")};
  }

  S3StandIn storage;
  test::TemporaryFolder folder;
};

TEST_F(S3, stores_a_file_in_parts_and_gives_it_back) {
  const std::string content = random_bytes(300'000);
  std::ofstream(folder.path / "a", std::ios::binary) << content;
  storage.put("shop-1/other", "not below the prefix");
  for (const char* name : {"a-1", "a-2", "b-1"}) storage.put(std::string("shop-1/daily/") + name, "x");
  storage.refuse_parts(2);  // which is repeated
  const S3Folder target = opened();
  target.upload(folder.path / "a", "a-3");
  EXPECT_TRUE(storage.objects().at("shop-1/daily/a-3") == content);
  EXPECT_EQ(storage.unfinished_uploads(), 0u);
  const std::vector<S3Object> found = target.list("a-");
  ASSERT_EQ(found.size(), 3u) << "on two pages";
  EXPECT_EQ(found.back().name, "a-3");
  EXPECT_EQ(found.back().bytes, 300'000);
  target.download("a-3", folder.path / "b");
  EXPECT_TRUE(text_of(folder.path / "b") == content);
  target.remove("a-3");
  EXPECT_FALSE(storage.objects().contains("shop-1/daily/a-3"));
  EXPECT_EQ(storage.objects().size(), 4u);
  EXPECT_THROW(target.download("a-3", folder.path / "c"), std::runtime_error);
}

TEST_F(S3, leaves_no_parts_after_a_failure) {
  std::ofstream(folder.path / "a") << std::string(100'000, 'x');
  storage.refuse_parts(-1);
  EXPECT_THROW(opened().upload(folder.path / "a", "a"), std::runtime_error);
  EXPECT_EQ(storage.unfinished_uploads(), 0u);
  EXPECT_TRUE(storage.objects().empty());
}

// The control of the signature: the stand-in refuses another key.
TEST_F(S3, is_refused_with_a_wrong_key_and_says_why) {
  try {
    opened("another key").list("");
    FAIL() << "a wrong signature was accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string_view(error.what()).find("403, SignatureDoesNotMatch"), std::string_view::npos)
        << error.what();
  }
  EXPECT_NO_THROW(opened().list(""));
}

TEST(S3Url, has_a_bucket_a_prefix_and_a_name) {
  const S3Location location = parse_s3_url("s3://bucket/a/b/name.backup");
  EXPECT_EQ(location.bucket, "bucket");
  EXPECT_EQ(location.prefix, "a/b/");
  EXPECT_EQ(location.name, "name.backup");
  EXPECT_EQ(parse_s3_url("s3://bucket").prefix, "");
  for (const char* wrong : {"s3://", "s3:///a", "s3://b//a", "s3://b/a b", "s3://b/../a", "http://b/a", "s3://b?x/"}) {
    EXPECT_THROW(parse_s3_url(wrong), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace guildhall
