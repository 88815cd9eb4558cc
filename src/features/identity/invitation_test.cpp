#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/identity/grants.h"
#include "support/smtp_stand_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

const std::string all_invitations = "/api/admin/invitations";

std::string token_in(const std::string& link) {
  return link.substr(link.find('#') + 1);
}

std::string acceptance(const std::string& username) {
  return fmt::format(R"({{"username":"{}","password":"a good password"}})", username);
}

class Invitations : public test::OnEachPair {
 protected:
  HttpReply made(CheckedClient& by, const std::string& body = R"({"keys":["data.read"]})") {
    HttpReply reply = by.post(all_invitations, body);
    EXPECT_EQ(reply.status, 201) << reply.body;
    return reply;
  }
  std::string path(CheckedClient& by, const std::string& body = R"({"keys":["data.read"]})") {
    return "/auth/invitations/" + token_in(made(by, body).text("/link"));
  }
  HttpReply accept(const std::string& link_path, const std::string& username = test::fresh_name()) {
    CheckedClient client = server.client();
    return client.post(link_path, acceptance(username));
  }
  static std::string id_of(CheckedClient& client) { return client.get("/auth/me").text("/session/user/userId"); }
  void run(const std::string& text) {
    const Sql& sql = statements.emplace_back(text);
    server.write([&](Tx& tx) { tx.run({&sql, {}}); });
  }

  std::deque<Sql> statements;  // engines recognise a statement by its address, so each is kept
  CheckedClient admin = server.member("default", "TenantAdmin");
  CheckedClient visitor = server.client();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Invitations, test::engines, test::engine_name);

TEST_P(Invitations, make_a_user_with_the_offered_grants_who_is_signed_in) {
  const HttpReply invitation =
      made(admin, R"({"name":"Ada","email":"ada@example.com","keys":["data.write","data.read"]})");
  EXPECT_FALSE(invitation.boolean("/mailed")) << "SMTP is not configured";
  const std::string link = invitation.text("/link");
  EXPECT_NE(link.find("/console/invitation#gi_"), std::string::npos) << link;
  const std::string path = "/auth/invitations/" + token_in(link);

  const HttpReply shown = visitor.get(path);
  ASSERT_EQ(shown.status, 200) << shown.body;
  EXPECT_EQ(shown.text("/shopName"), admin.get("/api/data/tenant/default").text("/name"));
  EXPECT_EQ(shown.text("/name"), "Ada");
  EXPECT_EQ(shown.text("/keys/0"), "data.read");

  const std::string username = test::fresh_name();
  const HttpReply accepted = visitor.post(path, acceptance(username));
  ASSERT_EQ(accepted.status, 200) << accepted.body;
  EXPECT_EQ(accepted.text("/session/user/displayName"), "Ada");
  EXPECT_EQ(accepted.text("/session/user/email"), "ada@example.com");
  EXPECT_EQ(accepted.size("/session/permissionKeys"), 2U);
  EXPECT_EQ(visitor.get("/api/data/order").status, 200);
  EXPECT_EQ(visitor.get("/api/admin/audit").status, 403);

  CheckedClient later = server.client();
  EXPECT_EQ(later
                .post("/auth/local/login",
                      fmt::format(R"({{"username":"{}","password":"a good password","tenantId":"default"}})", username))
                .status,
            200);
  EXPECT_EQ(visitor.get(path).status, 404);
  EXPECT_EQ(accept(path).status, 404) << "a link works once";
  EXPECT_EQ(admin.get(all_invitations).size("/items"), 0U);
}

