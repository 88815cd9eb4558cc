#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/http_client.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall::test {

// A client of the node, signed in as the admin.
inline HttpClient signed_in(const ServerProcess& node) {
  HttpClient client(node.port());
  const HttpReply reply =
      client.post("/auth/local/login",
                  fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", admin_password));
  EXPECT_EQ(reply.status, 200) << reply.body;
  return client;
}

// The same session at another node.
inline HttpClient at(const ServerProcess& node, const HttpClient& client) {
  HttpClient there(node.port());
  there.cookies = client.cookies;
  return there;
}

}  // namespace guildhall::test
