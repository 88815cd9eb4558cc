#include "features/webhooks/endpoint.h"

#include <gtest/gtest.h>

#include "app/slices.h"

namespace guildhall {
namespace {

const TenantId tenant(std::string("default"));
const Instant at{1'000'000};
const EndpointRules rules{.targets = TargetRule::public_https, .event_names = published_event_names()};

NewWebhookEndpoint input(const std::string& url, std::vector<Text<100>> events = {}) {
  return {.url = {url}, .description = {}, .events = {std::move(events)}, .enabled = {true}};
}

std::string problem_with(const std::string& url) {
  try {
    endpoint_from(input(url), tenant, rules, at);
    return "";
  } catch (const Failure& failure) {
    return failure.details.at(0).field;
  }
}

TEST(Endpoints, are_public_and_https) {
  for (const char* good : {"https://example.com/hook", "https://example.com:8443/h?x=1", "https://93.184.216.34/",
                           "https://[2606:2800:220:1::1]/hook"}) {
    EXPECT_EQ(problem_with(good), "") << good;
  }
  for (const char* bad : {"http://example.com/", "https://127.0.0.1/", "https://10.1.2.3:443/x", "https://[::1]/",
                          "https://[fd00::1]:8080/", "https://169.254.169.254/latest/meta-data", "https://localhost/x",
                          "https://[::ffff:127.0.0.1]/"}) {
    EXPECT_EQ(problem_with(bad), "url") << bad;
  }
}

TEST(Endpoints, may_be_anywhere_in_development) {
  EXPECT_EQ(endpoint_from(input("http://127.0.0.1:9/"), tenant, {.targets = TargetRule::any}, at).url,
            "http://127.0.0.1:9/");
}

TEST(Endpoints, name_an_event_once_and_know_when_they_were_switched_off) {
  WebhookEndpoint endpoint = endpoint_from(
      input("https://example.com", {{"order.paid"}, {"order.paid"}, {"order.created"}}), tenant, rules, at);
  EXPECT_EQ(endpoint.events, (std::vector<std::string>{"order.paid", "order.created"}));
  apply({.enabled = {false}}, endpoint, rules, at);
  EXPECT_EQ(endpoint.disabled_at, at);
}

TEST(Endpoints, refuse_unknown_events) {
  try {
    endpoint_from(input("https://example.com", {{"order.paid"}, {"order.eaten"}, {"webhook.test"}}), tenant, rules, at);
    FAIL();
  } catch (const Failure& failure) {
    ASSERT_EQ(failure.details.size(), 2u);
    EXPECT_EQ(failure.details[0].field, "events[1]");
  }
}

TEST(Endpoints, start_afresh_when_switched_on_again) {
  WebhookEndpoint endpoint = endpoint_from(input("https://example.com"), tenant, rules, at);
  endpoint.enabled = false;
  endpoint.disabled_at = endpoint.failing_since = at;
  endpoint.disabled_reason = "it failed";
  apply({.enabled = {true}}, endpoint, rules, at);
  EXPECT_TRUE(endpoint.enabled);
  EXPECT_EQ(endpoint.disabled_at, std::nullopt);
  EXPECT_EQ(endpoint.disabled_reason, std::nullopt);
  EXPECT_EQ(endpoint.failing_since, std::nullopt);
}

}  // namespace
}  // namespace guildhall
