#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "features/fulfilment/tracker.h"
#include "features/webhooks/signatures.h"
#include "support/emitted_events.h"
#include "support/eventually.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

constexpr std::string_view secret = "s\u00e9cret";
constexpr std::string_view old_secret = "an older secret";
constexpr std::string_view path = "/api/shipping/webhook";

struct Parcel {
  std::string event_id = "evt_1";
  std::string status = "in_transit";
  std::string code = "94001";
  std::string carrier = "USPS";
  std::string tracker = "trk_1";
  std::string shipment{};
  std::string updated_at = "2026-11-15T10:00:00Z";

  std::string json() const {
    return fmt::format(
        R"({{"id":"{}","object":"Event","description":"tracker.updated","status":"pending","result":{{"id":"{}",)"
        R"("object":"Tracker","tracking_code":"{}","status":"{}","status_detail":"word of the carrier",)"
        R"("shipment_id":{},"carrier":"{}","updated_at":"{}","weight":136.0}}}})",
        event_id, tracker, code, status, shipment.empty() ? "null" : "\"" + shipment + "\"", carrier, updated_at);
  }
};

HttpReply post(test::HttpClient& client, const std::string& body, const std::string& signature) {
  return client.send("POST", std::string(path), body,
                     {{"Content-Type", "application/json"}, {"x-hmac-signature", signature}});
}
HttpReply post(test::HttpClient& client, const std::string& body) {
  return post(client, body, shipping_signature(body, secret));
}

std::string ship(CheckedClient& shop, const std::string& rest, const std::string& order = "o") {
  return "/api/data/shipment/" +
         shop.post("/api/data/shipment", fmt::format(R"({{"orderId":"{}"{}}})", order, rest)).text("/id");
}

class ShippingWebhook : public ::testing::TestWithParam<test::Engine> {
 protected:
  TestServer server{GetParam(), {{"SHIPPING_WEBHOOK_SECRET", fmt::format("{}, {}", secret, old_secret)}}};
  CheckedClient admin = server.admin();
  CheckedClient provider = server.client();
};
INSTANTIATE_TEST_SUITE_P(Pairs, ShippingWebhook, test::engines, test::engine_name);

TEST_P(ShippingWebhook, accepts_only_raw_bytes_with_a_signature) {
  const std::string body = Parcel{}.json();
  const std::string good = shipping_signature(body, secret);
  const std::string bare = good.substr(good.find('=') + 1);
  std::string upper = bare, tampered = body, spaced = body + " ";
  std::transform(upper.begin(), upper.end(), upper.begin(), ::toupper);
  tampered[tampered.find("94001")] = '8';
  struct Case {
    std::string name, body, signature;
    int status;
  };
  const Case table[] = {{"valid", body, good, 200},
                        {"bare hex", body, bare, 200},
                        {"rotated", body, shipping_signature(body, old_secret), 200},
                        {"wrong secret", body, shipping_signature(body, "another"), 401},
                        {"empty", body, "", 401},
                        {"prefix only", body, "hmac-sha256-hex=", 401},
                        {"upper case", body, upper, 401},
                        {"cut", body, good.substr(0, good.size() - 1), 401},
                        {"another scheme", body, "hmac-sha1-hex=" + bare, 401},
                        {"tampered byte", tampered, good, 401},
                        {"re-serialised", spaced, good, 401},
                        {"not JSON", "hello", shipping_signature("hello", secret), 400},
                        {"a list", "[]", shipping_signature("[]", secret), 400},
                        {"nothing", "", shipping_signature("", secret), 400}};
  for (const Case& line : table) {
    EXPECT_EQ(post(provider, line.body, line.signature).status, line.status) << line.name;
  }
  EXPECT_EQ(provider.send("POST", std::string(path), body, {}).code(), "INVALID_SIGNATURE") << "missing";
  // The known answer of the provider's own library.
  const std::string known = R"({"description":"tracker.updated","result":{"weight":136.0}})";
  EXPECT_EQ(
      post(provider, known, "hmac-sha256-hex=7b3a8cb7235be533c49abb4cc95fe528e5cfec46aa44cdae39badcab09f8bb81").body,
      R"({"ok":true})");
}

