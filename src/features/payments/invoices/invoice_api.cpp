#include "api/idempotency.h"
#include "base/log.h"
#include "features/action.h"
#include "features/catalog/product_store.h"
#include "features/media/branding.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"
#include "features/payments/invoices/invoice_page.h"
#include "features/payments/payment_store.h"
#include "features/payments/routes.h"
#include "features/tenancy/shop_defaults.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t seconds_max = 31'536'000;

struct NewInvoiceLink {
  Default<Bounded<1, seconds_max>> expires_in_seconds{{std::chrono::seconds(invoice_link_lives).count()}};
};
BOOST_DESCRIBE_STRUCT(NewInvoiceLink, (), (expires_in_seconds))

Order read_order(Tx& tx, const Call& call) {
  auto order = tx.one(order_by_id(call.tenant, OrderId(call.param(0))));
  if (!order) throw not_found("Order");
  return std::move(*order);
}

Task<Reply> make_link(Call& call, Database& db, const PaymentService& service) {
  const auto input = call.request.body.empty() ? NewInvoiceLink{} : call.body<NewInvoiceLink>();
  if (!service.signer().can_sign()) {
    throw unavailable("Invoice links cannot be made: the operator has not set INVOICE_LINK_SIGNING_SECRET.");
  }
  const Instant expiry = call.now + std::chrono::seconds(input.expires_in_seconds.value);
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const Order order = read_order(tx, call);
    action_of(call, tx).audit(
        {"order", order.id.text()}, "invoice link made",
        json::object({{"expiresAt", json::object({{"before", nullptr}, {"after", expiry}})}}).text);
    return api::json_reply(200, sign_invoice_link(tx, service, call.tenant, order.id, expiry));
  });
}

Task<Reply> revoke(Call& call, Database& db) {
  co_await db.write([&](Tx& tx) {
    const Order order = read_order(tx, call);
    revoke_links(tx, call.tenant, order.id, call.now);
    action_of(call, tx).audit({"order", order.id.text()}, "invoice links revoked");
  });
  co_return api::no_content();
}

// The records that a valid link leads to.
struct Invoice {
  InvoiceLink link;
  Order order;
  Tenant shop;
  TimeZone time_zone;
  std::vector<StoredMethod> methods;
  std::vector<Payment> payments;
  std::optional<Branding> branding;
  std::map<std::string, Picture> images;  // of the order's products
  std::vector<DeliveredItem> delivered;

  bool accepts(PaymentMethod method) const {
    return has_processor(method) && std::any_of(methods.begin(), methods.end(), [&](const StoredMethod& stored) {
             return stored.method == method && stored.enabled;
           });
  }
};

// Reads the pictures of the order's products; only of the first ones, because an order may have very many items.
std::map<std::string, Picture> images_of(Tx& tx, const Order& order) {
  constexpr std::size_t products_max = 40;
  std::vector<ProductId> ids;
  for (const OrderItem& item : order.items) {
    if (ids.size() == products_max) break;
    ids.push_back(item.product_id);
  }
  std::map<std::string, Picture> images;
  for (Product& product : products_of(tx, order.tenant_id, ids)) {
    if (product.image) images.emplace(product.id.text(), std::move(*product.image));
  }
  return images;
}

