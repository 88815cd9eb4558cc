#include "base/text.h"
#include "features/media/branding.h"
#include "features/messages/message_store.h"
#include "features/messages/routes.h"
#include "features/payments/invoices/invoice_page.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct Subscription {
  std::string shop;
  std::string accent_color;
  bool unsubscribed = false;
};

// Nothing if the shop does not exist any more.
std::optional<Subscription> read_subscription(Tx& tx, const UnsubscribeLinks::Receiver& receiver) {
  const auto shop = tx.one(tenant_by_id(receiver.tenant));
  if (!shop) return std::nullopt;
  const auto branding = tx.one(branding_of(receiver.tenant));
  const auto known = tx.one(message_receiver_by_id(receiver.tenant, receiver.id));
  return Subscription{.shop = shop->name,
                      .accent_color = branding ? branding->accent_color.value_or("") : "",
                      .unsubscribed = known && known->unsubscribed_at};
}

Reply invalid_link() {
  return buyer_page(
      404, "This link does not work",
      "<main>\n<h1>This link does not work</h1>\n<p>Please use the link in a more recent message, or contact "
      "the shop.</p>\n</main>\n",
      "");
}

Reply page_of(const Subscription& subscription, const std::string& token) {
  const std::string shop = html_escaped(subscription.shop);
  const std::string state =
      subscription.unsubscribed
          ? fmt::format(
                "<h1>You have unsubscribed</h1></header>\n<main>\n<p>{} will no longer remind you when your "
                "membership is about to end. You still get messages about your orders.</p>\n",
                shop)
          : fmt::format(
                "<h1>Reminders</h1></header>\n<main>\n<p>{} reminds you when your membership is about to end. "
                "You can unsubscribe here. You still get messages about your orders.</p>\n",
                shop);
  const std::string button = fmt::format(
      "<form method=\"post\" action=\"/messages/unsubscribe/{}{}\"><button type=\"submit\">{}</button></form>\n"
      "</main>\n<footer></footer>\n",
      html_escaped(token), subscription.unsubscribed ? "/undo" : "",
      subscription.unsubscribed ? "Subscribe again" : "Unsubscribe");
  return buyer_page(200, fmt::format("Reminders – {}", subscription.shop),
                    fmt::format("<header><p class=\"shop\">{}</p>{}{}", shop, state, button),
                    subscription.accent_color);
}

Task<Reply> show(Call& call, Database& db, const UnsubscribeLinks& links) {
  const auto receiver = links.verify(call.param(0));
  if (!receiver) co_return invalid_link();
  const auto found = co_await db.read([&](Tx& tx) { return read_subscription(tx, *receiver); });
  co_return found ? page_of(*found, call.param(0)) : invalid_link();
}

Task<Reply> change(Call& call, Database& db, const UnsubscribeLinks& links, bool unsubscribed) {
  const auto receiver = links.verify(call.param(0));
  if (!receiver) co_return invalid_link();
  const auto found = co_await db.write([&](Tx& tx) {
    auto subscription = read_subscription(tx, *receiver);
    if (subscription && subscription->unsubscribed != unsubscribed) {
      set_unsubscribed(tx, receiver->tenant, receiver->id, unsubscribed, call.now);
      subscription->unsubscribed = unsubscribed;
    }
    return subscription;
  });
  co_return found ? page_of(*found, call.param(0)) : invalid_link();
}

// Mail programs call it without showing the page (RFC 8058).
Task<Reply> unsubscribe(Call& call, Database& db, const UnsubscribeLinks& links) {
  return change(call, db, links, true);
}

Task<Reply> undo(Call& call, Database& db, const UnsubscribeLinks& links) {
  return change(call, db, links, false);
}

}  // namespace

std::vector<api::Route> unsubscribe_routes(Database& db, const Messages& messages) {
  constexpr std::string_view path = "/messages/unsubscribe/:token";
  constexpr api::AddressLimit limit{.endpoint = "unsubscribe_link", .per_minute = 300, .local_without_cache = true};
  constexpr std::string_view not_good = "The one page for every link that is not good (HTML).";
  return {
      route(Method::get, path, Access::open, "The page for unsubscribing", show, db, messages.links)
          .limited(limit)
          .gives(200, "The page (HTML).")
          .gives(404, not_good),
      route(Method::post, path, Access::open, "Unsubscribe from reminders", unsubscribe, db, messages.links)
          .limited(limit)
          .takes_form()
          .gives(200, "The receiver is unsubscribed (HTML).")
          .gives(404, not_good),
      route(Method::post, "/messages/unsubscribe/:token/undo", Access::open, "Subscribe to reminders again", undo, db,
            messages.links)
          .limited(limit)
          .takes_form()
          .gives(200, "The receiver is subscribed (HTML).")
          .gives(404, not_good),
  };
}

}  // namespace guildhall
