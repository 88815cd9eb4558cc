// Tests that no data of one tenant is visible in another. Two tenants have records of every kind. Every role of one
// tenant sends the ids of the other in every place that can name a record: path, query, and body at any depth. The
// reply and the amount of work must be the same as for an id that does not exist, and no record may change.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <random>
#include <regex>

#include "features/identity/grants.h"
#include "support/body_maker.h"
#include "support/paired_times.h"
#include "support/rank.h"
#include "support/samples.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using api::Route, test::HttpClient, test::HttpReply;

const std::string mark = "MARK-of-the-victim";

struct Attacker {
  std::string name;
  HttpClient client;
  bool platform_admin = false;
};

std::string method_of(const Route& route) {
  return std::string(to_string(route.method));
}

// True for routes whose replies change by the server's own work: deliveries and seals.
bool changes_by_itself(const Route& route) {
  return route.path.starts_with("/api/admin/audit") || route.path.starts_with("/api/admin/outbox");
}

// The part of a reply that must not depend on whether the id exists in another tenant. New ids, times and generated
// texts always differ, so they are masked.
std::string fingerprint(const Route& route, const HttpReply& reply, const std::string& id) {
  std::string text = reply.body;
  for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at))
    text.replace(at, id.size(), "U");
  static const std::regex varying(
      "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
      "|gen-[0-9]+-x|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");
  // Each change of the attacker's own record increments its version.
  const bool reads = route.method == http::Method::get;
  const std::string etag = reads || reply.header("etag").empty() ? reply.header("etag") : "some";
  return fmt::format("{} etag={} {}", reply.status, etag, std::regex_replace(text, varying, "U"));
}

using CallWithId = std::function<HttpReply(HttpClient&, const std::string& id)>;

// The victim's record has the first of these tags. The reply must not reveal whether the tag matches.
test::HttpHeaders conditions(std::size_t round) {
  if (round % 3 == 0) return {};
  const std::string tag = round % 3 == 1 ? "\"1\"" : "\"77\"";
  return {{"If-Match", tag}, {"If-None-Match", tag}};
}

class TwoTenants : public test::TestServer {
 public:
  explicit TwoTenants(test::Engine engine) : TestServer(engine) {
    add_tenant("victim");
    add_tenant("attacker");
  }
};