TEST_P(ShippingWebhook, reads_a_chunked_body) {
  const std::string shipment = ship(admin, R"(,"trackingNumber":"94001")");
  const std::string body = Parcel{}.json();
  test::RawConnection wire(server.port());
  std::string request = fmt::format(
      "POST {} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n"
      "x-hmac-signature: {}\r\n\r\n",
      path, shipping_signature(body, secret));
  for (std::size_t i = 0; i < body.size(); i += 7) {
    const std::string piece = body.substr(i, 7);
    request += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
  }
  wire.send(request + "0\r\n\r\n");
  EXPECT_EQ(wire.receive().status, 200);
  EXPECT_EQ(admin.get(shipment).text("/status"), "SHIPPED");
}

TEST_P(ShippingWebhook, refuses_too_large_a_body) {
  const std::string body = fmt::format(R"({{"pad":"{}"}})", std::string(256 * 1024, 'x'));
  const HttpReply reply = post(provider, body);
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.integer("/maxBytes"), 256 * 1024);
}

TEST_P(ShippingWebhook, updates_the_shipment_and_its_order_and_fills_in_missing_data) {
  const std::string order =
      admin
          .post("/api/data/order", R"({"orderNumber":"A","status":"PAID","customer":{"name":"Ada"},"items":[)"
                                   R"({"productId":"p","name":"Mug","sku":"M","quantity":1,"unitPriceCents":5}]})")
          .text("/id");
  const std::string shipment = ship(admin, R"(,"trackerId":"trk_1")", order);
  EXPECT_EQ(post(provider, Parcel{.shipment = "shp_1"}.json()).status, 200);
  HttpReply read = admin.get(shipment);
  EXPECT_EQ(read.text("/status"), "SHIPPED");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/status"), "SHIPPED");
  EXPECT_EQ(read.text("/shippedAt"), "2026-11-15T10:00:00.000Z");
  EXPECT_EQ(read.text("/trackingNumber"), "94001");
  EXPECT_EQ(read.text("/carrier"), "USPS");
  EXPECT_EQ(read.text("/providerShipmentId"), "shp_1");
  // From now on the provider's shipment id is enough.
  post(provider, Parcel{.event_id = "evt_2",
                        .status = "delivered",
                        .code = "x",
                        .shipment = "shp_1",
                        .updated_at = "2026-11-16T10:00:00Z"}
                     .json());
  read = admin.get(shipment);
  EXPECT_EQ(read.text("/status"), "DELIVERED");
  EXPECT_EQ(read.text("/deliveredAt"), "2026-11-16T10:00:00.000Z");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/shippingStatus"), "DELIVERED");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/trackingNumber"), "94001");
  EXPECT_EQ(admin.get("/api/data/order/" + order).text("/status"), "COMPLETE");
  CheckedClient shop_admin = server.member("default", "TenantAdmin");
  const HttpReply events = shop_admin.get("/api/data/webhook-event");
  EXPECT_EQ(events.size("/items"), 2u) << "an id says that these events are the shop's";
  EXPECT_EQ(events.text("/items/0/status"), "PROCESSED");
  EXPECT_EQ(events.text("/items/0/provider"), "SHIPPING");
}

