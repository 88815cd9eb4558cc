#include "features/identity/chat_sign_in.h"

#include "base/encoding.h"
#include "base/log.h"
#include "features/identity/chat_provider.h"
#include "features/identity/chat_user.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

constexpr std::size_t random_size = 32;

std::string state_key(std::string_view state) {
  return "oauth:" + base64url(sha256(state));
}

std::string hashed(std::string_view text) {
  return base64url(sha256(text));
}

Failure invalid_state() {
  return bad_request("INVALID_STATE", "The sign-in was not begun here, has expired or was used already: begin again.");
}

std::string authorization_url(const ChatOAuth& environment, const ProviderConfig& config, const OAuthState& kept,
                              const std::string& state) {
  const char separator = environment.authorize_url.find('?') == std::string::npos ? '?' : '&';
  return fmt::format(
      "{}{}response_type=code&client_id={}&scope={}&state={}&redirect_uri={}&code_challenge={}&code_challenge_method="
      "S256",
      environment.authorize_url, separator, url_encode(config.client_id), url_encode(config.scopes), url_encode(state),
      url_encode(kept.redirect_uri), base64url(sha256(kept.verifier)));
}

Counter& chat_outcomes(Metrics& metrics, std::string_view outcome) {
  return metrics.counter("sign_ins_total", "Attempts to sign in.",
                         {{"provider", std::string(chat_provider)}, {"outcome", std::string(outcome)}});
}

}  // namespace

bool is_own_path(std::string_view path) {
  const bool visible = std::all_of(
      path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f && c != '\\'; });
  return visible && path.starts_with('/') && path.find("//") == std::string_view::npos;
}

ChatSignIn::ChatSignIn(Database& db, const Events& events, Cache& cache, WorkerPool& outbound, const SecretBox* secrets,
                       Metrics& metrics, const ChatSignInOptions& options)
    : db_(db),
      events_(events),
      cache_(cache),
      outbound_(outbound),
      secrets_(secrets),
      succeeded_(chat_outcomes(metrics, "succeeded")),
      failed_(chat_outcomes(metrics, "failed")),
      options_(options) {}

Task<ProviderConfig> ChatSignIn::config_of(const TenantId& tenant) {
  if (!co_await db_.one(tenant_by_id(tenant))) throw provider_not_configured();
  const auto row = co_await db_.one(provider_row(tenant));
  co_return usable(row, options_.environment, secrets_);
}

bool ChatSignIn::allows_redirect(std::string_view uri) const {
  const std::vector<std::string>& listed = options_.environment.redirect_uris;
  return uri == options_.own_callback || uri == options_.environment.redirect_uri ||
         std::find(listed.begin(), listed.end(), uri) != listed.end();
}

static Problem redirect_problem() {
  return {"redirectUri", "is not one of the allowed addresses"};
}

std::vector<Problem> ChatSignIn::problems_of(const std::optional<std::string>& redirect_uri,
                                             const std::optional<std::string>& post_login_redirect) const {
  std::vector<Problem> problems;
  if (redirect_uri && !allows_redirect(*redirect_uri)) problems.push_back(redirect_problem());
  if (post_login_redirect && !is_own_path(*post_login_redirect)) {
    problems.push_back({"postLoginRedirect", "must be a path of this site that starts with one /"});
  }
  return problems;
}

Task<ChatSignIn::Started> ChatSignIn::start(const Start& input) {
  const ProviderConfig config = co_await config_of(input.tenant);
  const std::string redirect_uri = input.redirect_uri.value_or(config.redirect_uri);
  if (redirect_uri.empty()) throw invalid_field("redirectUri", "is required: none is configured");
  if (!allows_redirect(redirect_uri)) throw invalid_fields({redirect_problem()});
  Started started{.authorization_url = {}, .state = base64url(random_bytes(random_size)), .browser = {}};
  if (input.bind_to_browser) started.browser = base64url(random_bytes(random_size));
  const OAuthState kept{.provider = std::string(chat_provider),
                        .tenant_id = input.tenant,
                        .verifier = base64url(random_bytes(random_size)),
                        .redirect_uri = redirect_uri,
                        .post_login_redirect = input.post_login_redirect,
                        .browser = input.bind_to_browser ? std::optional(hashed(started.browser)) : std::nullopt};
  const std::string key = state_key(started.state), value = to_json(kept);
  co_await cache_.put(key, value, std::chrono::seconds(options_.environment.state_seconds));
  started.authorization_url = authorization_url(options_.environment, config, kept, started.state);
  co_return started;
}