class Isolation : public ::testing::TestWithParam<test::Engine> {
 protected:
  Isolation() {
    HttpClient victims_owner = server.admin("victim");
    for (const auto& [key, make] : test::samples()) {
      for (int i = 0; i < 2; ++i) {
        victims[key].push_back(make({server, victims_owner, "victim", mark}));
        make({server, owner, "attacker", "not-the-victim"});
      }
    }
    for (const auto& [key, records] : victims) {
      for (const auto& params : records) ids.insert(ids.end(), params.begin(), params.end());
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::erase_if(ids, [](const std::string& id) { return id.size() < 20; });  // names in the API, for example chat
    attackers.push_back({"nobody", server.client()});
    attackers.push_back({"a member", server.member("attacker")});
    attackers.push_back({"staff", server.member("attacker", "TenantStaff")});
    attackers.push_back({"an admin", server.member("attacker", "TenantAdmin")});
    attackers.push_back({"a platform admin", server.member("default", "PlatformAdmin"), true});
    attackers.back().client.post("/auth/tenant", R"({"tenantId":"attacker"})");
  }

  // Returns all data that the victim can read.
  std::string snapshot() {
    HttpClient reader = victim;  // on a fresh connection
    std::string all;
    for (const Route& route : server.routes()) {
      if (route.method != http::Method::get || !route.tenant_scoped() || changes_by_itself(route)) continue;
      const std::string key = test::sample_key(route.path);
      const auto records = key.empty() ? std::vector<std::vector<std::string>>{{}} : victims.at(key);
      for (const auto& params : records) {
        const HttpReply reply = reader.get(test::filled(route.path, params));
        all += fmt::format("{} {} {}\n", route.path, reply.header("etag"), reply.body);
      }
    }
    return all;
  }

  // Makes one call with the victim's id and one with an id that does not exist, in random order.
  void attempt(Attacker& by, const Route& route, const std::string& foreign, const std::string& unknown,
               const CallWithId& call) {
    ++attempts;
    const bool foreign_first = coin() % 2 == 0;
    const Timed first = timed(by.client, foreign_first ? foreign : unknown, call);
    const Timed second = timed(by.client, foreign_first ? unknown : foreign, call);
    const auto& [with_foreign, foreign_took] = foreign_first ? first : second;
    const auto& [with_unknown, unknown_took] = foreign_first ? second : first;
    times.add(method_of(route) + " " + route.path, foreign_took, unknown_took);
    const std::string what = fmt::format("{} {} by {} with {}", method_of(route), route.path, by.name, foreign);
    EXPECT_EQ(fingerprint(route, with_foreign, foreign), fingerprint(route, with_unknown, unknown)) << what;
    EXPECT_EQ(with_foreign.body.find(mark), std::string::npos) << what;
    EXPECT_LT(with_foreign.status, 500) << what << with_foreign.body;
  }

  struct Timed {
    HttpReply reply;
    test::PairedTimes::Duration took;
  };
  static Timed timed(HttpClient& client, const std::string& id, const CallWithId& call) {
    const auto start = std::chrono::steady_clock::now();
    HttpReply reply = call(client, id);
    return {std::move(reply), std::chrono::steady_clock::now() - start};
  }

  // Compares the durations. If a foreign id were found first and refused later, the additional work would change the
  // ratio clearly; noise does not.
  void expect_the_same_work() {
    for (const auto& [what, samples, ratio] : times.ratios(100)) {
      EXPECT_LT(ratio, 2) << what << ": foreign ids take longer, in " << samples << " pairs";
      EXPECT_GT(ratio, 0.5) << what << ": unknown ids take longer, in " << samples << " pairs";
      RecordProperty("foreign to unknown, " + what, fmt::format("{:.3f} in {} pairs", ratio, samples));
    }
  }

  static std::string like(const std::string& id) {
    return id.size() == 36 ? make_uuid(now()) : std::string(id.size(), 'Z');
  }

  static HttpReply send(HttpClient& client, const Route& route, const std::string& path, const std::string& body,
                        const test::HttpHeaders& more = {}) {
    test::HttpHeaders headers = more;
    headers.emplace_back("Content-Type", test::BodyMaker(route).content_type());
    return client.send(method_of(route), path, body, headers);
  }

  void try_path(Attacker& by, const Route& route, std::size_t round) {
    const std::string key = test::sample_key(route.path);
    if (key.empty() || (by.platform_admin && test::platform_admin_reaches_everywhere(route.path))) return;
    const auto& records = victims.at(key);
    std::vector<std::string> params = records[round % records.size()];
    if (round >= records.size()) params.back() = ids[round % ids.size()];  // also ids of other kinds of record
    if (params.back().size() < 6) return;
    if (route.path.ends_with("/:method/test")) return;  // it takes the name of a method, which every tenant has
    test::BodyMaker body(route);
    const std::string unknown = like(params.front());
    attempt(by, route, params.front(), unknown, [&](HttpClient& client, const std::string& id) {
      std::vector<std::string> used = params;
      used.front() = id;
      return send(client, route, test::filled(route.path, used), body.make("any"), conditions(round));
    });
  }

  void try_query(Attacker& by, const Route& route, const std::string& foreign) {
    if (by.platform_admin && test::platform_admin_reaches_everywhere(route.path)) return;
    for (const Field& field : route.query) {
      if (!test::names_a_record(field.key) || !test::sample_key(route.path).empty()) continue;
      attempt(by, route, foreign, like(foreign), [&](HttpClient& client, const std::string& id) {
        return send(client, route, fmt::format("{}?{}={}", route.path, field.key, id), "");
      });
    }
  }

  // Sends the victim's id in every field of the body that can name a record. The path names a record of the attacker,
  // if it needs one.
  void try_body(Attacker& by, const Route& route, const std::string& foreign) {
    test::BodyMaker body(route);
    const std::string key = test::sample_key(route.path);
    if (!body.names_records() || (by.platform_admin && test::platform_admin_reaches_everywhere(route.path))) return;
    attempt(by, route, foreign, like(foreign), [&](HttpClient& client, const std::string& id) {
      const auto own = key.empty() ? std::vector<std::string>()
                                   : test::samples().at(key)({server, owner, "attacker", "not-the-victim"});
      return send(client, route, test::filled(route.path, own), body.make(id));
    });
  }

  // A header that names the other tenant is refused before the handler runs.
  void try_header(Attacker& by, const Route& route) {
    const std::string key = test::sample_key(route.path);
    if (!route.tenant_scoped()) return;
    ++attempts;
    const auto params = key.empty() ? std::vector<std::string>() : victims.at(key).front();
    const HttpReply reply = send(by.client, route, test::filled(route.path, params), test::BodyMaker(route).make("any"),
                                 {{"x-tenant-id", "victim"}});
    EXPECT_EQ(reply.status, by.name == "nobody" ? 401 : 403)
        << method_of(route) << " " << route.path << " by " << by.name;
  }

  TwoTenants server{GetParam()};
  HttpClient victim = server.member("victim", "TenantAdmin");
  HttpClient owner = server.admin("attacker");  // creates the attacker's own records
  HttpClient owner_of_victim = server.admin("victim");
  std::map<std::string, std::vector<std::vector<std::string>>> victims;  // the parameters of its records, by sample key
  std::vector<std::string> ids;                                          // all ids of the victim's records
  std::vector<Attacker> attackers;
  std::size_t attempts = 0;
  std::mt19937 coin{1};
  test::PairedTimes times;
};
INSTANTIATE_TEST_SUITE_P(Pairs, Isolation, test::engines, test::engine_name);

TEST_P(Isolation, holds_against_every_id_in_every_place) {
  const bool is_long = std::getenv("GUILDHALL_LONG") != nullptr;
  const std::size_t wanted = is_long ? 500'000 : 2'000;  // for each engine pair
  const std::string before = snapshot();
  ASSERT_NE(before.find(mark), std::string::npos) << "without the victim's data nothing would be proven";
  // Before the attacker's own records refer to the victim's ids: filters would find them.
  for (const std::string& id : ids) {
    for (const Attacker& attacker : attackers) {
      Attacker by = attacker;  // a new connection; a kept one may be closed as idle
      for (const Route& route : server.routes()) {
        if (route.needs_session()) try_query(by, route, id);
      }
    }
  }
  const std::size_t queries = attempts;
  for (std::size_t round = 0; attempts < queries + wanted; ++round) {
    for (const Attacker& attacker : attackers) {
      Attacker by = attacker;
      for (const Route& route : server.routes()) {
        const bool changes_the_session = route.path.starts_with("/auth/") && route.path != "/auth/sessions/:id";
        if (!route.needs_session() || changes_the_session) continue;
        try_path(by, route, round);
        try_body(by, route, ids[round % ids.size()]);
        if (round == 0) try_header(by, route);
      }
    }
    if (HasFailure()) break;
  }
  const std::string after = snapshot();
  const auto changed = std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
  EXPECT_TRUE(changed == before.end() && after.size() == before.size())
      << "something of the victim has changed: " << std::string(changed, before.end()).substr(0, 200);
  expect_the_same_work();
  RecordProperty("attempts", std::to_string(attempts));
}

// A user of the victim also holds grants in the attacker's tenant. The attacker's admins may change only those grants.
TEST_P(Isolation, holds_for_users_who_hold_grants_in_the_other_tenant) {
  for (const test::RankRow& row : test::rank_table) {
    const bool above = row.actor == test::Keys{"PlatformAdmin"};
    HttpClient actor = above ? attackers.back().client : server.member_with("attacker", row.actor);
    for (const Route& route : server.routes()) {
      if (!test::changes_a_user(route)) continue;
      for (std::size_t i = 0; i < test::rank_targets.size(); ++i) {
        const std::string target = server.add_user("victim", test::rank_targets[i], "attacker");
        server.write(
            [&](Tx& tx) { add_grant(tx, TenantId(std::string("victim")), UserId(target), "data.read", now()); });
        const std::string before = owner_of_victim.get("/api/data/user/" + target).body;
        const HttpReply reply =
            send(actor, route, test::filled(route.path, {target}), test::rank_bodies.at(test::route_name(route)));
        const std::string what =
            fmt::format("{} by [{}] of [{}]: {} {}", test::route_name(route), fmt::join(row.actor, " "),
                        fmt::join(test::rank_targets[i], " "), reply.status, reply.body);
        const bool at_the_door = row.may_change.find('y') == std::string_view::npos;
        const bool found =
            test::changes_grants(route) && (above || (i > 0 && test::rank_targets[i][0] != "PlatformAdmin"));
        const int refusal = at_the_door || found ? 403 : 404;
        const bool allowed = found && test::may_change(row, i, route);
        EXPECT_EQ(reply.status, allowed ? 200 : refusal) << what;
        EXPECT_EQ(owner_of_victim.get("/api/data/user/" + target).body, before) << what;
        EXPECT_EQ(owner_of_victim.get("/api/admin/grants/" + target).text("/keys/0"), "data.read") << what;
      }
    }
  }
}

TEST_P(Isolation, holds_against_switching_to_a_tenant_one_has_no_part_in) {
  for (Attacker& by : attackers) {
    if (by.platform_admin) continue;
    const HttpReply real = by.client.post("/auth/tenant", R"({"tenantId":"victim"})");
    const HttpReply unreal = by.client.post("/auth/tenant", R"({"tenantId":"nobody"})");
    EXPECT_EQ(real.status, by.name == "nobody" ? 401 : 400);
    EXPECT_EQ(real.body, unreal.body);
  }
}

}  // namespace
}  // namespace guildhall
