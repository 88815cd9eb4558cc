// `/membership`, `/gift` and `/redeem`, and the trial that a product's card offers.
#include "features/catalog/product_store.h"
#include "features/chat/checkout.h"
#include "features/chat/command_list.h"
#include "features/chat/formatting.h"
#include "features/memberships/membership_code_actions.h"
#include "features/memberships/membership_store.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"

namespace guildhall::chat {
namespace {

namespace steps {
constexpr std::string_view renew = "renew";        // argument: a membership
constexpr std::string_view cancel = "cancel";      // argument: a membership
constexpr std::string_view give = "giving";        // argument: the receiver; chosen: a product
constexpr std::string_view receive = "receiving";  // argument: a product; chosen: the receiver
}  // namespace steps

constexpr std::int64_t memberships_shown = 5;  // a message has at most five rows of buttons
constexpr std::int64_t products_read_max = 500;
constexpr api::RateLimiter::Limit redemptions{.endpoint = "code_redemptions", .per_minute = 10};

Holder holder_of_member(Tx& tx, const Bot& bot, const CommandContext& context) {
  return holder_of(context.action(tx, bot), context.interaction.user_id);
}

std::string state_of(const Membership& membership, Instant now) {
  const std::string end = date_text(membership.expires_at);
  switch (membership.status) {
    case MembershipStatus::PAUSED:
      return "paused by the shop; the remaining time is kept";
    case MembershipStatus::ENDED:
      return fmt::format("ended on {}", end);
    case MembershipStatus::ACTIVE:
      break;
  }
  if (now >= membership.expires_at) {
    return fmt::format("paid until {}; renew it before {} to keep it", end, date_text(membership.grace_ends_at));
  }
  return fmt::format("paid until {}{}", end, membership.cancelled_at ? "; cancelled, ends on that day" : "");
}

// A membership of the member, with what its buttons need.
struct ShownMembership {
  Membership membership;
  std::optional<Product> product;
  std::string invoice_url;  // of the renewal's order while it is unpaid; empty: there is none
};

std::vector<ShownMembership> read_memberships(Tx& tx, const Bot& bot, const CommandContext& context) {
  std::vector<ShownMembership> shown;
  for (Membership& membership :
       tx.all(memberships_of_chat_user(context.tenant, context.interaction.user_id, memberships_shown))) {
    ShownMembership& each = shown.emplace_back(ShownMembership{std::move(membership), {}, {}});
    each.product = tx.one(product_by_id(context.tenant, each.membership.product_id));
    if (!each.membership.renewal_order_id || !bot.payments.signer().can_sign()) continue;
    const auto order = tx.one(order_by_id(context.tenant, *each.membership.renewal_order_id));
    if (!order || order->status != OrderStatus::PENDING_PAYMENT) continue;
    each.invoice_url =
        sign_invoice_link(tx, bot.payments, context.tenant, order->id, context.now + invoice_link_lives).url;
  }
  return shown;
}

Buttons buttons_for(const Bot& bot, const CommandContext& context, const ShownMembership& shown) {
  const Membership& membership = shown.membership;
  const std::string name = shown.product ? shown.product->name : "";
  Buttons buttons;
  if (!shown.invoice_url.empty()) {
    buttons.push_back({Button::Style::link, "Pay for " + name, shown.invoice_url});
  } else if (shown.product && shown.product->is_active) {
    buttons.push_back(
        {Button::Style::success, "Renew " + name, custom_id(bot, context, steps::renew, membership.id.text())});
  }
  if (membership.status != MembershipStatus::ENDED && !membership.cancelled_at) {
    buttons.push_back({Button::Style::secondary, name.empty() ? "Cancel" : "Cancel " + name,
                       custom_id(bot, context, steps::cancel, membership.id.text())});
  }
  return buttons;
}

Task<Answer> show_memberships(const Bot& bot, const CommandContext& context) {
  const auto all = co_await bot.db.read([&](Tx& tx) { return read_memberships(tx, bot, context); });
  if (all.empty()) co_return plain("You do not have a membership. Browse the shop with `/shop`.");
  Message message{.embeds = {{.title = "Your memberships"}}};
  for (const ShownMembership& shown : all) {
    message.embeds.front().fields.push_back({shown.product ? shown.product->name : "A product that is no longer sold",
                                             state_of(shown.membership, context.now)});
    if (Buttons buttons = buttons_for(bot, context, shown); !buttons.empty()) {
      message.rows.emplace_back(std::move(buttons));
    }
  }
  co_return message;
}

bool is_own(const std::optional<Membership>& membership, const CommandContext& context) {
  return membership && membership->chat_user_id == context.interaction.user_id;
}

Task<Answer> ask_payment_for(const Bot& bot, const CommandContext& context, const Product& product,
                             const std::string& gift_to) {
  Cart cart = new_cart(context, product.id, product.price_cents, product.currency);
  if (!gift_to.empty()) cart.gift_to = gift_to;
  co_return co_await ask_payment(bot, context, cart, product.name);
}

// Why the member cannot receive a gift; empty if nothing is wrong.
std::string refusal_of_receiver(const CommandContext& context, const std::string& receiver) {
  if (receiver.empty() || !context.interaction.is_of_guild(receiver)) return "That is not a member of this server.";
  return receiver == context.interaction.user_id ? "For yourself, use `/shop`." : "";
}

bool is_offered(const std::optional<Product>& product, const CommandContext& context) {
  return product && product->is_active && product->membership && may_buy(*product, context.interaction.role_ids);
}

Task<Answer> renew(const Bot& bot, const CommandContext& context, const Step& step) {
  const auto membership = co_await bot.db.one(membership_by_id(context.tenant, MembershipId(step.argument)));
  if (!is_own(membership, context)) co_return out_of_date();
  const auto product = co_await bot.db.one(product_by_id(context.tenant, membership->product_id));
  if (!is_offered(product, context)) co_return plain("This membership is no longer available.");
  co_return co_await ask_payment_for(bot, context, *product, "");
}

Task<Answer> cancel(const Bot& bot, const CommandContext& context, const Step& step) {
  const Membership cancelled = co_await bot.db.write([&](Tx& tx) {
    return change_membership(context.action(tx, bot), MembershipId(step.argument), MembershipChangeKind::CANCELLED,
                             [&](const Membership& membership) {
                               if (!is_own(membership, context)) throw not_found("Membership");
                             });
  });
  co_return plain(
      fmt::format("Cancelled. You keep your membership until {} and get no more reminders. Pay again to undo this.",
                  date_text(cancelled.expires_at)));
}

Task<Answer> try_product(const Bot& bot, const CommandContext& context, const Step& step) {
  const auto product = co_await bot.db.one(product_by_id(context.tenant, ProductId(step.argument)));
  if (!is_offered(product, context)) co_return plain("This product is not for sale. Browse the shop with `/shop`.");
  const Membership started = co_await bot.db.write(
      [&](Tx& tx) { return start_trial(context.action(tx, bot), *product, holder_of_member(tx, bot, context)); });
  co_return plain(
      fmt::format("Enjoy {} until {}. Renew it with `/membership`.", product->name, date_text(started.expires_at)));
}

Task<std::vector<Product>> giftable_products(const Bot& bot, const CommandContext& context) {
  auto products = co_await bot.db.all(offered_products_after(context.tenant, {}, products_read_max));
  std::erase_if(products, [&](const Product& product) {
    return !product.membership || !in_stock(product) || !may_buy(product, context.interaction.role_ids);
  });
  if (products.size() > select_options_max) products.resize(select_options_max);
  co_return products;
}

Task<Answer> gift(const Bot& bot, const CommandContext& context) {
  const std::string receiver = context.interaction.input("user"), sku = context.interaction.input("product");
  if (const std::string refusal = refusal_of_receiver(context, receiver); !refusal.empty()) co_return plain(refusal);
  if (!sku.empty()) {
    const auto product = co_await bot.db.one(product_by_sku(context.tenant, sku));
    if (!is_offered(product, context)) co_return plain("There is no membership with that SKU.");
    co_return co_await ask_payment_for(bot, context, *product, receiver);
  }
  const auto products = co_await giftable_products(bot, context);
  if (products.empty()) co_return plain("There are no memberships for sale.");
  Select select{custom_id(bot, context, steps::give, receiver), "Choose a membership", {}};
  for (const Product& product : products) {
    select.options.push_back({product.name, product.id.text(),
                              money_text(product.price_cents, product.currency, context.interaction.locale)});
  }
  co_return Message{.content = fmt::format("Gift for <@{}>:", receiver), .rows = {std::move(select)}};
}

Task<Answer> give_chosen(const Bot& bot, const CommandContext& context, const Step& step) {
  if (context.interaction.chosen.empty()) co_return out_of_date();
  const auto product =
      co_await bot.db.one(product_by_id(context.tenant, ProductId(context.interaction.chosen.front())));
  if (!is_offered(product, context)) co_return plain("This membership is no longer available.");
  co_return co_await ask_payment_for(bot, context, *product, step.argument);
}

// From a product's card: the member who receives it is chosen next.
Task<Answer> choose_receiver(const Bot& bot, const CommandContext& context, const Step& step) {
  const auto product = co_await bot.db.one(product_by_id(context.tenant, ProductId(step.argument)));
  if (!is_offered(product, context)) co_return plain("This membership is no longer available.");
  co_return Message{
      .content = fmt::format("Who is {} for? They will see that it is from you.", product->name),
      .rows = {MemberSelect{custom_id(bot, context, steps::receive, product->id.text()), "Choose a member"}}};
}

Task<Answer> give_to_chosen(const Bot& bot, const CommandContext& context, const Step& step) {
  const std::string receiver = context.interaction.chosen.empty() ? "" : context.interaction.chosen.front();
  if (const std::string refusal = refusal_of_receiver(context, receiver); !refusal.empty()) co_return plain(refusal);
  const auto product = co_await bot.db.one(product_by_id(context.tenant, ProductId(step.argument)));
  if (!is_offered(product, context)) co_return plain("This membership is no longer available.");
  co_return co_await ask_payment_for(bot, context, *product, receiver);
}

// The attempts of each member are counted, although a code is too long to be guessed.
Task<Answer> redeem(const Bot& bot, const CommandContext& context) {
  const std::string source = fmt::format("{}/{}", context.tenant.text(), context.interaction.user_id);
  const auto verdict = co_await bot.limiter.count(redemptions, source);
  if (verdict.exceeded) co_return plain("There were too many attempts. Please try again in a minute.");
  const Membership membership = co_await bot.db.write([&](Tx& tx) {
    return redeem_code(context.action(tx, bot), context.interaction.input("code"), holder_of_member(tx, bot, context));
  });
  co_return plain(
      fmt::format("Redeemed. Your membership is paid until {}; see `/membership`.", date_text(membership.expires_at)));
}

}  // namespace

CommandGroup membership_commands() {
  using Type = CommandOption::Type;
  return {.commands = {{"membership", "Show, renew or cancel your memberships", show_memberships},
                       {"gift",
                        "Give a membership to another member",
                        gift,
                        {{"user", Type::user, "Who it is for", true},
                         {"product", Type::text, "The SKU of the membership"}}},
                       {"redeem", "Redeem a code", redeem, {{"code", Type::text, "The code", true}}}},
          .steps = {{steps::renew, renew},
                    {steps::cancel, cancel},
                    {steps::give, give_chosen},
                    {gift_step, choose_receiver},
                    {steps::receive, give_to_chosen},
                    {trial_step, try_product}}};
}

}  // namespace guildhall::chat
