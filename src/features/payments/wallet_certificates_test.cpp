#include "features/payments/wallet_certificates.h"

#include <fstream>
#include <gtest/gtest.h>

#include "support/certificates.h"
#include "support/engines.h"
#include "support/stand_in.h"

namespace guildhall {
namespace {

using test::StandInReply, test::TestCertificate;

TEST(WalletCertificates, are_fetched_only_from_the_pinned_host) {
  const WalletCertificates pinned("https://paypal.com", "");
  for (const char* good : {"https://api.paypal.com/v1/notifications/certs/CERT-1", "https://paypal.com/c",
                           "https://a.b.paypal.com/c?x=1"}) {
    EXPECT_TRUE(pinned.is_pinned(good)) << good;
  }
  for (const char* bad :
       {"", "http://api.paypal.com/c", "https://paypal.com", "https://evilpaypal.com/c",
        "https://paypal.com.evil.test/c", "https://evil.test/paypal.com/c", "https://paypal.com@evil.test/c",
        "https://evil.test#.paypal.com/c", "https://evil.test?.paypal.com/c", "https://api.paypal.com:8443/c",
        "https://evil.test\\.paypal.com/c", "https://127.0.0.1/c", "ftp://paypal.com/c",
        "https://api.paypal.com/c d"}) {
    EXPECT_FALSE(pinned.is_pinned(bad)) << bad;
  }
}

TEST(WalletCertificates, count_only_from_a_trusted_authority_valid_and_for_the_provider) {
  const TestCertificate authority("Authority", nullptr), stranger("Stranger", nullptr);
  const test::TemporaryFolder folder;
  const std::string ca_file = (folder.path / "ca.pem").string();
  std::ofstream(ca_file) << authority.pem();
  test::StandIn host;
  const std::string origin = "http://localhost:" + std::to_string(host.port());
  WalletCertificates certificates(origin, ca_file);
  const auto verifies = [&](const TestCertificate& signing, const std::string& path) {
    host.on("GET", path, StandInReply{.body = signing.pem(), .content_type = "application/x-pem-file"});
    return certificates.verify(origin + path, "message", signing.sign("message"));
  };
  const TestCertificate good("messages.localhost", &authority);
  EXPECT_TRUE(verifies(good, "/good"));
  EXPECT_FALSE(verifies(TestCertificate("messages.localhost", &stranger), "/stranger"));
  EXPECT_FALSE(verifies(TestCertificate("messages.localhost", nullptr), "/self-signed"));
  EXPECT_FALSE(verifies(TestCertificate("messages.localhost", &authority, -60), "/expired"));
  EXPECT_FALSE(verifies(TestCertificate("messages.elsewhere", &authority), "/other-name"));
  EXPECT_FALSE(certificates.verify(origin + "/good", "another message", good.sign("message")));
  EXPECT_FALSE(certificates.verify(origin + "/good", "message", "rubbish"));
  host.on("GET", "/rubbish", StandInReply{.body = "rubbish"});
  EXPECT_FALSE(certificates.verify(origin + "/rubbish", "message", good.sign("message")));
  EXPECT_EQ(host.requests("/good").size(), 1U) << "kept for a while";
}

}  // namespace
}  // namespace guildhall
