#include "api/resource.h"
#include "features/action.h"
#include "features/delivery/activation_store.h"
#include "features/delivery/delivered.h"
#include "features/delivery/delivery_actions.h"
#include "features/delivery/routes.h"
#include "features/entitlements/entitlement_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct ActivationPage {
  std::vector<Activation> items;
};
BOOST_DESCRIBE_STRUCT(ActivationPage, (), (items))

DeliveryKeyId key_in_path(const Call& call) {
  return DeliveryKeyId(call.param(0));
}

Task<Reply> list_keys(Call& call, Database& db) {
  return api::list_records<DeliveryKeyQuery, DeliveryKey>(call, db, delivery_key_listing());
}

Task<Reply> get_key(Call& call, Database& db) {
  return api::find_one(db, delivery_key_by_id(call.tenant, key_in_path(call)), "Key");
}

Task<Reply> del_key(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_key(action_of(call, tx, events), key_in_path(call), precondition);
  });
}

Task<Reply> list_activations(Call& call, Database& db) {
  ActivationPage page;
  co_await db.read([&](Tx& tx) {
    if (!tx.one(delivery_key_by_id(call.tenant, key_in_path(call)))) throw not_found("Key");
    page.items = tx.all(activations_of(call.tenant, key_in_path(call)));
    return true;
  });
  co_return api::json_reply(200, page);
}

Task<Reply> del_activation(Call& call, Database& db) {
  co_await db.write([&](Tx& tx) {
    const auto found = tx.one(activation_by_id(call.tenant, ActivationId(call.param(1))));
    if (!found || found->key_id != key_in_path(call)) throw not_found("Activation");
    erase_activation(tx, *found);
    action_of(call, tx).audit_change<Activation>({"activation", found->id.text()}, &*found, nullptr);
  });
  co_return api::no_content();
}

Task<Reply> post_replacement(Call& call, Database& db, const Events& events, const std::optional<SecretBox>& secrets) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    replace_key(action_of(call, tx, events), required_secrets(secrets), key_in_path(call));
    return api::no_content();
  });
}

EntitlementId entitlement_in_path(const Call& call) {
  return EntitlementId(call.param(0));
}

Task<Reply> show_delivered(Call& call, Database& db, const std::optional<SecretBox>& secrets) {
  DeliveredItem shown;
  co_await db.write([&](Tx& tx) {
    const auto item = tx.one(entitlement_by_id(call.tenant, entitlement_in_path(call)));
    if (!item) throw not_found("Entitlement");
    shown = delivered_item(tx, secrets, *item, call.now);
    action_of(call, tx).audit({"entitlement", item->id.text()}, "delivery shown");
  });
  co_return api::json_reply(200, shown);
}

Task<Reply> post_again(Call& call, Database& db, const Events& events) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    send_again(action_of(call, tx, events), entitlement_in_path(call));
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> delivery_key_routes(Database& db, const Events& events,
                                            const std::optional<SecretBox>& secrets) {
  constexpr std::string_view all = "/api/data/delivery-key", one = "/api/data/delivery-key/:id";
  return {
      route(Method::get, all, Access::data_read, "A page of keys", list_keys, db)
          .takes_query<DeliveryKeyQuery>()
          .gives<api::ListPage<DeliveryKey>>(200, "Newest first, without the keys themselves."),
      route(Method::get, one, Access::data_read, "One key", get_key, db)
          .gives<DeliveryKey>(200, "Who has it, without the key itself."),
      route(Method::del, one, Access::data_write, "Remove a free key from its pool", del_key, db, events)
          .gives(204, "It is not sold."),
      route(Method::get, std::string(one) + "/activation", Access::data_read, "The computers that use a key",
            list_activations, db)
          .gives<ActivationPage>(200, "The oldest first."),
      route(Method::del, std::string(one) + "/activation/:activationId", Access::data_write,
            "Stop the use of a key on a computer", del_activation, db)
          .gives(204, "The key can be used on another one."),
      route(Method::post, std::string(one) + "/replace", Access::data_write, "Give a buyer another key",
            post_replacement, db, events, secrets)
          .gives(204, "The former key is revoked, and the buyer is informed."),
      route(Method::get, "/api/data/entitlement/:id/delivery", Access::data_write, "What the buyer of an item sees",
            show_delivered, db, secrets)
          .gives<DeliveredItem>(200, "With its keys, links and texts. The audit trail says who looked."),
      route(Method::post, "/api/data/entitlement/:id/delivery/send", Access::data_write,
            "Send an item to its buyer again", post_again, db, events)
          .gives(204, "The buyer gets the message once more."),
  };
}

}  // namespace guildhall
