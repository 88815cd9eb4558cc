// The stream of live changes, over HTTP.
#include "audit/audit.h"
#include "support/event_stream.h"
#include "support/eventually.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::EventStream, test::HttpClient, test::HttpReply, test::StreamEvent;

const std::string product_body = R"({"name":"Mug","sku":"MUG","priceCents":100})";

std::string customer_body(const std::string& chat_id) {
  return fmt::format(R"({{"chatId":"{}","chatUsername":"u","chatDisplayName":"d"}})", chat_id);
}

class LiveChangesOf : public ::testing::TestWithParam<test::Engine> {
 protected:
  EventStream stream(const HttpClient& caller, const EventStream::Options& options = {}) {
    return {server.port(), caller, options};
  }

  // Creates customers and returns their ids.
  std::vector<std::string> customers(HttpClient& shop, int count) {
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i) {
      ids.push_back(shop.post("/api/data/customer", customer_body(make_uuid(now()))).text("/id"));
    }
    return ids;
  }

  // Writes entries directly to the audit trail, much faster than through the API.
  void write_entries(const std::string& tenant, int count) {
    for (int written = 0; written < count; written += 500) {
      server.write([&](Tx& tx) {
        for (int i = 0; i < std::min(500, count - written); ++i) {
          audit(tx, TenantId(tenant), {ActorKind::SYSTEM, "test", ""}, {"order", std::string(200, 'x')}, "updated",
                "{}", now());
        }
      });
    }
  }

  // Receives one event for each of these records, in order.
  static void expect_changes(EventStream& events, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      const auto event = events.next();
      ASSERT_TRUE(event);
      EXPECT_EQ(event->type, "change");
      EXPECT_EQ(event->data.text("/id"), id) << event->data.body;
    }
  }

  // Reads up to the end of the stream.
  static bool ends(EventStream& events) {
    while (events.next()) continue;
    return true;
  }

  static std::string type_of_next(EventStream& events) {
    const auto event = events.next();
    return event ? event->type : "(end)";
  }

  test::TestServer server{GetParam(), {{"CHANGE_HEARTBEAT_SECONDS", "1"}}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, LiveChangesOf, test::engines, test::engine_name);

TEST_P(LiveChangesOf, a_tenant_are_sent_as_they_are_committed) {
  HttpClient admin = server.admin();
  EventStream events = stream(admin);
  EXPECT_EQ(events.head.header("content-type"), "text/event-stream");
  EXPECT_EQ(events.head.header("cache-control"), "no-store");
  const std::string id = admin.post("/api/data/product", product_body).text("/id");
  const HttpReply patched = admin.patch("/api/data/product/" + id, R"({"name":"Cup"})");
  admin.del("/api/data/product/" + id);
  const std::string user = admin.get("/auth/me").text("/session/user/userId");

  std::int64_t last = 0;
  for (const std::string action : {"created", "updated", "deleted"}) {
    const auto event = events.next();
    ASSERT_TRUE(event);
    EXPECT_EQ(event->type, "change");
    EXPECT_EQ(event->data.text("/entity"), "product");
    EXPECT_EQ(event->data.text("/id"), id);
    EXPECT_EQ(event->data.text("/action"), action);
    EXPECT_EQ(event->data.text("/actor/kind"), "USER");
    EXPECT_EQ(event->data.text("/actor/id"), user);
    EXPECT_FALSE(event->data.text("/at").empty());
    EXPECT_GT(std::stoll(event->id), last) << "ids rise";
    last = std::stoll(event->id);
    if (action == "deleted") {
      EXPECT_TRUE(event->data.is_null("/version"));
    } else {
      EXPECT_EQ(event->data.integer("/version"), action == "created" ? 1 : 2);
    }
    if (action == "updated") EXPECT_EQ(patched.header("etag"), fmt::format("\"{}\"", event->data.integer("/version")));
  }
}

TEST_P(LiveChangesOf, users_and_grants_are_sent_to_admins_only) {
  HttpClient admin = server.admin();
  EventStream everything = stream(admin), data = stream(server.member("default", "data.read"));
  const std::string user = admin.post("/api/data/user", R"({"username":"new","displayName":"New"})").text("/id");
  admin.put("/api/admin/grants/" + user, fmt::format(R"({{"userId":"{}","keys":["data.read"]}})", user));
  const std::string customer = customers(admin, 1).front();
  for (const std::string entity : {"user", "grants", "customer"}) {
    const auto event = everything.next();
    ASSERT_TRUE(event);
    EXPECT_EQ(event->data.text("/entity"), entity);
  }
  expect_changes(data, {customer});
  EXPECT_EQ(data.last_event_id, everything.last_event_id);
}

