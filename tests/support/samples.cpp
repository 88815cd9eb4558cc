#include "support/samples.h"

#include <fmt/format.h>
#include <stdexcept>

#include "base/ids.h"
#include "base/url.h"
#include "features/payments/payment_store.h"
#include "features/tenancy/guild_binding.h"
#include "features/webhooks/endpoint_store.h"
#include "outbox/outbox.h"
#include "support/eventually.h"

namespace guildhall::test {
namespace {

HttpReply posted(const SampleMaking& making, const std::string& path, const std::string& json) {
  HttpReply reply = making.admin.post(path, json);
  if (reply.status != 200 && reply.status != 201) {
    throw std::runtime_error(fmt::format("no sample from POST {}: {} {}", path, reply.status, reply.body));
  }
  return reply;
}

// Sends a POST and returns the id of the new record.
std::string made(const SampleMaking& making, const std::string& path, const std::string& json) {
  return posted(making, path, json).text("/id");
}

std::string unique() {
  return make_uuid(now());
}

std::string customer(const SampleMaking& making) {
  return made(making, "/api/data/customer",
              fmt::format(R"({{"chatId":"{0}","chatUsername":"{1}","chatDisplayName":"{1}","email":"a@example.com"}})",
                          unique(), making.mark));
}

std::vector<std::string> customer_address(const SampleMaking& making) {
  const std::string id = customer(making), address = unique();
  const HttpReply reply = making.admin.post(
      "/api/data/customer/" + id + "/address",
      fmt::format(
          R"({{"addressId":"{}","name":"{}","line1":"1","city":"c","state":"s","postalCode":"p","country":"GB"}})",
          address, making.mark));
  if (reply.status != 200) throw std::runtime_error("no sample address: " + reply.body);
  return {id, address};
}

std::string user(const SampleMaking& making) {
  return made(making, "/api/data/user",
              fmt::format(R"({{"username":"user-{}","displayName":"{}"}})", unique(), making.mark));
}

std::string webhook_event(const SampleMaking& making) {
  return made(making, "/api/data/webhook-event",
              fmt::format(R"({{"provider":"CHAT","eventId":"{}","payload":{{"text":"{}"}}}})", unique(), making.mark));
}

std::string product(const SampleMaking& making) {
  return made(making, "/api/data/product",
              fmt::format(R"({{"name":"{}","sku":"{}","priceCents":100,"stockQuantity":5}})", making.mark, unique()));
}

std::string discount(const SampleMaking& making) {
  return made(making, "/api/data/discount",
              fmt::format(R"({{"code":"{}-{}","type":"PERCENT","percent":10}})", making.mark, unique()));
}

std::string order(const SampleMaking& making) {
  return made(
      making, "/api/data/order",
      fmt::format(
          R"({{"orderNumber":"{}","items":[{{"productId":"p","name":"{}","sku":"s","quantity":1,"unitPriceCents":100}}],)"
          R"("customer":{{"name":"{}"}}}})",
          unique(), making.mark, making.mark));
}

// The endpoint is disabled, so that nothing is sent. A tenant may have only a few endpoints, so the oldest are deleted.
std::string webhook_endpoint(const SampleMaking& making) {
  const std::string path = "/api/admin/webhook-endpoints";
  const HttpReply present = making.admin.get(path);
  for (std::size_t i = 5; i < present.size("/items"); ++i) {
    making.admin.del(path + "/" + present.text(fmt::format("/items/{}/id", i)));
  }
  return made(making, path,
              fmt::format(R"({{"url":"https://example.com/hook","description":"{}","enabled":false}})", making.mark));
}

std::string api_token(const SampleMaking& making) {
  const std::string path = "/api/admin/tokens";
  const HttpReply present = making.admin.get(path);
  for (std::size_t i = 5; i < present.size("/items"); ++i) {
    making.admin.del(path + "/" + present.text(fmt::format("/items/{}/id", i)));
  }
  return made(making, path, fmt::format(R"({{"name":"{}","keys":["data.read"]}})", making.mark));
}

std::string invitation(const SampleMaking& making) {
  const std::string path = "/api/admin/invitations";
  const HttpReply present = making.admin.get(path);
  for (std::size_t i = 5; i < present.size("/items"); ++i) {
    making.admin.del(path + "/" + present.text(fmt::format("/items/{}/id", i)));
  }
  return made(making, path, fmt::format(R"({{"name":"{}","keys":["data.read"]}})", making.mark));
}

std::vector<std::string> role(const SampleMaking& making) {
  const std::string path = "/api/admin/roles", name = "role-" + unique();
  const HttpReply present = making.admin.get(path);
  for (std::size_t i = 5; i < present.size("/items"); ++i) {
    making.admin.del(path + "/" + present.text(fmt::format("/items/{}/name", i)));
  }
  const HttpReply reply = making.admin.post(
      path, fmt::format(R"({{"name":"{}","description":"{}","keys":["data.read"]}})", name, making.mark));
  if (reply.status != 201) throw std::runtime_error("no sample role: " + reply.body);
  return {name};
}

// Of the person who makes the samples.
std::string push_subscription(const SampleMaking& making) {
  return made(making, "/api/admin/alerts/subscriptions",
              fmt::format(R"({{"endpoint":"https://push.example.com/{}/{}","keys":{{"p256dh":"{}","auth":"{}"}}}})",
                          making.mark, unique(),
                          "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                          "BTBZMqHH6r4Tts7J_aSIgg"));
}

std::vector<std::string> webhook_delivery(const SampleMaking& making) {
  const WebhookDelivery delivery{.id = WebhookDeliveryId::make(now()),
                                 .tenant_id = TenantId(making.tenant),
                                 .endpoint_id = WebhookEndpointId(webhook_endpoint(making)),
                                 .message_id = unique(),
                                 .event = "order.created",
                                 .status_code = {},
                                 .error = making.mark,
                                 .payload = {},
                                 .created_at = now()};
  making.server.write([&](Tx& tx) { insert_delivery(tx, delivery); });
  return {delivery.endpoint_id.text(), delivery.id.text()};
}

std::string shipment(const SampleMaking& making) {
  return made(making, "/api/data/shipment", fmt::format(R"({{"orderId":"{}","service":"{}"}})", unique(), making.mark));
}

// A digital product, because the server does no further work for it.
std::string membership_product(const SampleMaking& making) {
  return made(making, "/api/data/product",
              fmt::format(R"({{"name":"{}","sku":"{}","priceCents":100,"isDigital":true,"inventoryTracked":false,)"
                          R"("membership":{{"periodMonths":1}}}})",
                          making.mark, unique()));
}

std::string membership(const SampleMaking& making) {
  const std::string member = fmt::format("{}-{}", making.mark, unique());
  made(making, "/api/data/order",
       fmt::format(R"({{"orderNumber":"{}","status":"PAID","items":[{{"productId":"{}","quantity":1}}],)"
                   R"("customer":{{"name":"Ada","chatId":"{}"}}}})",
                   unique(), membership_product(making), member));
  return making.admin.get("/api/admin/memberships?chatUserId=" + member).text("/items/0/id");
}

std::string membership_code(const SampleMaking& making) {
  posted(making, "/api/admin/codes",
         fmt::format(R"({{"productId":"{}","count":1,"note":"{}"}})", membership_product(making), making.mark));
  return making.admin.get("/api/admin/codes?limit=1").text("/items/0/id");
}

// A digital item, because the server does no further work for it.
std::string entitlement(const SampleMaking& making) {
  return made(
      making, "/api/data/entitlement",
      fmt::format(R"({{"userId":"u","orderId":"{}","productId":"p","type":"DIGITAL_ITEM","metadata":{{"x":"{}"}}}})",
                  unique(), making.mark));
}

// A product with a pool of two keys.
std::vector<std::string> deliverable(const SampleMaking& making) {
  const std::string product_id = product(making), path = fmt::format("/api/data/product/{}/deliverable", product_id);
  const std::string id = made(making, path, fmt::format(R"({{"kind":"KEY_POOL","name":"{}"}})", making.mark));
  posted(making, fmt::format("{}/{}/key", path, id), fmt::format(R"({{"keys":["{}","{}"]}})", unique(), unique()));
  return {product_id, id};
}

// The key of a buyer.
std::string delivery_key(const SampleMaking& making) {
  const std::vector<std::string> pool = deliverable(making);
  const std::string order_id =
      made(making, "/api/data/order",
           fmt::format(R"({{"orderNumber":"{}","status":"PAID","items":[{{"productId":"{}","quantity":1}}],)"
                       R"("customer":{{"name":"{}"}}}})",
                       unique(), pool[0], making.mark));
  // The server completes an order that has nothing to ship; nothing of a sample may change later.
  eventually([&] { return making.admin.get("/api/data/order/" + order_id).text("/status") == "COMPLETE"; });
  return making.admin.get(fmt::format("/api/data/delivery-key?deliverableId={}&status=ASSIGNED", pool[1]))
      .text("/items/0/id");
}

std::vector<std::string> activation(const SampleMaking& making) {
  const std::string id = delivery_key(making);
  const std::string item = making.admin.get("/api/data/delivery-key/" + id).text("/entitlementId");
  const std::string key =
      making.admin.get(fmt::format("/api/data/entitlement/{}/delivery", item)).text("/parts/0/values/0");
  posted(making, "/api/licences/activate",
         fmt::format(R"({{"tenantId":"{}","key":"{}","fingerprint":"{}","name":"{}"}})", making.tenant, key, unique(),
                     making.mark));
  return {id, making.admin.get(fmt::format("/api/data/delivery-key/{}/activation", id)).text("/items/0/id")};
}

// The payment needs attention, so that there is something to resolve.
std::vector<std::string> payment(const SampleMaking& making) {
  const Payment payment{.id = PaymentId::make(now()),
                        .tenant_id = {TenantId(making.tenant)},
                        .order_id = OrderId(unique()),
                        .provider = manual_provider,
                        .provider_payment_id = fmt::format("{}-{}", making.mark, unique()),
                        .status = PaymentStatus::PAID,
                        .currency = "USD",
                        .expected_currency = "USD",
                        .attention = Attention::UNKNOWN_ORDER,
                        .created_at = now(),
                        .updated_at = now(),
                        .version = {1}};
  making.server.write([&](Tx& tx) { insert_payment(tx, payment); });
  return {payment.id.text()};
}

// The message is due in a year, so that it is not delivered during the test.
std::vector<std::string> outbox_message(const SampleMaking& making) {
  std::string id;
  const Instant due = now() + std::chrono::days(365);
  making.server.write([&](Tx& tx) {
    id = outbox::append(tx,
                        {.tenant = TenantId(making.tenant),
                         .topic = "chat.message",
                         .payload = fmt::format(R"({{"text":"{}"}})", making.mark),
                         .due = due},
                        now());
  });
  return {id};
}

std::string guild(const SampleMaking& making) {
  const std::string id = unique();
  making.server.write([&](Tx& tx) { bind_guild(tx, TenantId(making.tenant), id, now()); });
  return id;
}

// The tenant has an order, so that it cannot be deleted, not even by a caller who may delete tenants.
std::vector<std::string> own_tenant(const SampleMaking& making) {
  order(making);
  return {making.tenant};
}

// The id of the tenant, for public pages that a tenant does not have until it enables them.
std::vector<std::string> own_public_page(const SampleMaking& making) {
  return {making.tenant};
}

std::vector<std::string> own_session(const SampleMaking& making) {
  return {making.admin.get("/auth/sessions").text("/items/0/id")};
}

MakeSample one(std::string (*make)(const SampleMaking&)) {
  return [make](const SampleMaking& making) { return std::vector{make(making)}; };
}

// A name that is part of the API and not of a tenant's data.
MakeSample always(const std::string& name) {
  return [name](const SampleMaking&) { return std::vector{name}; };
}

// Invoice links and webhooks are authenticated by their signature, so there is no foreign id to try. Tests of their own
// cover them; here they must only refuse.
std::vector<std::string> bad_invoice_link(const SampleMaking&) {
  return {"no-link", "WALLET"};
}

std::vector<std::string> console_record(const SampleMaking&) {
  return {"orders", "any"};
}

std::vector<std::string> console_part(const SampleMaking&) {
  return {"products", "any", "keys", "any"};
}

std::vector<std::string> docs_page(const SampleMaking&) {
  return {"guides", "orders"};
}

std::vector<std::string> unknown_payment_provider(const SampleMaking& making) {
  return {"nobody", making.tenant};
}

}  // namespace

const std::map<std::string, MakeSample>& samples() {
  static const std::map<std::string, MakeSample> table{
      {"/auth/:provider", always("local")},
      {"/auth/sessions/:id", own_session},
      {"/auth/invitations/:token", always("no-link")},
      {"/auth/password-reset/:token", always("no-link")},
      {"/api/admin/auth-providers/:provider", always("chat")},
      {"/api/admin/grants/:userId", one(user)},
      {"/api/admin/guilds/:guildId", one(guild)},
      {"/api/admin/outbox/:id", outbox_message},
      {"/api/admin/payment-methods/:method", always("WALLET")},
      {"/api/admin/payments/:id", payment},
      {"/api/admin/webhook-endpoints/:id", one(webhook_endpoint)},
      {"/api/admin/alerts/subscriptions/:id", one(push_subscription)},
      {"/api/admin/tokens/:id", one(api_token)},
      {"/api/admin/invitations/:id", one(invitation)},
      {"/api/admin/roles/:name", role},
      {"/api/admin/webhook-endpoints/:id/deliveries/:deliveryId", webhook_delivery},
      {"/api/community-fund/:tenantId", own_public_page},
      {"/api/data/customer/:id", one(customer)},
      {"/api/data/customer/:id/address/:addressId", customer_address},
      {"/api/data/discount/:id", one(discount)},
      {"/api/admin/codes/:id", one(membership_code)},
      {"/api/admin/memberships/:id", one(membership)},
      {"/api/data/delivery-key/:id", one(delivery_key)},
      {"/api/data/delivery-key/:id/activation/:activationId", activation},
      {"/api/data/entitlement/:id", one(entitlement)},
      {"/api/data/order/:id", one(order)},
      {"/api/data/product/:id", one(product)},
      {"/api/data/product/:id/deliverable/:deliverableId", deliverable},
      {"/api/licences/public-key/:tenantId", own_public_page},
      {"/api/data/shipment/:id", one(shipment)},
      {"/api/data/tenant/:id", own_tenant},
      {"/api/data/user/:id", one(user)},
      {"/api/data/webhook-event/:id", one(webhook_event)},
      {"/api/orders/:id", one(order)},
      {"/api/payments/:provider/webhook/:tenantId", unknown_payment_provider},
      {"/media/:name", always("no-such-picture.webp")},
      {"/console/:page", always("orders")},
      {"/docs/:section", always("guides")},
      {"/docs/:section/:page", docs_page},
      {"/docs/assets/:name", always("no-such-file.js")},
      {"/console/:page/:id", console_record},
      {"/console/:page/:id/:part/:partId", console_part},
      {"/console/assets/:name", always("no-such-file.js")},
      {"/messages/unsubscribe/:token", always("no-link")},
      {"/orders/receipt/:token", always("no-link")},
      {"/orders/invoice/:token", always("no-link")},
      {"/orders/invoice/:token/pay/:method", bad_invoice_link},
  };
  return table;
}

std::string sample_key(std::string_view route_path) {
  const std::size_t last = route_path.rfind("/:");
  if (last == std::string_view::npos) return "";
  return std::string(route_path.substr(0, route_path.find('/', last + 1)));
}

std::string filled(std::string_view route_path, const std::vector<std::string>& params) {
  std::string path;
  std::size_t used = 0;
  while (!route_path.empty()) {
    route_path.remove_prefix(1);
    const std::string_view segment = route_path.substr(0, route_path.find('/'));
    route_path.remove_prefix(segment.size());
    path += '/';
    path += segment.starts_with(':') ? url_encode(params.at(used++)) : std::string(segment);
  }
  return path;
}

bool platform_admin_reaches_everywhere(std::string_view route_path) {
  return route_path.starts_with("/api/data/tenant/") || route_path.starts_with("/api/admin/grants/") ||
         route_path.starts_with("/api/admin/guilds/");
}

}  // namespace guildhall::test
