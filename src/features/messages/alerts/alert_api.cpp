#include "api/resource.h"
#include "base/encoding.h"
#include "features/identity/user_actions.h"
#include "features/messages/alerts/alert_store.h"
#include "features/messages/alerts/push_store.h"
#include "features/messages/routes.h"

namespace guildhall {

struct ShownAlerts {
  std::optional<std::string> locale;
  bool direct_available = false;  // the installation has a bot, and the person a chat account
  bool email_available = false;   // the installation has a mail server, and the person an address
  std::optional<std::string> email;
  std::optional<std::string> push_key;  // null: the installation has no web push
  std::vector<PushSubscription> subscriptions;
  std::vector<AlertSwitch> kinds;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(ShownAlerts, (),
                      (locale, direct_available, email_available, email, push_key, subscriptions, kinds, version))

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

AlertSettings own_settings(Tx& tx, const Call& call, const User& user) {
  auto found = tx.one(alert_settings_of(call.tenant, {user.tenant_id, user.id}));
  if (found) return std::move(*found);
  AlertSettings unset;
  unset.tenant_id = call.tenant;
  unset.user_tenant_id.value = user.tenant_id;
  unset.user_id = user.id;
  apply(AlertSettingsPatch{}, unset);
  return unset;
}

ShownAlerts shown_alerts(Tx& tx, const User& user, const AlertSettings& settings, const Messages& messages) {
  const MessageMedia& media = messages.media;
  const auto& key = messages.push.key;
  return {.locale = settings.locale,
          .direct_available = media.has_direct() && user.chat_id,
          .email_available = media.has_email() && user.email,
          .email = user.email,
          .push_key = key ? std::optional(base64url(key->public_bytes)) : std::nullopt,
          .subscriptions = tx.all(push_subscriptions_of(settings.tenant_id, {user.tenant_id, user.id})),
          .kinds = settings.kinds,
          .version = settings.version};
}

Task<Reply> find_alerts(Call& call, Database& db, const Messages& messages) {
  co_return api::record_reply(200, co_await db.read([&](Tx& tx) {
    const User user = user_of_caller(tx, call, messages.installation.default_tenant);
    return shown_alerts(tx, user, own_settings(tx, call, user), messages);
  }));
}

Task<Reply> put_alerts(Call& call, Database& db, const Messages& messages) {
  const auto patch = call.body<AlertSettingsPatch>();
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    const User user = user_of_caller(tx, call, messages.installation.default_tenant);
    const AlertSettings before = own_settings(tx, call, user);
    call.require_match(before.version);
    AlertSettings after = before;
    apply(patch, after);
    if (!needs_write(before, after)) return shown_alerts(tx, user, before, messages);
    if (before.version == 0 && std::ssize(tx.all(alert_settings_in(call.tenant))) >= alerted_people_max) {
      throw bad_request("TOO_MANY_ALERTED", fmt::format("At most {} people of a shop get alerts.", alerted_people_max));
    }
    after.updated_at = call.now;
    put_alert_settings(tx, after);
    tx.after_commit([receivers = messages.media.alerts, tenant = call.tenant] { receivers->forget(tenant); });
    return shown_alerts(tx, user, after, messages);
  });
}

}  // namespace

std::vector<api::Route> alert_routes(Database& db, const Messages& messages) {
  constexpr std::string_view path = "/api/admin/alerts";
  return {
      route(Method::get, path, Access::data_read, "Your alerts", find_alerts, db, messages)
          .gives<ShownAlerts>(200, "Your alerts in this shop, and their media."),
      route(Method::put, path, Access::data_read, "Choose your alerts", put_alerts, db, messages)
          .by_person()
          .takes<AlertSettingsPatch>()
          .gives<ShownAlerts>(200, "Your alerts in this shop, and their media."),
  };
}

}  // namespace guildhall
