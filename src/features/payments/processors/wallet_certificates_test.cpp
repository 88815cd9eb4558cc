#include "features/payments/processors/wallet_certificates.h"

#include <fstream>
#include <gtest/gtest.h>

#include "features/payments/processors/processor.h"
#include "support/certificates.h"
#include "support/engines.h"
#include "support/eventually.h"
#include "support/run_task.h"
#include "support/test_sandbox.h"

namespace guildhall {
namespace {

using test::TestCertificate;

const std::string path = "/v1/notifications/certs/";

TEST(WalletCertificates, are_fetched_only_from_the_documented_addresses) {
  WorkerPool pool(1, 1);
  const WalletCertificates pinned("https://paypal.com", "", pool);
  for (const char* host :
       {"api.paypal.com", "api-m.paypal.com", "api.sandbox.paypal.com", "api-m.sandbox.paypal.com"}) {
    EXPECT_TRUE(pinned.is_pinned(fmt::format("https://{}{}CERT-360caa42-fca2a594-1d93a270", host, path))) << host;
  }
  for (const char* bad :
       {"", "http://api.paypal.com/v1/notifications/certs/C", "https://paypal.com/v1/notifications/certs/C",
        "https://www.paypal.com/v1/notifications/certs/C", "https://api.paypal.com/v1/notifications/certs/",
        "https://api.paypal.com/v1/notifications/certs/../../x", "https://api.paypal.com/v1/notifications/certs/C?x=1",
        "https://api.paypal.com/v1/notifications/certs/a/b", "https://api.paypal.com/c",
        "https://api.paypal.com:8443/v1/notifications/certs/C",
        "https://api.paypal.com.evil.test/v1/notifications/certs/C",
        "https://api.paypal.com@evil.test/v1/notifications/certs/C", "https://127.0.0.1/v1/notifications/certs/C",
        "https://api.paypal.com/v1/notifications/certs/C d", "https://api.paypal.com/v1/notifications/certs/C%0a"}) {
    EXPECT_FALSE(pinned.is_pinned(bad)) << bad;
  }
}

// A wallet that shows any certificate, and the authority that they are trusted by.
class FetchedCertificates : public ::testing::Test {
 protected:
  FetchedCertificates() { std::ofstream(folder.path / "ca.pem") << authority.pem(); }

  std::string url(const std::string& name) const { return origin + path + name; }

  bool verify(const std::string& name, const std::string& message, const std::string& signature) {
    return loop.run([&] { return certificates.verify(url(name), message, signature); });
  }

  bool verifies(const TestCertificate& signing, const std::string& name) {
    show(name, signing.pem());
    return verify(name, "message", signing.sign("message"));
  }

  void show(const std::string& name, const std::string& content) {
    sandbox.answer("wallet", path + name, 200, content);
  }

  std::size_t fetches(const std::string& name) { return sandbox.calls("wallet", path + name).size(); }

  const TestCertificate authority{"Authority", nullptr};
  const test::TemporaryFolder folder;
  test::TestSandbox sandbox;
  const std::string origin = "http://localhost" + sandbox.url("").substr(std::string("http://127.0.0.1").size());
  test::LoopThread loop;
  WorkerPool pool{2, 4};
  WalletCertificates certificates{origin, (folder.path / "ca.pem").string(), pool};
};

TEST_F(FetchedCertificates, count_only_from_a_trusted_authority_valid_and_for_the_provider) {
  const TestCertificate stranger("Stranger", nullptr);
  const TestCertificate good("messages.localhost", &authority);
  EXPECT_TRUE(verifies(good, "good"));
  EXPECT_FALSE(verifies(TestCertificate("messages.localhost", &stranger), "stranger"));
  EXPECT_FALSE(verifies(TestCertificate("messages.localhost", nullptr), "self-signed"));
  EXPECT_FALSE(verifies(TestCertificate("messages.localhost", &authority, -60), "expired"));
  EXPECT_FALSE(verifies(TestCertificate("messages.elsewhere", &authority), "other-name"));
  EXPECT_FALSE(verify("good", "another message", good.sign("message")));
  EXPECT_FALSE(verify("good", "message", "rubbish"));
  show("rubbish", "rubbish");
  EXPECT_FALSE(verify("rubbish", "message", good.sign("message")));
  EXPECT_FALSE(verify("rubbish", "message", good.sign("message")));
  EXPECT_EQ(fetches("good"), 1U) << "kept for a while";
  EXPECT_EQ(fetches("rubbish"), 1U) << "so is that it is not to be trusted";
}

TEST_F(FetchedCertificates, are_fetched_once_for_all_who_wait) {
  const sandbox::WalletKey& wallet = test::sandbox_secrets().wallet;
  WalletCertificates own(sandbox.url(""), wallet.path(), pool);
  const std::string address = sandbox.url(path + std::string(sandbox::wallet_certificate));
  sandbox.fail("wallet", sandbox::FaultKind::held);
  std::vector<std::future<bool>> results;
  for (int i = 0; i < 20; ++i) {  // more than the pool would hold
    results.push_back(loop.start([&] { return own.verify(address, "message", wallet.sign("message")); }));
  }
  EXPECT_TRUE(test::eventually([&] { return sandbox.arrived("wallet") > 0; }));
  loop.run([]() -> Task<> { co_return; });  // by now all have been started
  sandbox.recover("wallet");
  for (std::future<bool>& result : results) EXPECT_TRUE(result.get());
  EXPECT_EQ(sandbox.arrived("wallet"), 1);
}

TEST_F(FetchedCertificates, that_cannot_be_fetched_are_not_asked_for_again_at_once) {
  sandbox.fail("wallet", sandbox::FaultKind::error);
  for (int i = 0; i < 3; ++i) EXPECT_THROW(verify("gone", "message", "signature"), ProcessorFailure);
  EXPECT_EQ(fetches("gone"), 1U);
}

}  // namespace
}  // namespace guildhall