TEST_P(LiveChangesOf, one_tenant_do_not_reach_another) {
  server.add_tenant("one");
  server.add_tenant("two");
  HttpClient one = server.admin("one"), two = server.admin("two");
  EventStream of_one = stream(one), of_two = stream(two);
  const auto ids_of_one = customers(one, 3), ids_of_two = customers(two, 2);
  expect_changes(of_one, ids_of_one);
  expect_changes(of_two, ids_of_two);
  // An id of the other tenant's stream is unknown here, although its sequence exists.
  EXPECT_EQ(type_of_next(*std::make_unique<EventStream>(server.port(), one,
                                                        EventStream::Options{.last_event_id = of_two.last_event_id})),
            "reload");
}

TEST_P(LiveChangesOf, the_time_between_two_connections_are_sent_after_it) {
  HttpClient admin = server.admin();
  std::string last;
  {
    EventStream events = stream(admin);
    expect_changes(events, customers(admin, 2));
    last = events.last_event_id;
  }
  const auto missed = customers(admin, 3);
  EventStream by_header = stream(admin, {.last_event_id = last});
  expect_changes(by_header, missed);
  // The first stream keeps only changes that are newer than its beginning, so these are read from the database.
  EventStream later = stream(admin), by_query = stream(admin, {.query = "?lastEventId=" + last});
  expect_changes(by_query, missed);
  const auto live = customers(admin, 2);
  expect_changes(by_header, live);
  expect_changes(by_query, live);
  expect_changes(later, live);
}

TEST_P(LiveChangesOf, more_than_a_page_are_caught_up) {
  HttpClient staff = server.member("default", "data.read");
  EventStream first = stream(staff);
  const std::string begin = first.last_event_id;
  write_entries("default", 300);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(type_of_next(first), "change");
  EventStream another = stream(staff), resumed = stream(staff, {.last_event_id = begin});
  std::int64_t last = 0;
  for (int i = 0; i < 300; ++i) {
    const auto event = resumed.next();
    ASSERT_TRUE(event && event->type == "change");
    if (last != 0) ASSERT_EQ(std::stoll(event->id), last + 1);
    last = std::stoll(event->id);
  }
  EXPECT_EQ(resumed.last_event_id, first.last_event_id);
}

TEST_P(LiveChangesOf, an_unknown_or_too_old_position_begin_with_a_reload) {
  HttpClient admin = server.admin();
  const std::string begin = stream(admin).last_event_id;
  for (const std::string& id :
       {std::string("rubbish"), std::string("999999-01234567"), begin + "x", std::string("1")}) {
    EventStream events = stream(admin, {.last_event_id = id});
    const auto event = events.next();
    ASSERT_TRUE(event) << id;
    EXPECT_EQ(event->type, "reload") << id;
    EXPECT_EQ(event->data.body, "{}");
    const auto ids = customers(admin, 1);
    expect_changes(events, ids);
  }
  EventStream all = stream(admin);
  write_entries("default", 2100);
  // On PostgreSQL the entries are sealed a moment later.
  EXPECT_TRUE(test::eventually([&] {
    return type_of_next(*std::make_unique<EventStream>(server.port(), admin,
                                                       EventStream::Options{.last_event_id = begin})) == "reload";
  }));
}

TEST_P(LiveChangesOf, a_client_that_does_not_read_are_replaced_by_a_reload) {
  HttpClient admin = server.admin();
  EventStream slow = stream(admin, {.receive_buffer_bytes = 4096}), fast = stream(admin);
  constexpr int entries = 4000;  // several times the bytes that the buffers of both kernels hold
  write_entries("default", entries);
  int received = 0;
  while (received < entries && type_of_next(fast) == "change") ++received;
  EXPECT_EQ(received, entries) << "a slow reader does not delay another";
  std::string type = "change";
  int before = 0;
  while (type == "change") {
    type = type_of_next(slow);
    ++before;
  }
  EXPECT_EQ(type, "reload");
  EXPECT_LT(before, entries);
  const auto ids = customers(admin, 1);
  expect_changes(slow, ids);
}

