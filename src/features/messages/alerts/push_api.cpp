#include "api/resource.h"
#include "features/identity/user_actions.h"
#include "features/messages/alerts/push_store.h"
#include "features/messages/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

AlertedPerson person_of_caller(Tx& tx, const Call& call, const Messages& messages) {
  const User user = user_of_caller(tx, call, messages.installation.default_tenant);
  return {user.tenant_id, user.id};
}

Task<Reply> post_subscription(Call& call, Database& db, const Messages& messages) {
  PushSubscription subscription;
  api::judged_body<NewPushSubscription>(call, [&](const NewPushSubscription& input) {
    subscription = subscription_from(input, call.tenant, {}, messages.push.targets, call.now);
  });
  if (!messages.push.key) throw bad_request("NO_WEB_PUSH", "This installation has no key for web push.");
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const AlertedPerson person = person_of_caller(tx, call, messages);
    subscription.user_tenant_id.value = person.user_tenant;
    subscription.user_id.value = person.user;
    put_push_subscription(tx, subscription);
    const auto others = tx.all(push_subscriptions_of(call.tenant, person, push_subscriptions_max + 1));
    if (std::ssize(others) > push_subscriptions_max) delete_push_subscription(tx, call.tenant, others.front().id);
    return api::json_reply(201, subscription);
  });
}

Task<Reply> erase_subscription(Call& call, Database& db, const Messages& messages) {
  const PushSubscriptionId id(call.param(0));
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const AlertedPerson person = person_of_caller(tx, call, messages);
    const auto found = tx.one(push_subscription_by_id(call.tenant, id));
    if (!found || found->person() != person) throw not_found("Subscription");
    delete_push_subscription(tx, call.tenant, id);
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> push_routes(Database& db, const Messages& messages) {
  return {
      route(Method::post, "/api/admin/alerts/subscriptions", Access::data_read, "Show your alerts in a browser",
            post_subscription, db, messages)
          .by_person()
          .takes<NewPushSubscription>()
          .gives<PushSubscription>(201, "The subscription."),
      route(Method::del, "/api/admin/alerts/subscriptions/:id", Access::data_read,
            "Show your alerts in a browser no longer", erase_subscription, db, messages)
          .by_person()
          .gives(204, "Removed."),
  };
}

}  // namespace guildhall