// With `secrets`, also the digital items of the order. Returns nothing for an invalid link: forged, expired, revoked,
// or of an order or a shop that was deleted. The answer does not reveal which.
Task<std::optional<Invoice>> find_invoice(const Call& call, Database& db, const PaymentService& service,
                                          const std::optional<SecretBox>* secrets = nullptr) {
  const auto link = service.signer().verify(call.param(0));
  if (!link || link->expires_at <= call.now) co_return std::nullopt;
  co_return co_await db.read([&](Tx& tx) -> std::optional<Invoice> {
    auto order = tx.one(order_by_id(link->tenant, link->order));
    auto shop = tx.one(tenant_by_id(link->tenant));
    const std::int64_t generation = tx.one(link_generation(link->tenant, link->order)).value_or(0);
    if (!order || !shop || shop->deleted_at.value || generation != link->generation) return std::nullopt;
    auto images = images_of(tx, *order);
    auto delivered =
        secrets == nullptr ? std::vector<DeliveredItem>() : delivered_items(tx, *secrets, *order, call.now);
    return Invoice{*link,
                   std::move(*order),
                   std::move(*shop),
                   read_shop_defaults(tx, link->tenant).time_zone,
                   tx.all(stored_methods(link->tenant)),
                   tx.all(payments_of_order(link->tenant, link->order)),
                   tx.one(branding_of(link->tenant)),
                   std::move(images),
                   std::move(delivered)};
  });
}

// Adds the enabled methods to the page.
void offer_methods(const Invoice& invoice, const PaymentAccounts& accounts, InvoicePageView& view) {
  for (const PaymentMethod method : PaymentMethod::all()) {
    const auto stored = std::find_if(invoice.methods.begin(), invoice.methods.end(),
                                     [&](const StoredMethod& each) { return each.method == method && each.enabled; });
    if (stored == invoice.methods.end()) continue;
    if (!has_processor(method)) {
      if (!stored->settings.show_on_invoice.value_or(false)) continue;
      view.manual.push_back({method, stored->settings.instructions.value_or("")});
    } else if (accounts.account(invoice.link.tenant, method, &*stored).configured()) {
      view.methods.push_back(method);
    }
  }
}

// Browsers apply `form-action` also to the redirect to the processor's page. These pages use https; plain http is
// allowed only for processors that the operator has configured with it.
std::vector<std::string> form_targets(const Invoice& invoice, const PaymentService& service) {
  std::vector<std::string> targets{"https:"};
  for (const ProcessorDescriptor* processor : processor_list) {
    const auto found = service.config().payment_values.find(processor->address.variable);
    if (!invoice.accepts(processor->method) || found == service.config().payment_values.end()) continue;
    if (!found->second.starts_with("http://")) continue;
    targets.push_back(found->second.substr(0, found->second.find('/', std::string_view("http://").size())));
  }
  return targets;
}

// The language that the buyer's browser prefers.
Language language_for(const Call& call) {
  return preferred_language(call.request.header("accept-language")).value_or(Language::en);
}

InvoicePageView view_of(const Invoice& invoice, const Call& call) {
  InvoicePageView view{.order = invoice.order,
                       .shop = invoice.shop.name,
                       .time_zone = invoice.time_zone,
                       .language = language_for(call),
                       .accent_color = {},
                       .logo = std::nullopt,
                       .images = invoice.images,
                       .token = call.param(0),
                       .expires_at = invoice.link.expires_at,
                       .methods = {},
                       .manual = {},
                       .delivered = invoice.delivered,
                       .form_targets = {}};
  if (invoice.branding) {
    view.accent_color = invoice.branding->accent_color.value_or("");
    view.logo = invoice.branding->logo;
  }
  return view;
}

// The token of an invoice link is also that of the receipt: both show the same order.
Task<Reply> show_receipt(Call& call, Database& db, const PaymentService& service,
                         const std::optional<SecretBox>& secrets) {
  const auto invoice = co_await find_invoice(call, db, service, &secrets);
  if (!invoice || !invoice->order.paid_at) co_return invoice_not_found_page(language_for(call));
  co_return receipt_page(view_of(*invoice, call));
}

Task<Reply> show(Call& call, Database& db, const PaymentService& service, const std::optional<SecretBox>& secrets) {
  const auto invoice = co_await find_invoice(call, db, service, &secrets);
  if (!invoice) co_return invoice_not_found_page(language_for(call));
  InvoicePageView view = view_of(*invoice, call);
  view.form_targets = form_targets(*invoice, service);
  offer_methods(*invoice, service.accounts(), view);
  view.processing = std::any_of(invoice->payments.begin(), invoice->payments.end(),
                                [](const Payment& payment) { return payment.status == PaymentStatus::PROCESSING; });
  co_return invoice_page(view);
}