TEST_P(LiveChangesOf, a_flood_of_changes_are_replaced_by_a_reload) {
  HttpClient admin = server.admin();
  EventStream events = stream(admin);
  server.write([&](Tx& tx) {
    for (int i = 0; i < 6000; ++i) {
      audit(tx, TenantId(std::string("default")), {ActorKind::SYSTEM, "test", ""}, {"order", "x"}, "updated", "{}",
            now());
    }
  });
  // On PostgreSQL entries are sealed in batches, so some of them may be sent before.
  std::string type = "change";
  for (int i = 0; i < 6000 && type == "change"; ++i) type = type_of_next(events);
  if (GetParam() == test::Engine::sqlite) EXPECT_EQ(type, "reload");
}

TEST_P(LiveChangesOf, idle_tenants_are_kept_open_by_heartbeats) {
  EventStream events = stream(server.admin());
  EXPECT_TRUE(events.next_is_heartbeat());
  EXPECT_TRUE(events.next_is_heartbeat());
}

TEST_P(LiveChangesOf, a_session_end_with_it) {
  HttpClient admin = server.admin(), staff = server.member("default", "data.read");
  EventStream of_staff = stream(staff), of_admin = stream(admin);
  EXPECT_EQ(staff.post("/auth/logout", "{}").status, 200);
  EXPECT_TRUE(ends(of_staff));
  expect_changes(of_admin, customers(admin, 1));
}

TEST_P(LiveChangesOf, a_caller_end_when_the_permission_is_lost_or_changes) {
  HttpClient admin = server.admin();
  for (const std::string keys : {R"([])", R"(["data.read"])"}) {
    HttpClient member = server.member("default", "TenantAdmin");
    const std::string id = member.get("/auth/me").text("/session/user/userId");
    EventStream events = stream(member);
    EXPECT_EQ(admin.put("/api/admin/grants/" + id, fmt::format(R"({{"userId":"{}","keys":{}}})", id, keys)).status,
              200);
    EXPECT_TRUE(ends(events));
    EXPECT_EQ(stream(member).head.status, keys == "[]" ? 403 : 200);
  }
}

TEST_P(LiveChangesOf, a_token_end_when_it_is_revoked) {
  HttpClient admin = server.admin();
  const HttpReply token = admin.post("/api/admin/tokens", R"({"name":"sync","keys":["data.read"]})");
  ASSERT_EQ(token.status, 201) << token.body;
  EventStream events = stream(server.client(), {.headers = {{"Authorization", "Bearer " + token.text("/token")}}});
  ASSERT_EQ(events.head.status, 200);
  expect_changes(events, customers(admin, 1));
  EXPECT_EQ(admin.del("/api/admin/tokens/" + token.text("/id")).status, 204);
  EXPECT_TRUE(ends(events));
}

TEST_P(LiveChangesOf, a_server_that_stops_end) {
  EventStream events = stream(server.admin());
  server.stop();
  EXPECT_TRUE(ends(events));
}

class LiveChangeLimits : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::TestServer server{GetParam(), {{"CHANGE_STREAMS_PER_TENANT", "2"}, {"CHANGE_STREAMS_MAX", "3"}}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, LiveChangeLimits, test::engines, test::engine_name);

TEST_P(LiveChangeLimits, bound_the_streams_of_a_tenant_and_of_the_process) {
  server.add_tenant("other");
  const HttpClient here = server.admin(), there = server.admin("other");
  std::optional<EventStream> first(std::in_place, server.port(), here);
  EventStream second(server.port(), here), beyond(server.port(), here);
  EXPECT_EQ(second.head.status, 200);
  EXPECT_EQ(beyond.head.status, 429);
  EXPECT_EQ(beyond.head.integer("/retryAfterSeconds"), 15);
  EventStream third(server.port(), there), full(server.port(), there);
  EXPECT_EQ(third.head.status, 200) << "one tenant does not use up the places of another";
  EXPECT_EQ(full.head.status, 503);
  first.reset();
  EXPECT_TRUE(test::eventually([&] { return EventStream(server.port(), here).head.status == 200; }))
      << "a client that closes its connection frees the place";
}

}  // namespace
}  // namespace guildhall
