// Doctor inside a server, and the other routes for those who run an installation.
#include "app/ops/doctor/doctor.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/backup_target.h"
#include "features/operations/nodes.h"
#include "support/certificates.h"
#include "support/s3_stand_in.h"
#include "support/server_process.h"
#include "support/smtp_stand_in.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

class PlatformRoutes : public test::OnEachPair {
 protected:
  test::CheckedClient operator_ = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, PlatformRoutes, test::engines, test::engine_name);

TEST_P(PlatformRoutes, examine_a_healthy_installation) {
  const auto report = operator_.get("/api/admin/platform/doctor");
  ASSERT_EQ(report.status, 200) << report.body;
  EXPECT_TRUE(report.boolean("/ok")) << report.body;
  for (const char* found : {"its schema is up to date", "it opens the secrets in this database", " answers\"",
                            "MiB are free in", " are in use", "\"check\":\"clock\"", "\"check\":\"certificates\""}) {
    EXPECT_NE(report.body.find(found), std::string::npos) << found << " in " << report.body;
  }
  EXPECT_EQ(report.body.find("\"check\":\"mail server\""), std::string::npos) << "only the online checks call it";
  EXPECT_EQ(operator_.get("/api/admin/platform/doctor?online=perhaps").status, 400);
}

TEST_P(PlatformRoutes, list_the_nodes_and_who_has_been_silent) {
  const auto silent = [&](std::chrono::milliseconds ago) {
    Node node = make_node("10.0.0.9:8080", now());
    server.write([&](Tx& tx) { announce_node(tx, node, now() - ago); });
    return node.node_id;
  };
  const auto alone = operator_.get("/api/admin/platform/nodes");
  ASSERT_EQ(alone.status, 200) << alone.body;
  EXPECT_EQ(alone.size("/items"), 1u) << alone.body;
  EXPECT_TRUE(alone.boolean("/items/0/isThisNode"));
  EXPECT_TRUE(alone.boolean("/items/0/isAlive"));
  EXPECT_EQ(alone.text("/items/0/version"), GUILDHALL_VERSION);
  if (GetParam() == test::Engine::sqlite) return;  // there is one node
  const std::string gone = silent(node_silent_max + std::chrono::seconds(5)), forgotten = silent(node_kept * 2);
  const Node other = make_node("10.0.0.8:8080", now());
  server.write([&](Tx& tx) { announce_node(tx, other, now()); });
  const auto all = operator_.get("/api/admin/platform/nodes");
  EXPECT_EQ(all.size("/items"), 3u) << all.body;
  EXPECT_EQ(all.text("/items/2/id"), gone);
  EXPECT_FALSE(all.boolean("/items/2/isAlive"));
  EXPECT_EQ(all.body.find(forgotten), std::string::npos);
}

TEST_P(PlatformRoutes, list_the_backups) {
  const std::string path = "/api/admin/platform/backups", folder = server.config.backup_target;
  EXPECT_EQ(operator_.get(path).size("/items"), 0u);
  const std::string made = fs::path(back_up(server.config, folder).file).filename();
  std::ofstream(folder + "/guildhall-20200101T000000Z.backup") << "rubbish";
  std::ofstream(folder + "/notes.txt") << "not a backup";
  const auto list = operator_.get(path);
  EXPECT_EQ(list.text("/folder"), folder);
  EXPECT_EQ(list.size("/items"), 2u) << list.body;
  EXPECT_EQ(list.text("/items/0/name"), made);
  EXPECT_TRUE(list.boolean("/items/0/verified"));
  EXPECT_EQ(list.integer("/items/0/bytes"), static_cast<std::int64_t>(fs::file_size(folder + "/" + made)));
  EXPECT_TRUE(list.is_null("/items/1/engine")) << "it cannot be read";
  EXPECT_FALSE(list.boolean("/items/1/verified"));
}

TEST_P(PlatformRoutes, are_closed_to_the_admins_of_shops) {
  server.add_tenant("another");
  auto admin = server.member("another", "TenantAdmin");
  for (const char* path : {"nodes", "doctor", "backups"}) {
    EXPECT_EQ(admin.get(std::string("/api/admin/platform/") + path).status, 403) << path;
  }
}

