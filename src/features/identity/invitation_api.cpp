#include "api/resource.h"
#include "base/password.h"
#include "base/text.h"
#include "features/action.h"
#include "features/identity/auth_replies.h"
#include "features/identity/grant_actions.h"
#include "features/identity/grants.h"
#include "features/identity/invitation.h"
#include "features/identity/link_mail.h"
#include "features/identity/permissions.h"
#include "features/identity/role.h"
#include "features/identity/routes.h"
#include "features/identity/secret_text.h"
#include "features/identity/setup_link.h"
#include "features/identity/user_actions.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::size_t invitation_keys_max = 50;

struct NewInvitation {
  using Record = Invitation;
  std::optional<Text<200>> name;
  std::optional<Email> email;
  Default<std::vector<std::string>> keys{};
  std::optional<Instant> expires_at;
};
BOOST_DESCRIBE_STRUCT(NewInvitation, (), (name, email, keys, expires_at))

// An invitation in the reply to its creation.
struct CreatedInvitation {
  InvitationId id;
  std::optional<std::string> name;
  std::optional<std::string> email;
  std::vector<std::string> keys;
  UserId user_id;
  Instant created_at;
  Instant expires_at;
  bool mailed = false;              // the link is also mailed to the given address
  std::optional<std::string> link;  // shown once; null in a repeated reply
};
BOOST_DESCRIBE_STRUCT(CreatedInvitation, (), (id, name, email, keys, user_id, created_at, expires_at, mailed, link))

// An invitation as the invited person sees it.
struct ShownInvitation {
  TenantId tenant_id;
  std::string shop_name;
  std::optional<std::string> name;
  std::optional<std::string> email;
  std::vector<std::string> keys;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(ShownInvitation, (), (tenant_id, shop_name, name, email, keys, expires_at))

struct Acceptance {
  Text<username_characters_max> username;
  Text<256, 8> password;
  std::optional<Text<>> display_name;
};
BOOST_DESCRIBE_STRUCT(Acceptance, (), (username, password, display_name))

Reply created(const Invitation& invitation, bool mailed, std::optional<std::string> link) {
  return api::json_reply(201, CreatedInvitation{.id = invitation.id,
                                                .name = invitation.name,
                                                .email = invitation.email,
                                                .keys = invitation.keys,
                                                .user_id = invitation.user_id,
                                                .created_at = invitation.created_at,
                                                .expires_at = invitation.expires_at,
                                                .mailed = mailed,
                                                .link = std::move(link)});
}

void add_key_problems(const std::vector<std::string>& keys, bool in_home_tenant, std::vector<Problem>& problems) {
  if (keys.size() > invitation_keys_max)
    problems.push_back({"keys", fmt::format("must be at most {} keys", invitation_keys_max)});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!is_permission_key(keys[i])) {
      problems.push_back({fmt::format("keys[{}]", i), "must be 1 to 64 characters of A-Z a-z 0-9 . _ -"});
    } else if (keys[i] == platform_admin && !in_home_tenant) {
      problems.push_back({fmt::format("keys[{}]", i), "PlatformAdmin is granted in the default tenant only"});
    }
  }
}

