// Metrics and traces of a running server.
#include <regex>
#include <set>

#include "base/json_lookup.h"
#include "support/chat_sign_in.h"
#include "support/eventually.h"
#include "support/http_receiver.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpClient, test::HttpReceiver, test::ReceiverReply, test::ReceivedRequest,
    test::TestServer;

constexpr std::string_view trace_id = "0af7651916cd43dd8448eb211c80319c";
const std::string traceparent = fmt::format("00-{}-b7ad6b7169203331-01", trace_id);

class Watching : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, Watching, test::engines, test::engine_name);

std::string metrics_of(const TestServer& server) {
  return HttpClient(server.metrics_port()).get("/metrics").body;
}

// The value of a series; -1 if there is none.
double value_of(const std::string& metrics, const std::string& series) {
  const std::size_t at = metrics.find("\n" + series + " ");
  return at == std::string::npos ? -1 : std::stod(metrics.substr(at + series.size() + 2));
}

TEST_P(Watching, metrics_count_what_was_committed) {
  TestServer server(GetParam(), {{"METRICS_ADDR", "127.0.0.1:0"}});
  CheckedClient admin = server.admin();
  const std::string product = test::product_with_stock(admin, "s", 1);
  const std::string order = test::created(admin, "order", test::order_of("1", test::item(product, 1, 100)));
  EXPECT_EQ(admin.post("/api/data/order", test::order_of("1", test::item("p", 1, 100))).code(), "ORDER_NUMBER_TAKEN");
  EXPECT_EQ(admin.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200);
  const std::string metrics = metrics_of(server);
  EXPECT_EQ(value_of(metrics, R"(orders_total{event="created"})"), 1) << "the refused order does not count";
  EXPECT_EQ(value_of(metrics, R"(orders_total{event="paid"})"), 1);
  EXPECT_EQ(value_of(metrics, R"(orders_total{event="refunded"})"), 0);
  EXPECT_EQ(value_of(metrics, R"(sign_ins_total{provider="local",outcome="succeeded"})"), 1);
  EXPECT_GE(value_of(metrics, "database_transactions_total"), value_of(metrics, "database_commits_total"));
  EXPECT_GE(value_of(metrics, "database_commits_total"), 3);
}

// The dashboard, the alerts and the runbook use these names.
TEST_P(Watching, metrics_show_the_process_and_its_engines) {
  TestServer server(GetParam(), {{"METRICS_ADDR", "127.0.0.1:0"}});
  CheckedClient admin = server.admin();
  EXPECT_EQ(admin.get("/api/data/order?status=PAID").status, 200);
  const std::string metrics = metrics_of(server);
  const bool postgresql = GetParam() == test::Engine::postgresql;
  EXPECT_EQ(value_of(metrics,
                     fmt::format(R"(guildhall_build_info{{version="{}",database="{}",cache="{}"}})", GUILDHALL_VERSION,
                                 postgresql ? "postgresql" : "sqlite", postgresql ? "redis" : "memory")),
            1);
  for (const char* series : {"process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds",
                             "process_max_fds", "process_threads", "process_start_time_seconds"}) {
    EXPECT_GT(value_of(metrics, series), 0) << series;
  }
  EXPECT_GE(value_of(metrics, "database_queue_seconds_count"), 1);
  EXPECT_EQ(value_of(metrics, R"(outbox_pending{topic="webhook.deliver"})"), 0);
  EXPECT_EQ(value_of(metrics, R"(background_fill_remaining_rows{table="orders"})"), 0);
  EXPECT_EQ(value_of(metrics, "change_streams"), 0);
  EXPECT_EQ(value_of(metrics, R"(payments_total{method="WALLET",status="PAID"})"), 0);
  if (postgresql) {
    EXPECT_EQ(value_of(metrics, R"(database_queue_length{kind="transaction"})"), 0);
    EXPECT_GE(value_of(metrics, R"(postgres_connections{state="idle"})"), 1);
    EXPECT_GE(value_of(metrics, "cache_command_seconds_count"), 1);
  } else {
    EXPECT_EQ(value_of(metrics, R"(database_queue_length{kind="write"})"), 0);
  }
}

