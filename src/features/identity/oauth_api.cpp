#include "features/action.h"
#include "features/identity/auth_replies.h"
#include "features/identity/routes.h"
#include "features/tenancy/binding_code.h"
#include "http/cookies.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::string_view browser_cookie = "service_oauth";

enum class StartMode { json, redirect };
BOOST_DESCRIBE_ENUM(StartMode, json, redirect)

struct StartQuery {
  std::optional<std::string> tenant_id;
  Default<StartMode> mode{StartMode::json};
  std::optional<std::string> redirect_uri;
  std::optional<std::string> post_login_redirect;
};
BOOST_DESCRIBE_STRUCT(StartQuery, (), (tenant_id, mode, redirect_uri, post_login_redirect))

struct StartReply {
  std::string authorization_url;
  std::string state;
};
BOOST_DESCRIBE_STRUCT(StartReply, (), (authorization_url, state))

struct CallbackQuery {
  std::optional<std::string> code;
  std::optional<std::string> state;
  std::optional<std::string> error;
  std::optional<std::string> tenant_id;
};
BOOST_DESCRIBE_STRUCT(CallbackQuery, (), (code, state, error, tenant_id))

void require_oauth(const std::string& provider) {
  if (provider == "local") {
    throw bad_request("PROVIDER_MISMATCH", "This way to sign in takes a username and a password.");
  }
  if (provider != chat_provider) throw provider_not_configured();
}

// True if a browser has sent the request. Browsers add these headers to every request to https and to this machine, and
// a page cannot change them.
bool is_from_browser(const http::Request& request) {
  return request.has_header("sec-fetch-mode") || request.has_header("sec-fetch-site");
}

// A sign-in that a browser begins can be completed only by that browser, in both modes.
Task<Reply> start(Call& call, Auth& auth) {
  require_oauth(call.param(0));
  auto [query, problems] = call.partial_query<StartQuery>();
  for (Problem& problem : auth.chat.problems_of(query.redirect_uri, query.post_login_redirect)) {
    problems.push_back(std::move(problem));
  }
  const bool redirect = query.mode.value == StartMode::redirect;
  const TenantId tenant = co_await tenant_named(auth.db, requested_tenant(call, problems, query.tenant_id));
  const auto started = co_await auth.chat.start({.tenant = tenant,
                                                 .redirect_uri = query.redirect_uri,
                                                 .post_login_redirect = query.post_login_redirect,
                                                 .bind_to_browser = redirect || is_from_browser(call.request)});
  Reply reply = redirect ? Reply{.status = 302, .content_type = ""}.with("Location", started.authorization_url)
                         : api::json_reply(200, StartReply{started.authorization_url, started.state});
  if (started.browser.empty()) co_return reply;
  const std::chrono::seconds lives(auth.chat_environment.state_seconds);
  co_return std::move(reply).with(
      "Set-Cookie", http::set_cookie(browser_cookie, started.browser, lives, auth.sessions.secure_cookies()));
}

// The console's page that shows what became of a chat server to which somebody has added the bot.
Reply to_chat_page(std::string_view outcome) {
  return Reply{.status = 302, .content_type = ""}.with("Location", fmt::format("/console/chat?server={}", outcome));
}

// The return from the platform's page that adds the bot to a chat server. It must be the browser of an admin of the
// shop that has made the code: otherwise somebody could give other people a link that binds their servers to a foreign
// shop.
Task<Reply> server_added(const Call& call, Auth& auth, const CallbackQuery& query) {
  const auto code = co_await auth.db.one(binding_code(*query.state, call.now));
  const api::Caller* caller = call.caller.get();
  if (!code || caller == nullptr || caller->tenant != code->tenant_id || !caller->may("admin.access")) {
    co_return to_chat_page("expired");
  }
  if (!query.code) co_return to_chat_page("declined");
  const auto guild = co_await auth.chat.added_server(*query.code, code->verifier);
  if (!guild) co_return to_chat_page("failed");
  const BindingOutcome outcome =
      co_await auth.db.write([&](Tx& tx) { return bind_with_code(tx, *code, *guild, call.actor(), call.now); });
  co_return to_chat_page(name_of(outcome));
}