TEST_P(Invitations, show_their_link_once_and_store_a_hash) {
  const std::string body = R"({"keys":["data.read"]})";
  const HttpReply first = admin.post(all_invitations, body, {{"Idempotency-Key", "invite-1"}});
  const HttpReply again = admin.post(all_invitations, body, {{"Idempotency-Key", "invite-1"}});
  EXPECT_EQ(again.text("/id"), first.text("/id"));
  EXPECT_TRUE(again.is_null("/link"));
  const std::string token = token_in(first.text("/link")), secret = token.substr(token.rfind('.') + 1);
  EXPECT_EQ(admin.get(all_invitations).body.find(secret), std::string::npos);
  EXPECT_EQ(admin.get("/api/admin/audit").body.find(secret), std::string::npos);
  static const Sql stored("SELECT secret_hash FROM invitations");
  server.write([&](Tx& tx) {
    tx.run({&stored, {}}, [&](const Row& row) {
      EXPECT_EQ(row.text(0).find(secret), std::string_view::npos);
      EXPECT_EQ(row.text(0).size(), 64U);
    });
  });
}

TEST_P(Invitations, are_accepted_by_one_of_several_at_once) {
  constexpr int people = 6;
  const std::string link = path(admin);
  std::array<int, people> statuses{};
  std::vector<std::thread> threads;
  for (int i = 0; i < people; ++i) {
    threads.emplace_back([&, i] { statuses[static_cast<std::size_t>(i)] = accept(link).status; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 200), 1);
  EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 404), people - 1);
}

TEST_P(Invitations, offer_no_more_than_the_inviter_holds) {
  CheckedClient clerk = server.member("default", "admin.access");
  EXPECT_EQ(clerk.post(all_invitations, R"({"keys":["data.read"]})").status, 403);
  EXPECT_EQ(clerk.post(all_invitations, R"({"keys":["TenantAdmin"]})").status, 403);
  EXPECT_EQ(clerk.post(all_invitations, R"({"keys":["PlatformAdmin"]})").status, 403);
  EXPECT_EQ(clerk.post(all_invitations, R"({"keys":["admin.access"]})").status, 201);
  EXPECT_EQ(clerk.post(all_invitations, R"({})").status, 201) << "a user without grants";
  EXPECT_EQ(admin.post(all_invitations, R"({"keys":["treasurer"]})").status, 403)
      << "the inviter could accept it, and so become a treasurer";
  CheckedClient treasurer = server.member("default", "TenantAdmin", "treasurer");
  EXPECT_EQ(treasurer.post(all_invitations, R"({"keys":["treasurer"]})").status, 201);
  server.add_tenant("other");
  CheckedClient platform = server.admin("other");
  EXPECT_EQ(platform.post(all_invitations, R"({"keys":["PlatformAdmin"]})").status, 400)
      << "only in the default tenant";
}

TEST_P(Invitations, are_void_while_the_inviter_lacks_a_key) {
  CheckedClient manager = server.member("default", "admin.access", "data.read");
  const UserId manager_id(id_of(manager));
  const TenantId tenant(std::string("default"));
  const std::string link = path(manager);
  server.write([&](Tx& tx) { remove_grant(tx, tenant, manager_id, "data.read"); });
  EXPECT_EQ(visitor.get(link).status, 404);
  EXPECT_EQ(accept(link).status, 404);
  server.write([&](Tx& tx) { add_grant(tx, tenant, manager_id, "data.read", now()); });
  EXPECT_EQ(visitor.get(link).status, 200);
  server.write([&](Tx& tx) { remove_grant(tx, tenant, manager_id, "admin.access"); });
  EXPECT_EQ(accept(link).status, 404) << "who may not invite any more";

  CheckedClient leaver = server.member("default", "TenantAdmin");
  const std::string left = path(leaver);
  ASSERT_EQ(admin.del("/api/data/user/" + id_of(leaver)).status, 204);
  EXPECT_EQ(accept(left).status, 404);
}

