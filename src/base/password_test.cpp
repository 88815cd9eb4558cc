#include "base/password.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Password, is_verified_against_its_own_hash_only) {
  const std::string hash = hash_password("correct horse");
  EXPECT_TRUE(verify_password(hash, "correct horse"));
  EXPECT_FALSE(verify_password(hash, "correct horsf"));
  EXPECT_FALSE(verify_password(hash, ""));
  EXPECT_FALSE(verify_password(hash, std::string_view("correct horse\0", 14)));
}

TEST(Password, is_hashed_with_the_promised_cost_and_a_fresh_salt) {
  const std::string first = hash_password("same");
  EXPECT_TRUE(first.starts_with("$argon2id$v=19$m=65536,t=2,p=1$")) << first;
  EXPECT_NE(first, hash_password("same"));
}

TEST(Password, does_not_match_a_text_that_is_not_a_hash) {
  for (const char* text : {"", "plain", "$argon2id$", "$argon2id$v=19$m=65536,t=2,p=1$xx$yy", "$2b$12$abc"}) {
    EXPECT_FALSE(verify_password(text, "plain")) << text;
  }
}

// A hash names its own cost. A dear one from another installation would occupy the workers that check passwords.
TEST(Password, is_not_compared_with_a_hash_that_costs_more_than_ours) {
  const std::string hash = hash_password("secret");
  EXPECT_TRUE(is_affordable_hash(hash));
  const PasswordCost usual = password_cost;
  password_cost.passes = usual.passes + 1;
  const std::string more_passes = hash_password("secret");
  password_cost = {.passes = usual.passes, .memory_bytes = usual.memory_bytes + (1 << 20)};
  const std::string more_memory = hash_password("secret");
  password_cost = {.passes = 1, .memory_bytes = 8 << 20};
  const std::string cheaper = hash_password("secret");
  password_cost = usual;
  for (const std::string& dear : {more_passes, more_memory}) {
    EXPECT_FALSE(is_affordable_hash(dear)) << dear;
    EXPECT_FALSE(verify_password(dear, "secret")) << dear;
  }
  EXPECT_TRUE(verify_password(cheaper, "secret"));
  const std::string rest = hash.substr(hash.find(",p="));
  for (const char* start : {"$argon2i$v=19$m=65536,t=2", "$argon2id$v=16$m=65536,t=2", "$argon2id$v=19$m=65536",
                            "$argon2id$v=19$m=-1,t=2", "$argon2id$v=19$m=99999999999999999999,t=2", "$7$"}) {
    EXPECT_FALSE(is_affordable_hash(start + rest)) << start;
  }
}

TEST(Password, of_an_absent_user_costs_the_same_and_matches_nothing) {
  const std::string& absent = absent_password_hash();
  EXPECT_TRUE(absent.starts_with("$argon2id$v=19$m=65536,t=2,p=1$"));
  EXPECT_EQ(&absent, &absent_password_hash());
  EXPECT_FALSE(verify_password(absent, ""));
}

}  // namespace
}  // namespace guildhall
