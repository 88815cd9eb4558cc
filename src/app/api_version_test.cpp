// Versions of the API, and what replies say about fields that will be removed.
#include "api/api_version.h"

#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class Versions : public test::OnEachPair {
 protected:
  static std::string version_in(const HttpReply& reply) { return reply.header("guildhall-version"); }

  CheckedClient admin = server.admin();
  const std::string present{api::api_version};
};
INSTANTIATE_TEST_SUITE_P(Pairs, Versions, test::engines, test::engine_name);

TEST_P(Versions, are_named_by_every_reply) {
  EXPECT_EQ(version_in(admin.get("/api/data/product")), present);
  EXPECT_EQ(version_in(admin.get("/api/data/product/unknown")), present);
  EXPECT_EQ(version_in(admin.get("/api/unknown")), present);
  EXPECT_EQ(version_in(server.client().get("/auth/me")), present);
  EXPECT_EQ(version_in(server.client().get("/healthz")), present);
}

TEST_P(Versions, can_be_asked_for_if_they_are_not_older_than_a_year) {
  const auto asked = [&](const std::string& version) {
    return admin.get("/api/data/product", {{"Guildhall-Version", version}});
  };
  for (const std::string& version : {present, std::string("2026-01-31"), std::string("2025-11-18")}) {
    const HttpReply reply = asked(version);
    EXPECT_EQ(reply.status, 200) << version;
    EXPECT_EQ(version_in(reply), version);
  }
  for (const char* version :
       {"2025-11-17", "2020-01-01", "2037-12-31", "1", "latest", "2026-13-01", "2026-11-18T00:00"}) {
    const HttpReply reply = asked(version);
    EXPECT_EQ(reply.status, 400) << version;
    EXPECT_EQ(reply.code(), "VERSION_NOT_SUPPORTED") << version;
    EXPECT_EQ(version_in(reply), present);
  }
}

TEST_P(Versions, can_be_pinned_by_a_token) {
  const auto make = [&](const std::string& version) {
    return admin.post("/api/admin/tokens",
                      fmt::format(R"({{"name":"script","keys":["data.read"],"apiVersion":{}}})", version));
  };
  const HttpReply made = make(R"("2026-03-01")");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.text("/apiVersion"), "2026-03-01");
  EXPECT_EQ(admin.get("/api/admin/tokens").text("/items/0/apiVersion"), "2026-03-01");
  CheckedClient program = server.client();
  const std::string bearer = "Bearer " + made.text("/token");
  EXPECT_EQ(version_in(program.get("/api/data/product", {{"Authorization", bearer}})), "2026-03-01");
  EXPECT_EQ(version_in(program.get("/api/data/product", {{"Authorization", bearer}, {"Guildhall-Version", present}})),
            present)
      << "the request decides";
  EXPECT_TRUE(make("null").is_null("/apiVersion"));
  for (const char* wrong : {R"("2020-01-01")", R"("2037-01-01")", R"("soon")"}) {
    EXPECT_EQ(make(wrong).wrong_fields(), std::vector<std::string>{"apiVersion"}) << wrong;
  }
}

TEST_P(Versions, replies_with_deprecated_fields_say_so) {
  for (const char* path : {"/api/data/user", "/api/data/tenant", "/api/data/tenant/default"}) {
    const HttpReply reply = admin.get(path);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("deprecation"), "@1794960000") << path;
    EXPECT_EQ(reply.header("sunset"), "Thu, 18 Nov 2027 00:00:00 GMT") << path;
    EXPECT_NE(reply.header("link").find("rel=\"deprecation\""), std::string::npos) << path;
  }
  EXPECT_EQ(admin.get("/api/data/product").header("deprecation"), "");
}

}  // namespace
}  // namespace guildhall
