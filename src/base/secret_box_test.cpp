#include "base/secret_box.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(SecretBox, opens_a_sealed_text_with_the_same_context_only) {
  const SecretBox box({"master"});
  const std::string sealed = box.seal("plain", "a");
  EXPECT_EQ(box.open(sealed, "a"), "plain");
  EXPECT_FALSE(box.open(sealed, "b"));
  EXPECT_FALSE(SecretBox({"other"}).open(sealed, "a"));
  EXPECT_NE(box.seal("plain", "a"), sealed);
  EXPECT_EQ(box.open(box.seal("", "a"), "a"), "");
}

TEST(SecretBox, refuses_anything_changed) {
  const SecretBox box({"master"});
  const std::string sealed = box.seal("plain", "a");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(box.open(changed, "a")) << i;
  }
  EXPECT_FALSE(box.open("", "a"));
  EXPECT_FALSE(box.open("short", "a"));
}

TEST(SecretBox, seals_with_the_first_key_and_opens_with_all) {
  const std::string old = SecretBox({"old"}).seal("plain", "a");
  const SecretBox both({"new", "old"});
  EXPECT_EQ(both.open(old, "a"), "plain");
  std::string sealed = old;
  EXPECT_EQ(both.reseal(sealed, "b"), Resealing::unreadable);
  EXPECT_EQ(sealed, old);
  EXPECT_EQ(both.reseal(sealed, "a"), Resealing::resealed);
  const std::string once = sealed;
  EXPECT_EQ(both.reseal(sealed, "a"), Resealing::current);
  EXPECT_EQ(sealed, once);
  EXPECT_EQ(SecretBox({"new"}).open(sealed, "a"), "plain");
  EXPECT_FALSE(SecretBox({"old"}).open(sealed, "a"));
}

}  // namespace
}  // namespace guildhall