TEST_P(ShippingWebhook, that_matches_only_by_the_tracking_number_changes_only_the_status) {
  server.add_tenant("other");
  CheckedClient other = server.admin("other"), shop_admin = server.member("other", "TenantAdmin");
  test::listen_to_events(server, "other");
  const std::string shipment = ship(other, R"(,"trackingNumber":"94001")");
  EXPECT_EQ(post(provider, Parcel{.shipment = "shp_1"}.json()).status, 200);
  const HttpReply read = other.get(shipment);
  EXPECT_EQ(read.text("/status"), "SHIPPED");
  EXPECT_NE(read.text("/shippedAt"), "");
  for (const std::string field : {"/trackerId", "/providerShipmentId", "/carrier", "/service", "/labelUrl"}) {
    EXPECT_TRUE(read.is_null(field)) << field;
  }
  const auto bodies = test::emitted_bodies(server);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_NE(bodies[0].find("shipment.shipped"), std::string::npos);
  EXPECT_EQ(bodies[0].find("word of the carrier"), std::string::npos) << bodies[0];
  // A later event of the same tracker finds it by its number again, or not at all.
  post(provider, Parcel{.event_id = "evt_2", .status = "delivered", .code = "another"}.json());
  EXPECT_EQ(other.get(shipment).text("/status"), "SHIPPED");
  post(provider, Parcel{.event_id = "evt_3", .status = "failure", .updated_at = "2026-11-14T10:00:00Z"}.json());
  EXPECT_EQ(other.get(shipment).text("/status"), "SHIPPED") << "an older event is stale";

  const std::string events = "/api/data/webhook-event";
  EXPECT_EQ(other.get(events).size("/items"), 0u);
  EXPECT_EQ(admin.get(events).size("/items"), 3u) << "the platform sees them";
  CheckedClient default_admin = server.member("default", "TenantAdmin");
  EXPECT_EQ(default_admin.get(events).size("/items"), 0u);
  EXPECT_EQ(default_admin.get(events + "?limit=1").size("/items"), 0u);
  const std::string event = events + "/" + admin.get(events).text("/items/0/id");
  EXPECT_EQ(admin.get(event).status, 200);
  EXPECT_EQ(default_admin.get(event).status, 404);
  EXPECT_EQ(default_admin.patch(event, R"({"status":"RECEIVED"})").status, 404);
  EXPECT_EQ(default_admin.del(event).status, 404);
  EXPECT_EQ(shop_admin.get(event).status, 404);
  EXPECT_EQ(admin.patch(event, R"({"status":"RECEIVED"})").status, 200);
}

TEST_P(ShippingWebhook, prefers_the_providers_shipment_id_then_the_tracker_then_the_code) {
  const std::string by_code = ship(admin, R"(,"trackingNumber":"94001")");
  const std::string by_tracker = ship(admin, R"(,"trackerId":"trk_1")");
  const std::string by_id = ship(admin, R"(,"providerShipmentId":"shp_1")");
  post(provider, Parcel{.event_id = "evt_a", .shipment = "shp_1"}.json());
  EXPECT_EQ(admin.get(by_id).text("/status"), "SHIPPED");
  EXPECT_EQ(admin.get(by_tracker).text("/status"), "PENDING");
  admin.del(by_id);
  post(provider, Parcel{.event_id = "evt_b", .code = "unheard of"}.json());
  EXPECT_EQ(admin.get(by_tracker).text("/status"), "SHIPPED");
  EXPECT_EQ(admin.get(by_code).text("/status"), "PENDING");
  post(provider, Parcel{.event_id = "evt_c", .carrier = "", .tracker = "trk_2"}.json());
  EXPECT_EQ(admin.get(by_code).text("/status"), "SHIPPED");
}

TEST_P(ShippingWebhook, never_matches_a_shipment_whose_stored_id_contradicts_the_event) {
  const std::string old_tracker = ship(admin, R"(,"trackingNumber":"94001","trackerId":"trk_old")");
  const std::string old_shipment = ship(admin, R"(,"trackingNumber":"94001","providerShipmentId":"shp_old")");
  const std::string both = ship(admin, R"(,"trackerId":"trk_1","providerShipmentId":"shp_other")");
  post(provider, Parcel{.shipment = "shp_1"}.json());
  for (const std::string& shipment : {old_tracker, old_shipment, both}) {
    EXPECT_EQ(admin.get(shipment).text("/status"), "PENDING") << shipment;
  }
  EXPECT_EQ(admin.get("/api/data/webhook-event").text("/items/0/status"), "IGNORED");
  // The number was recycled: the newer shipment, of another tenant, is the only one that fits.
  server.add_tenant("other");
  CheckedClient other = server.admin("other");
  const std::string fits = ship(other, R"(,"trackingNumber":"94001")");
  post(provider, Parcel{.event_id = "evt_2", .shipment = "shp_1"}.json());
  EXPECT_EQ(other.get(fits).text("/status"), "SHIPPED");
  EXPECT_EQ(admin.get(old_tracker).text("/status"), "PENDING");
  // An event that names no shipment of the provider contradicts no stored one.
  post(provider, Parcel{.event_id = "evt_3", .code = "x", .tracker = "trk_old"}.json());
  EXPECT_EQ(admin.get(old_tracker).text("/status"), "SHIPPED");
}