// A collector of spans.
class Collector : public HttpReceiver {
 public:
  Collector() { on("POST", "/v1/traces", ReceiverReply{.body = "{}"}); }

  // All bodies that have arrived.
  std::string received() const {
    std::string all;
    for (const ReceivedRequest& request : requests("/v1/traces")) all += request.body + "\n";
    return all;
  }

  bool waits_for(std::string_view text) const {
    return test::eventually([&] { return received().find(text) != std::string::npos; });
  }
};

TEST_P(Watching, spans_of_a_request_are_sent_to_the_collector) {
  Collector collector;
  TestServer server(GetParam(), {{"OTLP_ENDPOINT", collector.url()}, {"OTLP_HEADERS", "authorization=Bearer c"}});
  CheckedClient admin = server.admin();
  const std::string order = test::created(admin, "order", test::order_of("1", test::item("p", 1, 100)));
  EXPECT_EQ(admin
                .patch("/api/data/order/" + order + "?secret=hush", R"({"notes":"quiet words"})",
                       {{"traceparent", traceparent}, {"tracestate", "vendor=1, other=2"}, {"x-request-id", "mine"}})
                .status,
            200);
  ASSERT_TRUE(collector.waits_for("PATCH /api/data/order/:id")) << collector.received();
  ASSERT_TRUE(collector.waits_for("write transaction"));
  const std::string all = collector.received();
  const ReceivedRequest request = collector.requests("/v1/traces").front();
  EXPECT_EQ(request.header("authorization"), "Bearer c");
  EXPECT_TRUE(JsonLookup::parse(request.body)) << request.body;
  const std::regex span(
      fmt::format(R"re("traceId":"{}","spanId":"[0-9a-f]{{16}}","parentSpanId":"b7ad6b7169203331",)re"
                  R"re("traceState":"vendor=1, other=2","name":"PATCH /api/data/order/:id","kind":2)re",
                  trace_id));
  EXPECT_TRUE(std::regex_search(all, span)) << all;
  EXPECT_NE(all.find(R"({"key":"http.response.status_code","value":{"intValue":"200"}})"), std::string::npos);
  EXPECT_NE(all.find(R"({"key":"guildhall.request_id","value":{"stringValue":"mine"}})"), std::string::npos);
  for (const std::string& secret : {order, std::string("hush"), std::string("quiet words")}) {
    EXPECT_EQ(all.find(secret), std::string::npos) << secret;
  }
}

// Also when no span is exported.
TEST_P(Watching, the_trace_of_a_request_is_passed_on_to_other_servers) {
  for (const bool exported : {false, true}) {
    Collector collector;
    const test::TestSandbox sandbox;
    sandbox.add_member("7");
    auto settings = test::sign_in_environment(sandbox);
    if (exported) settings["OTLP_ENDPOINT"] = collector.url();
    TestServer server(GetParam(), settings);
    HttpClient client(server.port());
    const auto started = client.get("/auth/chat/start?mode=json&tenantId=default");
    const std::string code = sandbox.consent(started.text("/authorizationUrl"), "7");
    sandbox.forget_calls();
    const std::string callback = "/auth/chat/callback?code=" + code + "&state=" + started.text("/state");
    EXPECT_EQ(client.get(callback, {{"traceparent", traceparent}}).status, 200);
    const auto calls = sandbox.calls("chat");
    ASSERT_EQ(calls.size(), 2U);
    std::set<std::string> passed;
    for (const sandbox::Call& call : calls) passed.insert(test::header_of(call, "traceparent"));
    for (const std::string& each : passed) EXPECT_EQ(each.find("00-" + std::string(trace_id)), 0U) << each;
    EXPECT_EQ(passed.size(), exported ? 2U : 1U) << "each call has a span of its own";
    EXPECT_EQ(passed.contains(traceparent), !exported);
    if (exported) EXPECT_TRUE(collector.waits_for("outgoing call"));
    EXPECT_EQ(client.get("/auth/chat/callback?code=8&state=wrong").status, 400) << "a request without a trace";
  }
}

