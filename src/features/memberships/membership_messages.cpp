#include "features/memberships/membership_messages.h"

#include "features/catalog/product_store.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/customers/customer_store.h"
#include "features/email/email.h"
#include "features/memberships/membership.h"
#include "features/memberships/membership_texts.h"
#include "features/payments/invoices/invoice_link.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

constexpr std::chrono::days link_lifetime_max{365};

void send(const MembershipMessages& messages, const ActionContext& context, const Membership& membership,
          const MembershipText& text, const std::string& link) {
  if (membership.chat_user_id && !messages.chat.chat_bot_token.empty()) {
    queue_direct_message(context.tx, context.tenant, {*membership.chat_user_id, text.chat, "Pay", link}, context.now);
  }
  if (messages.email.smtp_url.empty() || messages.secrets == nullptr || !membership.customer_id) return;
  const auto customer = context.tx.one(customer_by_id(context.tenant, *membership.customer_id));
  if (!customer || !customer->email) return;
  queue_secret_email(context.tx, *messages.secrets, {context.tenant, *customer->email, text.subject, text.email},
                     context.now);
}

MembershipTextValues values_of_text(const ActionContext& context, const Membership& membership) {
  const auto shop = context.tx.one(tenant_by_id(context.tenant));
  const auto product = context.tx.one(product_by_id(context.tenant, membership.product_id));
  return {.shop = shop ? shop->name : "the shop",
          .product = product ? product->name : "membership",
          .expires_at = membership.expires_at};
}

// The link to the invoice of the renewal. It is valid until the end of the grace, and at least as long as others.
std::string link_to(const MembershipMessages& messages, const ActionContext& context, const Membership& membership) {
  if (!membership.renewal_order_id || !messages.payments.signer().can_sign()) return "";
  const Instant expiry =
      std::clamp(membership.grace_ends_at, context.now + invoice_link_lives, context.now + link_lifetime_max);
  return sign_invoice_link(context.tx, messages.payments, context.tenant, *membership.renewal_order_id, expiry).url;
}

void send_reminder(const MembershipMessages& messages, const ActionContext& context, const Membership& membership) {
  MembershipTextValues values = values_of_text(context, membership);
  values.link = link_to(messages, context, membership);
  send(messages, context, membership, ending_text(values), values.link);
}

void send_gift_notice(const MembershipMessages& messages, const ActionContext& context, const Membership& membership,
                      const MembershipPeriod& period) {
  if (!period.gifted_by) return;
  MembershipTextValues values = values_of_text(context, membership);
  const auto giver = context.tx.one(customer_by_chat_id(context.tenant, *period.gifted_by));
  values.giver = giver ? giver->chat_display_name : *period.gifted_by;
  send(messages, context, membership, gift_text(values), "");
}

}  // namespace

void subscribe_membership_messages(Events& events, const MembershipMessages& messages) {
  events.subscribe<MembershipEnding>([messages](const ActionContext& context, const MembershipEnding& event) {
    send_reminder(messages, context, event.membership);
  });
  events.subscribe<MembershipStarted>([messages](const ActionContext& context, const MembershipStarted& event) {
    send_gift_notice(messages, context, event.membership, event.period);
  });
  events.subscribe<MembershipRenewed>([messages](const ActionContext& context, const MembershipRenewed& event) {
    send_gift_notice(messages, context, event.membership, event.period);
  });
}

}  // namespace guildhall