Invitation invitation_from(const NewInvitation& input, const Call& call, const TenantId& home_tenant) {
  std::vector<std::string> keys = input.keys.value;
  std::vector<Problem> problems;
  add_key_problems(keys, call.tenant == home_tenant, problems);
  if (input.expires_at && (*input.expires_at <= call.now || *input.expires_at > call.now + invitation_lasts_max)) {
    problems.push_back({"expiresAt", "must be within the next 30 days"});
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return {.id = InvitationId::make(call.now),
          .tenant_id = {call.tenant},
          .name = input.name,
          .email = input.email,
          .keys = std::move(keys),
          .user_id = call.user(),
          .user_tenant_id = {},
          .through_application = {call.caller->through_tenants_application},
          .secret_hash = {},
          .created_at = call.now,
          .expires_at = input.expires_at.value_or(call.now + invitation_lasts)};
}

void require_room(Tx& tx, const Call& call) {
  delete_expired_invitations(tx, call.tenant, call.now);
  if (std::ssize(tx.all(invitations_after(call.tenant, {}, invitations_max))) < invitations_max) return;
  throw bad_request("TOO_MANY_INVITATIONS", fmt::format("A tenant has at most {} invitations.", invitations_max));
}

// Judges by the stored grants, as the acceptance does.
void require_may_offer(Tx& tx, const Invitation& invitation, const TenantId& home_tenant) {
  const auto inviter =
      present_caller(tx, {invitation.user_id, invitation.user_tenant_id, invitation.through_application},
                     invitation.tenant_id, home_tenant);
  const auto beyond = inviter ? keys_beyond(tx, *inviter, invitation.keys) : invitation.keys;
  if (beyond.empty()) return;
  throw forbidden("PERMISSION_DENIED", fmt::format("You do not hold {} yourself.", beyond.front()));
}

void mail_invitation(Tx& tx, const Auth& auth, const Invitation& invitation, const std::string& link, Instant now) {
  const auto tenant = tx.one(tenant_by_id(invitation.tenant_id));
  const std::string shop = name_for_mail(tenant ? tenant->name : invitation.tenant_id.value.text());
  mail_link(
      tx, auth,
      {invitation.tenant_id, *invitation.email, fmt::format("Invitation to {}", shop),
       fmt::format("You have been invited to help run the shop {}.\n\nOpen this link to choose a username and a "
                   "password:\n\n{}\n\nIt works once, until {}. If you did not expect this invitation, you can ignore "
                   "this email.\n",
                   shop, link, to_string(invitation.expires_at))},
      now);
}

Task<Reply> post_invitation(Call& call, Auth& auth) {
  require_local_sign_in(auth);
  Invitation invitation;
  api::judged_body<NewInvitation>(
      call, [&](const NewInvitation& input) { invitation = invitation_from(input, call, auth.home_tenant); });
  const std::string secret = make_secret();
  invitation.secret_hash.value = hash_of_secret(secret);
  const std::string link =
      fmt::format("{}/console/invitation#{}", auth.public_base_url, invitation_text(invitation, secret));
  bool mailed = false;
  if (invitation.email) mailed = co_await may_mail_link(auth, call.tenant);
  const Reply stored = co_await api::write_once(call, auth.db, [&](Tx& tx) {
    require_room(tx, call);
    invitation.user_tenant_id.value = user_of_caller(tx, call, auth.home_tenant).tenant_id;
    require_may_offer(tx, invitation, auth.home_tenant);
    insert_invitation(tx, invitation);
    if (mailed) mail_invitation(tx, auth, invitation, link, call.now);
    action_of(call, tx).audit_created({"invitation", invitation.id.text()}, invitation);
    return created(invitation, mailed, std::nullopt);
  });
  co_return api::is_replayed(stored) ? stored : created(invitation, mailed, link);
}

Task<Reply> list_invitations(Call& call, Auth& auth) {
  return api::list_page(call, auth.db, invitations_after);
}

// As with API tokens, the invitation of somebody else can be revoked only by a caller who holds all of its keys.
Task<Reply> revoke_invitation(Call& call, Auth& auth) {
  co_return co_await api::write_once(call, auth.db, [&](Tx& tx) {
    const auto invitation = tx.one(invitation_by_id(call.tenant, InvitationId(call.param(0))));
    if (!invitation) throw not_found("Invitation");
    for (const std::string& key : keys_beyond(tx, *call.caller, invitation->keys)) {
      if (invitation->user_id == call.user() || (is_custom_key(key) && call.caller->may(tenant_admin))) continue;
      throw forbidden("PERMISSION_DENIED", fmt::format("The invitation offers {}, which you do not hold.", key));
    }
    if (!delete_invitation(tx, *invitation)) throw not_found("Invitation");
    action_of(call, tx).audit_deleted({"invitation", invitation->id.text()}, *invitation);
    return api::no_content();
  });
}

Task<Reply> show_invitation(Call& call, Auth& auth) {
  if (!auth.local_enabled) throw not_found("Invitation");
  const OpenInvitation open =
      co_await auth.db.read([&](Tx& tx) { return open_invitation(tx, call.param(0), auth.home_tenant, call.now); });
  co_return api::json_reply(200, ShownInvitation{.tenant_id = open.tenant.tenant_id,
                                                 .shop_name = open.tenant.name,
                                                 .name = open.invitation.name,
                                                 .email = open.invitation.email,
                                                 .keys = open.invitation.keys,
                                                 .expires_at = open.invitation.expires_at})
      .with("Cache-Control", "no-store");
}

User invited_user(const OpenInvitation& open, const Acceptance& input, const std::string& hash, Instant now) {
  const Invitation& invitation = open.invitation;
  NewUser fresh;
  fresh.username = input.username;
  fresh.display_name.value =
      input.display_name ? input.display_name->value : invitation.name.value_or(input.username.value);
  User user = user_from(fresh, open.tenant.tenant_id, now);
  user.email = invitation.email;
  user.password_hash.value = hash;
  // The inviter has seen the link, too. That of the first owner was seen only by who operates the machine.
  user.password_set_by.value = open.inviter ? password_setter(*open.inviter, user) : user.id.text();
  return user;
}

// Creates the user with the offered grants. Deleting the row decides which of several acceptances succeeds.
Session accept_in(Tx& tx, const Call& call, const Auth& auth, const Acceptance& input, const std::string& hash) {
  const TenantId tenant = open_invitation(tx, call.param(0), auth.home_tenant, call.now).tenant.tenant_id;
  lock_grants(tx, tenant);  // the inviter's grants do not change from here on
  const OpenInvitation open = open_invitation(tx, call.param(0), auth.home_tenant, call.now);
  if (!delete_invitation(tx, open.invitation)) throw not_found("Invitation");
  const User user = invited_user(open, input, hash, call.now);
  if (user.username_key.value == folded(auth.admin_username) || !insert_user(tx, user)) throw username_taken();
  for (const std::string& key : open.invitation.keys) {
    require_room_for_holder(tx, tenant, key);
    add_grant(tx, tenant, user.id, key, call.now);
  }
  const AuditContext context{tx, tenant, {ActorKind::USER, user.id.text(), call.request.request_id}, call.now};
  const UserGrants none{user.id, {}}, granted{user.id, open.invitation.keys};
  context.audit({"invitation", open.invitation.id.text()}, "accepted");
  context.audit_created({"user", user.id.text()}, user);
  context.audit_change({"grants", user.id.text()}, &none, &granted);
  return session_for(tx, user, tenant, auth.home_tenant, local_provider);
}

// The link is checked before the password is hashed, so that a wrong link costs little.
Task<Reply> accept(Call& call, Auth& auth) {
  if (!auth.local_enabled) throw not_found("Invitation");
  const auto input = call.body<Acceptance>();
  co_await auth.db.read([&](Tx& tx) { return open_invitation(tx, call.param(0), auth.home_tenant, call.now); });
  const std::string hash =
      co_await auth.workers.run([&] { return hash_password(input.password.value); }, call.source());
  Session session = co_await auth.db.write([&](Tx& tx) { return accept_in(tx, call, auth, input, hash); });
  co_return co_await signed_in(call, auth, session);
}

// Whether the installation waits for its first owner.
struct SetupState {
  bool owner_missing = false;
  bool passwords = false;  // people can sign in with a password, which the first owner needs
};
BOOST_DESCRIBE_STRUCT(SetupState, (), (owner_missing, passwords))

Task<Reply> setup_state(Call&, Auth& auth) {
  SetupState state{.owner_missing = false, .passwords = auth.local_enabled};
  if (!auth.admin_configured) {
    state.owner_missing = co_await auth.db.read([&](Tx& tx) { return has_no_grants(tx, auth.home_tenant); });
  }
  co_return api::json_reply(200, state).with("Cache-Control", "no-store");
}

}  // namespace