// The message is stored with the trace of the request, because it is delivered after the request has ended.
TEST_P(Watching, deliveries_of_the_outbox_belong_to_the_trace_of_the_request_that_caused_them) {
  Collector collector;
  HttpReceiver shop;
  shop.on("POST", "/hook", ReceiverReply{});
  TestServer server(
      GetParam(),
      {{"OTLP_ENDPOINT", collector.url()}, {"SERVICE_ENV", "development"}, {"WEBHOOK_PRIVATE_TARGETS", "true"}});
  CheckedClient admin = server.admin();
  ASSERT_EQ(admin.post("/api/admin/webhook-endpoints", fmt::format(R"({{"url":"{}"}})", shop.url("/hook"))).status,
            201);
  const auto order =
      admin.post("/api/data/order", test::order_of("1", test::item("p", 1, 100)), {{"traceparent", traceparent}});
  ASSERT_EQ(order.status, 201) << order.body;
  ASSERT_TRUE(shop.wait_for_requests(1));
  EXPECT_EQ(shop.requests().front().header("traceparent").find("00-" + std::string(trace_id)), 0U);
  ASSERT_TRUE(collector.waits_for("outbox webhook.deliver"));
  ASSERT_TRUE(collector.waits_for("POST /api/data/order"));
  const std::string all = collector.received();
  std::smatch request;
  const std::regex request_span(fmt::format(
      R"re("traceId":"{}","spanId":"([0-9a-f]{{16}})","parentSpanId":"b7ad6b7169203331","name":"POST /api/data/order")re",
      trace_id));
  ASSERT_TRUE(std::regex_search(all, request, request_span)) << all;
  const std::regex delivery_span(
      fmt::format(R"re("traceId":"{}","spanId":"[0-9a-f]{{16}}","parentSpanId":"{}","name":"outbox webhook.deliver")re",
                  trace_id, request[1].str()));
  EXPECT_TRUE(std::regex_search(all, delivery_span)) << all;
}

TEST_P(Watching, a_caller_cannot_have_more_requests_recorded_than_the_operator_wants) {
  Collector collector;
  TestServer server(GetParam(), {{"OTLP_ENDPOINT", collector.url()}, {"TRACE_REQUESTS", "1/20"}});
  constexpr int requests = 100;
  for (int i = 0; i < requests; ++i) HttpClient(server.port()).get("/healthz", {{"traceparent", traceparent}});
  server.stop();  // sends the spans that wait
  const std::string all = collector.received();
  int recorded = 0;
  for (std::size_t at = 0; (at = all.find("GET /healthz", at)) != std::string::npos; ++at) ++recorded;
  EXPECT_GT(recorded, 0);
  EXPECT_LE(recorded, requests / 5);
}

TEST_P(Watching, a_collector_that_fails_delays_no_request) {
  Collector collector;
  collector.on("POST", "/v1/traces", ReceiverReply{.status = 503});
  TestServer server(GetParam(), {{"OTLP_ENDPOINT", collector.url()}, {"METRICS_ADDR", "127.0.0.1:0"}});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(HttpClient(server.port()).get("/healthz").status, 200);
  ASSERT_TRUE(collector.wait_for_requests(1));
  EXPECT_EQ(value_of(metrics_of(server), R"(trace_spans_total{outcome="exported"})"), 0);
  collector.on("POST", "/v1/traces", ReceiverReply{.body = "{}"});
  EXPECT_TRUE(test::eventually([&] {
    return value_of(metrics_of(server), R"(trace_spans_total{outcome="exported"})") >= 20;
  })) << "they are sent again";
}

}  // namespace
}  // namespace guildhall
