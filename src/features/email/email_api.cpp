#include "api/idempotency.h"
#include "base/field_types.h"
#include "features/email/routes.h"
#include "outbound/connection_test.h"
#include "outbound/smtp.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::chrono::milliseconds test_ms_max{10'000};

struct TestEmail {
  Email to;
};
BOOST_DESCRIBE_STRUCT(TestEmail, (), (to))

outbound::ConnectionTest send_test(const EmailConfig& config, const std::string& to, Instant now) {
  if (config.smtp_url.empty()) return {false, "SMTP_URL is not set, so no email is sent."};
  const outbound::MailResult result =
      outbound::send_mail({.url = config.smtp_url, .from = config.smtp_from, .total_ms_max = test_ms_max},
                          {.id = make_uuid(now),
                           .to = to,
                           .subject = "Test email",
                           .text = "It works: the server can send email. Someone who runs it asked for this test.\n"});
  if (result.sent) return {true, "The mail server accepted the email."};
  return {false, fmt::format("The mail server did not accept the email: {}", result.error)};
}

Task<Reply> test(Call& call, Database& db, const EmailConfig& config, OutboundWorkers& outbound) {
  const auto input = call.body<TestEmail>();
  api::idempotency_key(call);
  const outbound::ConnectionTest result =
      co_await outbound.run([&] { return send_test(config, input.to.value, call.now); }, call.address);
  co_return co_await api::write_once(call, db, [&](Tx&) { return api::json_reply(200, result); });
}

}  // namespace

std::vector<api::Route> email_routes(Database& db, const EmailConfig& config, OutboundWorkers& outbound) {
  return {
      route(Method::post, "/api/admin/email/test", Access::platform_admin, "Send a test email", test, db, config,
            outbound)
          .limited({.endpoint = "connection_test", .per_minute = outbound::connection_tests_per_minute})
          .takes<TestEmail>()
          .gives<outbound::ConnectionTest>(200, "Whether the mail server has taken it."),
  };
}

}  // namespace guildhall