std::vector<api::Route> invitation_routes(Auth& auth) {
  constexpr std::string_view all = "/api/admin/invitations", link = "/auth/invitations/:token";
  return {
      route(Method::get, all, Access::admin, "The invitations that were not accepted yet, newest first",
            list_invitations, auth)
          .takes_query<api::ListQuery>()
          .gives<api::Page<Invitation>>(200, "A page of invitations, without their links."),
      route(Method::post, all, Access::admin, "Invite a person to become a user of the shop", post_invitation, auth)
          .by_person()
          .takes<NewInvitation>()
          .gives<CreatedInvitation>(201, "The invitation; its link is shown only in this reply."),
      route(Method::del, "/api/admin/invitations/:id", Access::admin, "Revoke an invitation", revoke_invitation, auth)
          .by_person()
          .gives(204, "Revoked; the link does not work any more."),
      route(Method::get, link, Access::open, "What an invitation offers", show_invitation, auth)
          .limited(one_time_link_limit(auth))
          .gives<ShownInvitation>(200, "The offer."),
      route(Method::post, link, Access::optional, "Accept an invitation: become a user and sign in", accept, auth)
          .limited(one_time_link_limit(auth))
          .takes<Acceptance>()
          .gives<SessionReply<SessionUser>>(200, "Signed in as the new user; sets the session cookie."),
      route(Method::get, "/auth/setup", Access::open, "Whether the installation waits for its first owner", setup_state,
            auth)
          .limited(one_time_link_limit(auth))
          .gives<SetupState>(200, "The state."),
  };
}

}  // namespace guildhall
