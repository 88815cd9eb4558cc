#include "features/webhooks/webhook_checks.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(WebhookChecks, accept_only_json_objects_without_duplicate_keys) {
  EXPECT_NO_THROW(require_json_object(R"({"a":1,"b":{"a":2}})"));
  for (const char* bad : {"", "[]", "{", R"({"a":1,"a":1})", R"({"x":[{"a":1,"b":2,"a":3}]})"}) {
    EXPECT_THROW(require_json_object(bad), Failure) << bad;
  }
}

}  // namespace
}  // namespace guildhall