TEST_P(ShippingWebhook, ignores_events_that_match_no_shipment_or_several_tenants) {
  server.add_tenant("other");
  CheckedClient other = server.admin("other");
  const std::string ours = ship(admin, R"(,"trackingNumber":"94001")");
  const std::string theirs = ship(other, R"(,"trackingNumber":"94001")");
  EXPECT_EQ(post(provider, Parcel{}.json()).status, 200);
  EXPECT_EQ(post(provider, Parcel{.event_id = "evt_2", .code = "nobody's", .tracker = "none"}.json()).status, 200);
  const std::string another = R"({"id":"evt_3","description":"batch.created","result":{}})";
  EXPECT_EQ(post(provider, another).status, 200);
  EXPECT_EQ(admin.get(ours).text("/status"), "PENDING");
  EXPECT_EQ(other.get(theirs).text("/status"), "PENDING");
  const HttpReply events = admin.get("/api/data/webhook-event");
  ASSERT_EQ(events.size("/items"), 3u) << "events that belong to no tenant are stored in the default tenant";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(events.text(fmt::format("/items/{}/status", i)), "IGNORED");
  other.patch(theirs, R"({"carrier":"USPS"})");
  post(provider, Parcel{.event_id = "evt_4"}.json());
  EXPECT_EQ(other.get(theirs).text("/status"), "PENDING") << "nobody gets a number by recording its carrier";
  for (int i = 0; i < 60; ++i) ship(other, R"(,"trackingNumber":"94001","carrier":"USPS")");
  post(provider, Parcel{.event_id = "evt_5"}.json());
  EXPECT_EQ(other.get(theirs).text("/status"), "PENDING") << "nor by recording it often";
  EXPECT_EQ(other.get("/api/data/shipment?limit=1").text("/items/0/status"), "PENDING");
  other.patch(theirs, R"({"trackerId":"trk_9"})");
  admin.patch(ours, R"({"trackerId":"trk_1"})");
  post(provider, Parcel{.event_id = "evt_6"}.json());
  EXPECT_EQ(admin.get(ours).text("/status"), "SHIPPED") << "an id decides";
}

TEST_P(ShippingWebhook, applies_an_event_once_when_it_is_delivered_many_times_at_once) {
  test::listen_to_events(server);
  const std::string shipment = ship(admin, R"(,"trackingNumber":"94001")");
  const std::string version = admin.get(shipment).header("etag");
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&] {
      test::HttpClient client(server.port());
      EXPECT_EQ(post(client, Parcel{}.json()).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admin.get(shipment).text("/status"), "SHIPPED");
  EXPECT_EQ(admin.get("/api/data/webhook-event").size("/items"), 1u);
  EXPECT_EQ(std::ranges::count(test::emitted_events(server), "shipment.shipped"), 1);
}

// Lives of parcels: forward, with failures that are corrected, each step later than the one before.
std::vector<Parcel> life_of(const std::string& name, std::size_t steps, std::mt19937& random) {
  static const std::vector<std::string> transit{"in_transit", "out_for_delivery", "available_for_pickup", "failure",
                                                "error",      "unknown"};
  std::vector<Parcel> life;
  for (std::size_t i = 0; i < steps; ++i) {
    Parcel parcel{.event_id = fmt::format("evt_{}_{}", name, i), .code = name, .tracker = "trk_" + name};
    parcel.status = i < 3 ? "pre_transit" : i + 1 == steps && random() % 2 == 0 ? "delivered" : transit[random() % 6];
    parcel.updated_at = fmt::format("2026-11-15T{:02}:{:02}:00Z", i / 60, i % 60);
    life.push_back(parcel);
  }
  return life;
}

TEST_P(ShippingWebhook, has_the_same_result_for_every_order_of_a_thousand_events) {
  constexpr int parcels = 20;
  constexpr std::size_t steps = 50;
  std::mt19937 random(20261115);
  std::map<std::string, std::string> shipments;  // the path of each
  std::map<std::string, Shipment> expected;
  std::vector<std::string> bodies;
  for (int i = 0; i < parcels; ++i) {
    const std::string name = fmt::format("P{}", i);
    shipments[name] = ship(admin, fmt::format(R"(,"trackingNumber":"{0}","trackerId":"trk_{0}")", name));
    for (const Parcel& parcel : life_of(name, steps, random)) {
      apply(*tracker_update_of(*JsonLookup::parse(parcel.json())), expected[name], {});
      bodies.push_back(parcel.json());
      if (random() % 10 == 0) bodies.push_back(parcel.json());
    }
  }
  std::shuffle(bodies.begin(), bodies.end(), random);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> next = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      test::HttpClient client(server.port());
      for (std::size_t at = next++; at < bodies.size(); at = next++) ASSERT_EQ(post(client, bodies[at]).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& [name, shipment] : expected) {
    const HttpReply read = admin.get(shipments[name]);
    EXPECT_EQ(read.text("/status"), name_of(shipment.status)) << name;
    EXPECT_EQ(read.text("/shippedAt"), shipment.shipped_at ? to_string(*shipment.shipped_at) : "") << name;
    EXPECT_EQ(read.text("/deliveredAt"), shipment.delivered_at ? to_string(*shipment.delivered_at) : "") << name;
  }
}