Task<OAuthState> ChatSignIn::take_state(const std::string& state, std::string_view named_tenant,
                                        const Browser& browser) {
  const std::string key = state_key(state);
  const auto value = co_await cache_.take(key);
  if (!value) throw invalid_state();
  OAuthState kept;
  decode_stored(*value, [&](JsonValue json, Decoder& decoder) { Codec<OAuthState>::decode(json, kept, decoder); });
  const bool right_browser =
      kept.browser ? equal_in_constant_time(*kept.browser, hashed(browser.cookie)) : !browser.known;
  if (kept.provider != chat_provider || !right_browser) throw invalid_state();
  if (!named_tenant.empty() && named_tenant != kept.tenant_id.text()) throw invalid_state();
  co_return kept;
}

Task<Session> ChatSignIn::finish(const OAuthState& state, const std::string& code, const std::string& request_id,
                                 Instant now) {
  try {
    Session session = co_await exchange(state, code, request_id, now);
    succeeded_.add();
    co_return session;
  } catch (const Failure& failure) {
    failed_.add();
    log::warn("A sign-in failed.", {{"provider", chat_provider},
                                    {"reason", failure.what()},
                                    {"tenant", state.tenant_id.text()},
                                    {"request", request_id}});
    throw;
  }
}

std::string ChatSignIn::add_server_url(const ChatOAuth& environment, const AddServer& link) {
  const char separator = environment.authorize_url.find('?') == std::string::npos ? '?' : '&';
  std::string url = fmt::format("{}{}client_id={}&scope=bot+applications.commands&permissions={}",
                                environment.authorize_url, separator, url_encode(link.application), link.permissions);
  if (!link.state.empty()) url += "&state=" + url_encode(link.state);
  if (link.state.empty() || environment.client_id != link.application || environment.client_secret.empty()) return url;
  const std::string& callback = environment.redirect_uri.empty() ? link.own_callback : environment.redirect_uri;
  return url + fmt::format("&response_type=code&redirect_uri={}&code_challenge={}&code_challenge_method=S256",
                           url_encode(callback), base64url(sha256(link.verifier)));
}

Task<std::optional<std::string>> ChatSignIn::added_server(const std::string& code, const std::string& verifier) {
  const ChatOAuth& environment = options_.environment;
  try {
    const ProviderConfig config = usable(std::nullopt, environment, secrets_);
    const ChatProvider provider{outbound_, environment, config};
    const std::string& callback = config.redirect_uri.empty() ? options_.own_callback : config.redirect_uri;
    co_return (co_await provider.exchange(code, callback, verifier)).guild_id;
  } catch (const Failure& failure) {
    log::warn("A chat server was not connected.", {{"reason", failure.what()}});
  }
  co_return std::nullopt;
}

Task<Session> ChatSignIn::exchange(const OAuthState& state, const std::string& code, const std::string& request_id,
                                   Instant now) {
  const ProviderConfig config = co_await config_of(state.tenant_id);
  const ChatProvider provider{outbound_, options_.environment, config};
  const ChatToken token = co_await provider.exchange(code, state.redirect_uri, state.verifier);
  const ChatProfile profile = co_await provider.profile(token);
  const Actor actor{ActorKind::CHAT, profile.id, request_id};
  Session session = co_await db_.write([&](Tx& tx) {
    const User user = find_or_create_chat_user({tx, events_, state.tenant_id, actor, now}, profile,
                                               {.reserved_username = options_.admin_username,
                                                .home_tenant = options_.home_tenant,
                                                .identity_provider = config.identity_provider});
    return session_for(tx, user, state.tenant_id, options_.home_tenant, config.identity_provider);
  });
  if (token.lives_for) session.expires_at = now + *token.lives_for;
  co_return session;
}

}  // namespace guildhall
