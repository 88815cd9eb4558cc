// Tests a server whose disk fills up: writes are refused, reads continue, and it recovers without a restart.
#include "support/small_disk.h"

#include <fmt/format.h>
#include <fstream>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

TEST(FullDisk, makes_a_node_unready_until_there_is_space) {
  test::SmallDisk disk(24);
  if (!disk.is_mounted()) GTEST_SKIP() << "no right to mount a file system";
  std::ofstream(disk.path() / "ballast") << std::string(6 << 20, 'x');
  ServerProcess server(
      test::server_variables(test::Engine::sqlite, "sqlite:" + (disk.path() / "a.db").string(), disk.path().string()));
  server.wait_until_ready();
  HttpClient client(server.port());
  ASSERT_EQ(client
                .post("/auth/local/login", fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})",
                                                       test::admin_password))
                .status,
            200);
  int acknowledged = 0;
  const auto add = [&] {
    const int status =
        client
            .post("/api/data/product", fmt::format(R"({{"sku":"{}","name":"n","priceCents":1,"description":"{}"}})",
                                                   acknowledged, std::string(4000, 'x')))
            .status;
    if (status == 201) ++acknowledged;
    return status;
  };
  int status = 0;
  while ((status = add()) == 201) continue;
  EXPECT_EQ(status, 503);
  HttpReply ready;
  EXPECT_TRUE(test::eventually([&] {
    add();
    ready = HttpClient(server.port()).get("/readyz");
    return ready.status == 503;
  })) << ready.body;
  EXPECT_NE(ready.body.find("disk"), std::string::npos) << ready.body;
  EXPECT_EQ(client.get("/api/data/product?limit=1").status, 200);

  std::filesystem::remove(disk.path() / "ballast");
  server.wait_until_ready();
  EXPECT_EQ(add(), 201);
}

}  // namespace
}  // namespace guildhall
