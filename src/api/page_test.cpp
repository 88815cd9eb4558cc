#include "api/page.h"

#include <gtest/gtest.h>

#include "base/encoding.h"

namespace guildhall::api {
namespace {

ListQuery query(std::string_view cursor) {
  ListQuery read;
  decode_query(fmt::format("cursor={}", cursor),
               [&](JsonValue json, Decoder& decoder) { Codec<ListQuery>::decode(json, read, decoder); });
  return read;
}

TEST(Cursors, lead_back_to_their_position) {
  const Position position{{1'794'753'048'943}, "01a1-x.y"};
  const Position again = query(position.cursor()).start();
  EXPECT_EQ(again.created_at, position.created_at);
  EXPECT_EQ(again.id, position.id);
  EXPECT_EQ(ListQuery{}.start().created_at.ms, INT64_MAX);
}

TEST(Cursors, that_are_not_ours_are_refused) {
  for (const std::string& bad :
       {std::string(""), std::string("!"), base64url("x"), base64url("1"), base64url("x.y"),
        base64url("99999999999999999999.x"), base64url(std::string_view("1.\0", 3)), base64url("1.\xff")}) {
    EXPECT_THROW(query(bad), Failure) << bad;
  }
}

}  // namespace
}  // namespace guildhall::api
