// The chat platform's OAuth2: the page that asks for consent, codes and tokens.
#include "base/encoding.h"
#include "base/text.h"
#include "base/url.h"
#include "sandbox/chat_platform.h"
#include "sandbox/html.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Reply;

constexpr std::chrono::minutes code_lifetime{10};
constexpr std::size_t grants_max = 1000;

std::string field(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? "" : found->second;
}

std::string hidden(std::string_view name, const std::string& value) {
  return fmt::format(R"(<input type="hidden" name="{}" value="{}">)", name, html_escaped(value));
}

Reply oauth_error(int status, std::string_view code) {
  return json_reply(status, json::object({{"error", code}}));
}

bool asks_for_bot(const Fields& fields) {
  const std::string scope = field(fields, "scope");
  return scope == "bot" || scope.starts_with("bot ");
}

// The redirect to the client's address, with its state.
Reply back_to(const Fields& form, const std::string& answer) {
  const std::string uri = field(form, "redirect_uri");
  return Reply{.status = 302, .content_type = ""}.with(
      "Location", header_url(fmt::format("{}{}{}&state={}", uri, uri.find('?') == std::string::npos ? '?' : '&', answer,
                                         url_encode(field(form, "state")))));
}

// Forgets an entry when there are too many.
template <class Map>
void make_room(Map& map) {
  if (map.size() >= grants_max) map.erase(map.begin());
}

}  // namespace

bool ChatPlatform::may_redirect_to(const std::string& client, const std::string& uri) const {
  return client == world.options.secrets.chat_application() && uri.starts_with(world.options.server + "/");
}

Reply ChatPlatform::ask_for_consent(const PartyRequest& request) {
  const Fields query = fields_in(request.http.query);
  if (asks_for_bot(query)) return ask_for_guild(query);
  if (!may_redirect_to(field(query, "client_id"), field(query, "redirect_uri"))) {
    return html_page(400, "Invalid request", "<p>The client or its redirect address is not registered.</p>");
  }
  std::string form = R"(<p><b>Guildhall</b> wants to know who you are: your name and your email address.</p>)"
                     R"(<form method="post">)";
  for (const char* name : {"client_id", "redirect_uri", "state", "code_challenge"}) {
    form += hidden(name, field(query, name));
  }
  for (const Member& member : guild.members) {
    form += fmt::format(R"(<button name="member" value="{}">Continue as {}</button>)", member.id,
                        html_escaped(member.display_name));
  }
  return html_page(200, "Sign in to Guildhall",
                   form + R"(<button class="quiet" name="member" value="">Cancel</button></form>)");
}

Reply ChatPlatform::give_consent(const PartyRequest& request) {
  const Fields form = fields_in(request.http.body);
  if (asks_for_bot(form)) return add_bot(form);
  const std::string uri = field(form, "redirect_uri");
  if (!may_redirect_to(field(form, "client_id"), uri)) return oauth_error(400, "invalid_request");
  const Member* member = guild.find_member(field(form, "member"));
  std::string answer = "error=access_denied";
  if (member != nullptr) {
    answer = "code=" + new_code({member->id, field(form, "code_challenge"), uri, now() + code_lifetime});
  }
  return back_to(form, answer);
}

std::string ChatPlatform::new_code(Grant grant) {
  const std::string code = base64url(random_bytes(24));
  make_room(codes_);
  codes_[code] = std::move(grant);
  return code;
}