TEST_P(Invitations, end_when_they_are_revoked_or_expire) {
  const HttpReply invitation = made(admin);
  const std::string link = "/auth/invitations/" + token_in(invitation.text("/link"));
  EXPECT_EQ(admin.del(all_invitations + "/" + invitation.text("/id")).status, 204);
  EXPECT_EQ(accept(link).status, 404);
  EXPECT_EQ(admin.del(all_invitations + "/" + invitation.text("/id")).status, 404);

  const std::string expiring = path(admin);
  EXPECT_EQ(visitor.get(expiring).status, 200);
  run("UPDATE invitations SET expires_at = 1");
  EXPECT_EQ(visitor.get(expiring).status, 404);
  EXPECT_EQ(accept(expiring).status, 404);
}

TEST_P(Invitations, are_revoked_only_by_who_holds_their_keys) {
  CheckedClient clerk = server.member("default", "admin.access");
  const std::string id = made(admin, R"({"keys":["TenantAdmin"]})").text("/id");
  EXPECT_EQ(clerk.del(all_invitations + "/" + id).status, 403);
  CheckedClient treasurer = server.member("default", "TenantAdmin", "treasurer");
  const std::string treasurers = made(treasurer, R"({"keys":["treasurer"]})").text("/id");
  EXPECT_EQ(admin.del(all_invitations + "/" + treasurers).status, 204) << "a TenantAdmin gives and takes custom keys";
}

TEST_P(Invitations, answer_every_wrong_link_alike) {
  const std::string link = path(admin);
  const std::string unknown = visitor.get("/auth/invitations/none").body;
  const std::string token = link.substr(link.rfind('/') + 1), rest = token.substr(token.find('.'));
  for (const std::string& wrong : {token + "x", token.substr(0, token.size() - 1), "gi_" + rest, "gi_b3RoZXI" + rest,
                                   "gh_" + token.substr(3), std::string("gi_.."), std::string("gi_AAAA.x.y")}) {
    const HttpReply reply = visitor.get("/auth/invitations/" + wrong);
    EXPECT_EQ(reply.status, 404) << wrong;
    EXPECT_EQ(reply.body, unknown);
    EXPECT_EQ(visitor.post("/auth/invitations/" + wrong, acceptance(test::fresh_name())).body, unknown);
  }
  EXPECT_EQ(visitor.get(link).status, 200);
}

TEST_P(Invitations, stay_open_when_the_username_is_taken) {
  const std::string link = path(admin), taken = test::fresh_name();
  ASSERT_EQ(accept(path(admin), taken).status, 200);
  EXPECT_EQ(accept(link, taken).code(), "USERNAME_TAKEN");
  EXPECT_EQ(accept(link, "ADMIN").code(), "USERNAME_TAKEN") << "the default admin's name is reserved";
  EXPECT_EQ(visitor.post(link, R"({"username":"","password":"short"})").wrong_fields(),
            (std::vector<std::string>{"password", "username"}));
  EXPECT_EQ(accept(link).status, 200);
}

TEST_P(Invitations, count_the_inviter_as_the_person_who_set_the_password) {
  CheckedClient clerk = server.member("default", "admin.access");
  ASSERT_EQ(visitor.post(path(clerk, R"({})"), acceptance(test::fresh_name())).status, 200);
  const std::string user = id_of(visitor);
  ASSERT_EQ(admin.put("/api/admin/grants/" + user, R"({"keys":["data.read"]})").status, 200);
  EXPECT_EQ(visitor.get("/auth/me").status, 401) << "the clerk may have accepted the invitation";
}

TEST_P(Invitations, are_made_in_sessions_only) {
  const std::string token = admin.post("/api/admin/tokens", R"({"name":"x","keys":["TenantAdmin"]})").text("/token");
  const test::HttpHeaders bearer{{"Authorization", "Bearer " + token}};
  EXPECT_EQ(visitor.post(all_invitations, R"({"keys":["data.read"]})", bearer).code(), "SESSION_REQUIRED");
  const std::string id = made(admin).text("/id");
  EXPECT_EQ(visitor.del(all_invitations + "/" + id, bearer).code(), "SESSION_REQUIRED");
}

