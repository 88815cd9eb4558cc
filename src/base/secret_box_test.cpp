#include "base/secret_box.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(SecretBox, opens_a_sealed_text_with_the_same_context_only) {
  const SecretBox box("master");
  const std::string sealed = box.seal("plain", "a");
  EXPECT_EQ(box.open(sealed, "a"), "plain");
  EXPECT_FALSE(box.open(sealed, "b"));
  EXPECT_FALSE(SecretBox("other").open(sealed, "a"));
  EXPECT_NE(box.seal("plain", "a"), sealed);
  EXPECT_EQ(box.open(box.seal("", "a"), "a"), "");
}

TEST(SecretBox, refuses_anything_changed) {
  const SecretBox box("master");
  const std::string sealed = box.seal("plain", "a");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(box.open(changed, "a")) << i;
  }
  EXPECT_FALSE(box.open("", "a"));
  EXPECT_FALSE(box.open("short", "a"));
}

}  // namespace
}  // namespace guildhall