TEST(ShippingWebhookWithoutSecret, is_refused_in_production_and_accepted_in_development) {
  TestServer production(test::Engine::sqlite);
  CheckedClient strict = production.client();
  EXPECT_EQ(post(strict, Parcel{}.json()).status, 500);
  TestServer development(test::Engine::sqlite, {{"SERVICE_ENV", "development"}});
  CheckedClient lenient = development.client();
  EXPECT_EQ(post(lenient, Parcel{}.json(), "").status, 200);
  EXPECT_EQ(post(lenient, "no", "").status, 400);
  const auto warnings = warnings_of(development.config);
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.find("SHIPPING_WEBHOOK_SECRET") != std::string::npos;
  }));
}

TEST(ShippingWebhookLimit, counts_by_address) {
  TestServer server(test::Engine::sqlite, {{"SHIPPING_WEBHOOK_SECRET", std::string(secret)},
                                           {"RATE_LIMIT_DISABLED", "false"},
                                           {"RATE_LIMIT_SHIPPING_PER_MIN", "2"}});
  CheckedClient provider = server.client();
  EXPECT_EQ(post(provider, Parcel{}.json()).status, 200);
  EXPECT_EQ(post(provider, Parcel{}.json(), "wrong").status, 401);
  const HttpReply third = post(provider, Parcel{}.json());
  EXPECT_EQ(third.status, 429);
  EXPECT_EQ(third.header("retry-after"), "60");
}

TEST_P(ShippingWebhook, is_applied_after_all_when_an_admin_queues_its_event_again) {
  EXPECT_EQ(post(provider, Parcel{}.json()).status, 200);
  const std::string event = "/api/data/webhook-event/" + admin.get("/api/data/webhook-event").text("/items/0/id");
  EXPECT_EQ(admin.get(event).text("/status"), "IGNORED") << "nobody knows the parcel yet";
  const std::string shipment = ship(admin, R"(,"trackingNumber":"94001")");
  const HttpReply queued = admin.patch(event, R"({"status":"RECEIVED"})");
  EXPECT_EQ(queued.status, 200) << queued.body;
  EXPECT_EQ(queued.text("/status"), "RECEIVED");
  EXPECT_TRUE(test::eventually([&] { return admin.get(event).text("/status") == "PROCESSED"; }));
  EXPECT_EQ(admin.get(event).integer("/attempts"), 2);
  EXPECT_EQ(admin.get(shipment).text("/status"), "SHIPPED");
}

TEST_P(ShippingWebhook, that_is_stored_with_a_tenant_changes_no_other_tenant) {
  EXPECT_EQ(post(provider, Parcel{}.json()).status, 200);
  const std::string event = "/api/data/webhook-event/" + admin.get("/api/data/webhook-event").text("/items/0/id");
  const std::string shipment = ship(admin, R"(,"trackingNumber":"94001","trackerId":"trk_1")");
  server.add_tenant("other");
  static const Sql give_away("UPDATE webhook_events SET tenant_id = 'other', platform_only = false");
  server.write([](Tx& tx) { tx.run({&give_away, {}}); });
  CheckedClient other = server.member("other", "TenantAdmin");
  EXPECT_EQ(other.patch(event, R"({"status":"RECEIVED"})").status, 200);
  EXPECT_TRUE(test::eventually([&] { return other.get(event).text("/status") == "IGNORED"; }));
  EXPECT_EQ(admin.get(shipment).text("/status"), "PENDING");
}

}  // namespace
}  // namespace guildhall
