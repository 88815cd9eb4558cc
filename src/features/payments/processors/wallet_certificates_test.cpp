#include "features/payments/processors/wallet_certificates.h"

#include <fstream>
#include <gtest/gtest.h>

#include "features/payments/processors/processor.h"
#include "support/certificates.h"
#include "support/engines.h"
#include "support/run_task.h"
#include "support/stand_in.h"

namespace guildhall {
namespace {

using test::StandInReply, test::StandInRequest, test::TestCertificate;

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

// A host of certificates, and the authority that they are trusted by.
class FetchedCertificates : public ::testing::Test {
 protected:
  FetchedCertificates() { std::ofstream(folder.path / "ca.pem") << authority.pem(); }

  std::string url(const std::string& name) const { return origin + path + name; }

  bool verify(const std::string& name, const std::string& message, const std::string& signature) {
    return loop.run([&] { return certificates.verify(url(name), message, signature); });
  }

  bool verifies(const TestCertificate& signing, const std::string& name) {
    host.on("GET", path + name, StandInReply{.body = signing.pem(), .content_type = "application/x-pem-file"});
    return verify(name, "message", signing.sign("message"));
  }

  const TestCertificate authority{"Authority", nullptr};
  const test::TemporaryFolder folder;
  test::StandIn host;
  const std::string origin = "http://localhost:" + std::to_string(host.port());
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
  host.on("GET", path + "rubbish", StandInReply{.body = "rubbish"});
  EXPECT_FALSE(verify("rubbish", "message", good.sign("message")));
  EXPECT_FALSE(verify("rubbish", "message", good.sign("message")));
  EXPECT_EQ(host.requests(path + "good").size(), 1U) << "kept for a while";
  EXPECT_EQ(host.requests(path + "rubbish").size(), 1U) << "so is that it is not to be trusted";
}

TEST_F(FetchedCertificates, are_fetched_once_for_all_who_wait) {
  const TestCertificate good("messages.localhost", &authority);
  std::promise<void> all_wait;
  host.on("GET", path + "good", [&, go = all_wait.get_future().share()](const StandInRequest&) {
    go.wait();
    return StandInReply{.body = good.pem()};
  });
  std::vector<std::future<bool>> results;
  for (int i = 0; i < 20; ++i) {  // more than the pool would hold
    results.push_back(loop.start([&] { return certificates.verify(url("good"), "message", good.sign("message")); }));
  }
  EXPECT_TRUE(host.wait_for_requests(1));
  loop.run([]() -> Task<> { co_return; });  // by now all have been started
  all_wait.set_value();
  for (std::future<bool>& result : results) EXPECT_TRUE(result.get());
  EXPECT_EQ(host.requests().size(), 1U);
}

TEST_F(FetchedCertificates, that_cannot_be_fetched_are_not_asked_for_again_at_once) {
  host.on("GET", path + "gone", StandInReply{.status = 500});
  for (int i = 0; i < 3; ++i) EXPECT_THROW(verify("gone", "message", "signature"), ProcessorFailure);
  EXPECT_EQ(host.requests(path + "gone").size(), 1U);
}

}  // namespace
}  // namespace guildhall