TEST_P(Invitations, stay_in_their_tenant) {
  const std::string id = made(admin).text("/id");
  server.add_tenant("other");
  CheckedClient others = server.member("other", "TenantAdmin");
  EXPECT_EQ(others.get(all_invitations).size("/items"), 0U);
  EXPECT_EQ(others.del(all_invitations + "/" + id).status, 404);
}

TEST_P(Invitations, are_refused_with_every_wrong_field_named) {
  EXPECT_EQ(admin.post(all_invitations, R"({"email":"nobody","keys":"x","expiresAt":"soon"})").wrong_fields(),
            (std::vector<std::string>{"email", "expiresAt", "keys"}));
  EXPECT_EQ(admin.post(all_invitations, R"({"keys":["a b"],"expiresAt":"2099-01-01T00:00:00Z"})").wrong_fields(),
            (std::vector<std::string>{"expiresAt", "keys[0]"}));
  EXPECT_EQ(admin.post(all_invitations, R"({"expiresAt":"2001-01-01T00:00:00Z"})").status, 400);
}

TEST_P(Invitations, come_to_a_limit) {
  for (int i = 0; i < 200; ++i) made(admin, R"({})");
  EXPECT_EQ(admin.post(all_invitations, R"({})").code(), "TOO_MANY_INVITATIONS");
  run("UPDATE invitations SET expires_at = 1");
  EXPECT_EQ(admin.post(all_invitations, R"({})").status, 201) << "expired ones do not count";
}

class MailedLinks : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::SmtpStandIn mail;
  test::TestServer server{GetParam(), {{"SMTP_URL", mail.url()}, {"PUBLIC_BASE_URL", "https://shop.example"}}};
  CheckedClient admin = server.member("default", "TenantAdmin");
};
INSTANTIATE_TEST_SUITE_P(Pairs, MailedLinks, test::engines, test::engine_name);

// Undoes the soft line breaks and the escapes of quoted-printable text.
std::string plain(std::string text) {
  for (std::size_t at = text.find("=\r\n"); at != std::string::npos; at = text.find("=\r\n")) text.erase(at, 3);
  for (std::size_t at = text.find("=3D"); at != std::string::npos; at = text.find("=3D")) text.replace(at, 3, "=");
  return text;
}

TEST_P(MailedLinks, reach_the_given_address_and_are_sealed_until_then) {
  const HttpReply invitation = admin.post(all_invitations, R"({"email":"ada@example.com","keys":["data.read"]})");
  ASSERT_EQ(invitation.status, 201) << invitation.body;
  EXPECT_TRUE(invitation.boolean("/mailed"));
  const std::string link = invitation.text("/link");
  EXPECT_TRUE(link.starts_with("https://shop.example/console/invitation#gi_")) << link;
  ASSERT_TRUE(mail.wait_for_mails(1));
  EXPECT_NE(mail.mails()[0].to.at(0).find("ada@example.com"), std::string::npos);
  EXPECT_NE(plain(mail.mails()[0].text).find(link), std::string::npos) << mail.mails()[0].text;
  static const Sql payloads("SELECT payload FROM outbox_messages");
  server.write([&](Tx& tx) {
    tx.run({&payloads, {}}, [&](const Row& row) {
      EXPECT_EQ(row.text(0).find(link.substr(link.rfind('.') + 1)), std::string_view::npos) << row.text(0);
    });
  });
}

TEST_P(MailedLinks, also_reset_passwords) {
  const std::string user =
      admin.post("/api/data/user", R"({"username":"ada","displayName":"Ada","email":"ada@example.com"})").text("/id");
  const HttpReply reset = admin.send("POST", "/api/data/user/" + user + "/password-reset", "", {});
  ASSERT_EQ(reset.status, 201) << reset.body;
  EXPECT_TRUE(reset.boolean("/mailed"));
  ASSERT_TRUE(mail.wait_for_mails(1));
  EXPECT_NE(plain(mail.mails()[0].text).find(reset.text("/link")), std::string::npos) << mail.mails()[0].text;
}

}  // namespace
}  // namespace guildhall
