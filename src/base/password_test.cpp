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

TEST(Password, of_an_absent_user_costs_the_same_and_matches_nothing) {
  const std::string& absent = absent_password_hash();
  EXPECT_TRUE(absent.starts_with("$argon2id$v=19$m=65536,t=2,p=1$"));
  EXPECT_EQ(&absent, &absent_password_hash());
  EXPECT_FALSE(verify_password(absent, ""));
}

}  // namespace
}  // namespace guildhall
