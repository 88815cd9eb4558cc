#include "outbound/http_client.h"

#include <gtest/gtest.h>

namespace guildhall::outbound {
namespace {

TEST(Outbound, sends_no_control_character_in_method_address_or_header) {
  const std::string nowhere = "http://127.0.0.1:1/";
  const Request requests[] = {
      {.method = "GET\r\nX: y", .url = nowhere},
      {.url = nowhere + "a\r\nGET /b"},
      {.url = nowhere + std::string(1, '\0')},
      {.url = nowhere, .headers = {{"Authorization", "Bearer t\r\nX-Admin: yes"}}},
      {.url = nowhere, .headers = {{"Authorization", "Bearer t\nX-Admin: yes"}}},
      {.url = nowhere, .headers = {{"X-A\r\nX-B", "c"}}},
      {.url = nowhere, .headers = {{"X-A", "\x7f"}}},
  };
  for (const Request& request : requests) {
    const Reply reply = send_now(request);
    EXPECT_EQ(reply.status, 0);
    EXPECT_NE(reply.error.find("control character"), std::string::npos) << reply.error;
  }
  EXPECT_EQ(send_now({.url = nowhere, .headers = {{"X-A", "b c"}}}).error.find("control character"), std::string::npos);
}

}  // namespace
}  // namespace guildhall::outbound