TEST(DoctorOnline, calls_the_servers_that_are_configured) {
  const test::TestSandbox sandbox;
  test::SmtpStandIn mail;
  test::TemporaryFolder folder;
  const std::string authority = folder.path / "authority.pem";
  std::ofstream(authority) << test::TestCertificate("wallet", nullptr).pem();  // for an hour
  auto variables = sandbox.environment("CRYPTO_GATEWAY_");
  variables.insert({{"SMTP_URL", mail.url()},
                    {"BILLING_API_KEY", "key"},
                    {"WALLET_CERT_CA_FILE", authority},
                    {"BILLING_BASE_URL", fmt::format("http://127.0.0.1:{}", test::free_port())}});
  test::TestServer server(test::Engine::sqlite, variables);
  const auto report = server.admin().get("/api/admin/platform/doctor?online=true");
  ASSERT_EQ(report.status, 200) << report.body;
  EXPECT_FALSE(report.boolean("/ok"));
  const auto has = [&](const std::string& text) { return report.body.find(text) != std::string::npos; };
  EXPECT_TRUE(has(R"("level":"ok","check":"mail server","message":"it answers")")) << report.body;
  EXPECT_TRUE(has(R"("check":"processor BTC_GATEWAY","message":"it answers and accepts the credentials")"))
      << report.body;
  EXPECT_TRUE(has(R"("level":"problem","check":"billing provider","message":"it cannot be used)")) << report.body;
  EXPECT_TRUE(has("Check BILLING_BASE_URL")) << report.body;
  EXPECT_TRUE(
      has(R"("level":"warning","check":"certificates","message":"the certificate of )" + authority + " expires at"))
      << report.body;
  EXPECT_TRUE(mail.mails().empty()) << "it sends no mail";
}

// An encrypted mail server, and what doctor says of it.
struct MailServerCase {
  int certificate_days;  // until its end
  bool trusted;
  std::string password;  // the right one is "right"
  std::string finding;
  int sign_ins;
};

TEST(DoctorOnline, signs_in_to_the_mail_server_and_verifies_its_certificate) {
  const MailServerCase cases[] = {
      {30, true, "right", R"("ok","check":"mail server","message":"it answers")", 1},
      {10, true, "right", R"("warning","check":"mail server","message":"the certificate of the server expires at )", 1},
      {-1, true, "right", R"("problem","check":"mail server","message":"it cannot be used: )", 0},
      {30, false, "right", R"("problem","check":"mail server","message":"it cannot be used: )", 0},
      {30, true, "wrong", R"("problem","check":"mail server","message":"it cannot be used: Login denied)", 0}};
  const test::TemporaryFolder folder;
  const std::string authorities = folder.path / "authorities.pem";
  for (const MailServerCase& each : cases) {
    SCOPED_TRACE(each.finding);
    const test::TestCertificate certificate("127.0.0.1", nullptr, each.certificate_days * 86'400L);
    std::ofstream(authorities) << certificate.pem();
    test::SmtpStandIn mail(certificate, "hall", "right");
    Config config = check_config([](std::string_view) { return std::nullopt; }).config;
    config.smtp_url = mail.url();
    config.smtp_url.replace(config.smtp_url.find("right"), 5, each.password);
    Findings findings;
    check_other_servers({.config = config,
                         .variable_names = {},
                         .read_database = {},
                         .check_cache = {},
                         .authorities_file = each.trusted ? authorities : ""},
                        findings);
    const std::string found = to_json(findings.report());
    EXPECT_NE(found.find(each.finding), std::string::npos) << found;
    EXPECT_EQ(mail.sign_ins(), each.sign_ins);
    EXPECT_TRUE(mail.mails().empty()) << "it sends no mail";
    EXPECT_EQ(found.find(each.password), std::string::npos) << "no password is shown";
  }
}

TEST(DoctorOnline, looks_for_the_newest_backup_in_a_bucket) {
  test::S3StandIn storage;
  Config config = check_config([](std::string_view) { return std::nullopt; }).config;
  config.backup_target = "s3://backups/shop";
  config.backup_s3_endpoint = storage.url();
  config.backup_s3_region = test::S3StandIn::region;
  config.backup_s3_access_key = test::S3StandIn::access_key;
  config.backup_s3_secret_key = test::S3StandIn::secret_key;
  const auto found = [&] {
    Findings findings;
    check_other_servers({.config = config, .variable_names = {}, .read_database = {}, .check_cache = {}}, findings);
    return to_json(findings.report());
  };
  const auto expect_found = [&](const std::string& text) {
    const std::string report = found();
    EXPECT_NE(report.find(text), std::string::npos) << report;
  };
  expect_found(R"("problem","check":"backup storage","message":"there is no backup in s3://backups/shop")");
  storage.put("shop/guildhall-20200101T000000Z.backup", "x");
  expect_found(R"("problem","check":"backup storage","message":"the newest in s3://backups/shop is of 2020-01-01T)");
  storage.put("shop/" + backup_name(now()), "x");
  expect_found(R"("ok","check":"backup storage")");
  config.backup_s3_secret_key = "another key";
  expect_found("SignatureDoesNotMatch");
}

}  // namespace
}  // namespace guildhall