// The state is consumed also if the request is wrong otherwise, so that it cannot be tried twice.
Task<Reply> callback(Call& call, Auth& auth) {
  require_oauth(call.param(0));
  const auto query = call.query<CallbackQuery>();
  std::vector<Problem> missing;
  if (!query.state) missing.push_back({"state", "is required"});
  if (!query.code && !query.error) missing.push_back({"code", "is required"});
  if (!query.state) throw invalid_fields(std::move(missing));
  if (is_binding_code(*query.state)) co_return co_await server_added(call, auth, query);
  const std::string_view header_tenant = call.request.header("x-tenant-id");
  const ChatSignIn::Browser browser{.cookie = http::cookie_value(call.request.header("cookie"), browser_cookie),
                                    .known = is_from_browser(call.request)};
  const OAuthState state = co_await auth.chat.take_state(
      *query.state, header_tenant.empty() && query.tenant_id ? std::string_view(*query.tenant_id) : header_tenant,
      browser);
  if (query.error) throw bad_request("ACCESS_DENIED", "The sign-in was declined at the chat platform.");
  if (!query.code) throw invalid_fields(std::move(missing));
  Session session = co_await auth.chat.finish(state, *query.code, call.request.request_id, call.now);
  Reply reply = co_await signed_in(call, auth, session);
  if (state.post_login_redirect) {
    reply.status = 302;
    reply.content_type = "";
    reply.body.clear();
    reply.with("Location", header_url(*state.post_login_redirect));
  }
  if (state.browser) {
    reply.with("Set-Cookie",
               http::set_cookie(browser_cookie, "", std::chrono::seconds(0), auth.sessions.secure_cookies()));
  }
  co_return reply;
}

void require_configurable(const Call& call) {
  if (call.param(0) != chat_provider) throw provider_not_configured();
}

Task<Reply> read_provider(Call& call, Auth& auth) {
  require_configurable(call);
  co_return api::json_reply(200, view_of(co_await auth.db.one(provider_row(call.tenant)), auth.chat_environment));
}

bool removes(const ProviderInput& input) {
  return input.client_id && !*input.client_id;
}

void require_complete(const ProviderRow& row, const Auth& auth) {
  std::vector<Problem> problems;
  if (row.client_id.empty()) problems.push_back({"clientId", "is required"});
  if (row.redirect_uri && !auth.chat.allows_redirect(*row.redirect_uri)) {
    problems.push_back({"redirectUri", "must be this installation's callback or one of the allowed addresses"});
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

// The audit entry records that the secret was set, but not the secret.
ProviderView change_provider(Tx& tx, const Call& call, const Auth& auth, const ProviderInput& input) {
  const auto present = tx.one(provider_row(call.tenant));
  std::optional<ProviderRow> after;
  if (removes(input)) {
    if (present) delete_provider_row(tx, *present);
  } else {
    after = merged(call.tenant, present, input, auth.secrets, call.now);
    require_complete(*after, auth);
    put_provider_row(tx, *after);
  }
  const ProviderView before_view = view_of(present, auth.chat_environment),
                     view = view_of(after, auth.chat_environment);
  const Subject subject{"auth-provider", chat_provider};
  action_of(call, tx).audit_change(subject, &before_view, &view);
  if (input.client_secret) action_of(call, tx).audit(subject, "secret_changed");
  return view;
}

Task<Reply> write_provider(Call& call, Auth& auth) {
  require_configurable(call);
  const auto body = call.partial_body<ProviderInput>();
  const ProviderInput& input = body.value;
  if (!body.problems.empty()) {
    const auto present = co_await auth.db.one(provider_row(call.tenant));
    api::throw_all(body.problems, [&] {
      if (removes(input)) return;
      require_complete(merged(call.tenant, present, input, auth.secrets, call.now), auth);
    });
  }
  co_return api::json_reply(200,
                            co_await auth.db.write([&](Tx& tx) { return change_provider(tx, call, auth, input); }));
}

}  // namespace

std::vector<api::Route> oauth_routes(Auth& auth) {
  constexpr std::string_view provider = "/api/admin/auth-providers/:provider";
  // These two routes are limited, since anybody may call them and a callback makes two calls to the platform.
  const api::AddressLimit limit{
      .endpoint = "chat_sign_in", .per_minute = auth.chat_environment.rate_limit_per_min, .local_without_cache = true};
  return {
      route(Method::get, "/auth/:provider/start", Access::optional, "Begin to sign in at a provider", start, auth)
          .limited(limit)
          .takes_query<StartQuery>()
          .gives<StartReply>(200, "Where to send the user (mode json).")
          .gives(302, "To the provider (mode redirect)."),
      route(Method::get, "/auth/:provider/callback", Access::optional, "Come back from a provider", callback, auth)
          .limited(limit)
          .takes_query<CallbackQuery>()
          .gives<SessionReply<SessionUser>>(200, "Signed in; sets the session cookie.")
          .gives(302,
                 "Signed in; leads to the postLoginRedirect given at start. Or the bot was added to a chat server."),
      route(Method::get, provider, Access::admin, "How a provider is configured", read_provider, auth)
          .gives<ProviderView>(200, "The configuration that counts, without its secret."),
      route(Method::put, provider, Access::tenant_admin, "Configure a provider", write_provider, auth)
          .by_person()
          .takes<ProviderInput>()
          .gives<ProviderView>(200, "The configuration that counts, without its secret."),
  };
}

}  // namespace guildhall