Reply see_other(std::string url) {
  return Reply{.status = 303, .content_type = ""}.with("Location", std::move(url));
}

Actor customer_actor(const Call& call) {
  return {ActorKind::SYSTEM, "invoice-link", call.request.request_id};
}

Task<Reply> pay(Call& call, Database& db, const PaymentService& service) {
  const auto invoice = co_await find_invoice(call, db, service);
  const auto method = named<PaymentMethod>(call.param(1));
  if (!invoice || !method || !invoice->accepts(*method)) co_return invoice_not_found_page(language_for(call));
  const std::string page = "/orders/invoice/" + call.param(0);
  try {
    const auto checkout = co_await service.open(db, customer_actor(call), invoice->order, *method,
                                                service.installation().public_base_url + page + "/return");
    co_return see_other(checkout ? checkout->url : page);
  } catch (const ProcessorFailure& failure) {
    log::warn("payment: not opened", {{"tenant", invoice->link.tenant.text()},
                                      {"order", invoice->order.id.text()},
                                      {"method", name_of(*method)},
                                      {"error", failure.what()}});
  }
  co_return payment_unavailable_page(call.param(0), *method, language_for(call), form_targets(*invoice, service));
}

// Processors send the customer back here. The page that we redirect to shows whether the order is paid.
Task<Reply> handle_return(Call& call, Database& db, const PaymentService& service) {
  const auto invoice = co_await find_invoice(call, db, service);
  if (!invoice) co_return invoice_not_found_page(language_for(call));
  if (invoice->order.status == OrderStatus::PENDING_PAYMENT) {
    co_await service.check_order(db, customer_actor(call), invoice->link.tenant, invoice->order.id);
  }
  co_return see_other("/orders/invoice/" + call.param(0));
}

}  // namespace

std::vector<api::Route> invoice_routes(Database& db, const PaymentService& service,
                                       const std::optional<SecretBox>& secrets) {
  constexpr std::string_view link = "/api/orders/:id/invoice-link";
  // Each page and each button may call a processor. Many customers may share an address.
  constexpr api::AddressLimit limit{.endpoint = "invoice_link", .per_minute = 300, .local_without_cache = true};
  constexpr std::string_view not_good = "The one page for every link that is not good (HTML).";
  return {
      route(Method::post, link, Access::admin, "Make a pay-by-invoice link", make_link, db, service)
          .takes<NewInvoiceLink>()
          .gives<MadeInvoiceLink>(200, "The link."),
      route(Method::del, link, Access::admin, "Revoke all pay-by-invoice links of an order", revoke, db)
          .gives(204, "No link made before works any more."),
      route(Method::get, "/orders/invoice/:token", Access::open, "The invoice page", show, db, service, secrets)
          .limited(limit)
          .gives(200, "The page (HTML).")
          .gives(404, not_good),
      route(Method::get, "/orders/receipt/:token", Access::open, "The receipt of a paid order", show_receipt, db,
            service, secrets)
          .limited(limit)
          .gives(200, "The page (HTML).")
          .gives(404, not_good),
      route(Method::post, "/orders/invoice/:token/pay/:method", Access::open, "Pay an invoice with a method", pay, db,
            service)
          .limited(limit)
          .takes_form()
          .gives(303, "To the processor's page.")
          .gives(404, not_good)
          .gives(503, "The processor cannot be reached; the page offers to try again (HTML)."),
      route(Method::get, "/orders/invoice/:token/return", Access::open, "Back from the processor", handle_return, db,
            service)
          .limited(limit)
          .gives(303, "To the invoice page, after asking the processor.")
          .gives(404, not_good),
  };
}

}  // namespace guildhall