// The page that adds the bot to a chat server. Like the platform's, it needs no redirect address.
Reply ChatPlatform::ask_for_guild(const Fields& query) const {
  const std::string client = field(query, "client_id"), uri = field(query, "redirect_uri");
  if (client != world.options.secrets.chat_application() || (!uri.empty() && !may_redirect_to(client, uri))) {
    return html_page(400, "Invalid request", "<p>The client or its redirect address is not registered.</p>");
  }
  std::string form = "<p>Mira, you manage one server. Add the bot <b>Guildhall</b> to it?</p><form method=\"post\">";
  for (const char* name : {"client_id", "redirect_uri", "state", "code_challenge", "permissions", "scope"}) {
    form += hidden(name, field(query, name));
  }
  form += fmt::format(R"(<button name="guild_id" value="{}">Add to {}</button>)", guild.id, html_escaped(guild.name));
  return html_page(200, "Add Guildhall to a server",
                   form + R"(<button class="quiet" name="guild_id" value="">Cancel</button></form>)");
}

Reply ChatPlatform::add_bot(const Fields& form) {
  const std::string client = field(form, "client_id"), uri = field(form, "redirect_uri");
  if (client != world.options.secrets.chat_application()) return oauth_error(400, "invalid_request");
  const bool added = field(form, "guild_id") == guild.id;
  if (uri.empty()) {
    return html_page(200, added ? "The bot is added" : "Nothing was added",
                     added ? "<p>You can close this page and type <b>/register</b> in the server.</p>" : "");
  }
  if (!may_redirect_to(client, uri)) return oauth_error(400, "invalid_request");
  if (!added) return back_to(form, "error=access_denied");
  const Grant grant{guild.members.front().id, field(form, "code_challenge"), uri, now() + code_lifetime, true};
  return back_to(form, fmt::format("code={}&guild_id={}&permissions={}", new_code(grant), guild.id,
                                   url_encode(field(form, "permissions"))));
}

Reply ChatPlatform::exchange_code(const PartyRequest& request) {
  const Fields form = fields_in(request.http.body);
  const Secrets& secrets = world.options.secrets;
  const std::string client = secrets.chat_application(), secret = secrets.of("chat client");
  const bool in_form = field(form, "client_id") == client && field(form, "client_secret") == secret;
  if (!in_form && request.header("authorization") != "Basic " + base64(client + ":" + secret)) {
    return oauth_error(401, "invalid_client");
  }
  if (field(form, "grant_type") != "authorization_code") return oauth_error(400, "unsupported_grant_type");
  const auto found = codes_.find(field(form, "code"));
  if (found == codes_.end()) return oauth_error(400, "invalid_grant");
  const Grant grant = found->second;
  codes_.erase(found);
  const Sha256 challenge = sha256(field(form, "code_verifier"));
  if (grant.until < now() || grant.redirect_uri != field(form, "redirect_uri") ||
      grant.challenge != base64url(std::span(challenge))) {
    return oauth_error(400, "invalid_grant");
  }
  const std::string token = base64url(random_bytes(24));
  make_room(access_tokens_);
  access_tokens_[token] = grant.member;
  std::string answer =
      json::object({{"access_token", token},
                    {"token_type", "Bearer"},
                    {"expires_in", 604800},
                    {"refresh_token", base64url(random_bytes(24))},
                    {"scope", std::string_view(grant.adds_bot ? "bot applications.commands" : "identify email")}})
          .text;
  if (grant.adds_bot) {
    answer.back() = ',';
    answer += "\"guild\":" + json::object({{"id", guild.id}, {"name", guild.name}}).text + "}";
  }
  return json_reply(200, std::move(answer));
}

Reply ChatPlatform::show_user(const PartyRequest& request) {
  const std::string header = request.header("authorization");
  const auto found = header.starts_with("Bearer ") ? access_tokens_.find(header.substr(7)) : access_tokens_.end();
  const Member* member = found == access_tokens_.end() ? nullptr : guild.find_member(found->second);
  if (member == nullptr) return json_reply(401, json::object({{"code", 0}, {"message", "401: Unauthorized"}}));
  return json_reply(200, json::object({{"id", member->id},
                                       {"username", member->username},
                                       {"global_name", member->display_name},
                                       {"email", member->username + "@example.com"},
                                       {"avatar", nullptr}}));
}

}  // namespace guildhall::sandbox
