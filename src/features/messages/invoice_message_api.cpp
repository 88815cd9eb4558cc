#include "api/idempotency.h"
#include "features/action.h"
#include "features/messages/message_store.h"
#include "features/messages/routes.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"

namespace guildhall {

struct NewInvoiceMessage {
  NonEmpty<MessageMedium> media;
  Default<Bounded<1, 31'536'000>> expires_in_seconds{{std::chrono::seconds(invoice_link_lives).count()}};
};
BOOST_DESCRIBE_STRUCT(NewInvoiceMessage, (), (media, expires_in_seconds))

struct SentInvoiceMessage {
  std::vector<MessageMedium> media;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(SentInvoiceMessage, (), (media, expires_at))

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t invoice_messages_a_day_max = 10;  // to the buyer of one order

SentInvoiceMessage send(const ActionContext& context, const OrderId& id, const NewInvoiceMessage& input,
                        const MessageMedia& media) {
  const auto order = context.tx.one(order_by_id(context.tenant, id));
  if (!order) throw not_found("Order");
  if (order->status != OrderStatus::PENDING_PAYMENT) {
    throw bad_request("NOTHING_TO_PAY", "There is nothing to pay for this order.");
  }
  const Instant yesterday = context.now - std::chrono::days(1);
  if (has_many_invoice_links(context.tx, context.tenant, id, yesterday, invoice_messages_a_day_max)) {
    throw bad_request("TOO_MANY_MESSAGES", fmt::format("The buyer got {} messages with a link in the last 24 hours.",
                                                       invoice_messages_a_day_max));
  }
  std::vector<MessageMedium> wanted = input.media;
  std::ranges::sort(wanted);
  wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
  const Instant expiry = context.now + std::chrono::seconds(input.expires_in_seconds.value);
  queue_invoice_link(media, context, *order, wanted, expiry);
  context.audit({"order", id.text()}, "invoice link made",
                json::object({{"expiresAt", json::object({{"before", nullptr}, {"after", expiry}})},
                              {"sentBy", json::object({{"before", nullptr}, {"after", wanted}})}})
                    .text);
  return {std::move(wanted), expiry};
}

Task<Reply> send_link(Call& call, Database& db, const Events& events, const MessageMedia& media,
                      const PaymentService& payments) {
  const auto input = call.body<NewInvoiceMessage>();
  if (!payments.signer().can_sign()) {
    throw unavailable("Invoice links cannot be made: the operator has not set INVOICE_LINK_SIGNING_SECRET.");
  }
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::json_reply(200, send(action_of(call, tx, events), OrderId(call.param(0)), input, media));
  });
}

}  // namespace

std::vector<api::Route> invoice_message_routes(Database& db, const Events& events, const Messages& messages,
                                               const PaymentService& payments) {
  return {
      route(Method::post, "/api/orders/:id/invoice-link/send", Access::admin, "Send a pay-by-invoice link to the buyer",
            send_link, db, events, messages.media, payments)
          .takes<NewInvoiceMessage>()
          .gives<SentInvoiceMessage>(200, "The message is queued."),
  };
}

}  // namespace guildhall
