// `/purchases`: the digital items that the member has bought.
#include "features/catalog/product_store.h"
#include "features/chat/command_list.h"
#include "features/chat/formatting.h"
#include "features/delivery/delivered.h"
#include "features/entitlements/entitlement_store.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"

namespace guildhall::chat {
namespace {

constexpr std::string_view show_step = "purchase";   // chosen: an entitlement
constexpr std::size_t shown_characters_max = 3'500;  // an embed has 4,096

struct Purchase {
  Entitlement item;
  std::string product;
};

std::vector<Purchase> read_purchases(Tx& tx, const CommandContext& context) {
  std::vector<Purchase> purchases;
  for (Entitlement& item : tx.all(items_of_member(context.tenant, context.interaction.user_id, select_options_max))) {
    const auto product = tx.one(product_by_id(context.tenant, item.product_id));
    purchases.push_back({std::move(item), product ? product->name : "A product that is no longer sold"});
  }
  return purchases;
}

Task<Answer> show_purchases(const Bot& bot, const CommandContext& context) {
  const auto purchases = co_await bot.db.read([&](Tx& tx) { return read_purchases(tx, context); });
  if (purchases.empty()) co_return plain("You have not bought anything digital yet. Browse the shop with `/shop`.");
  Select select{custom_id(bot, context, show_step), "Show again", {}};
  for (const Purchase& purchase : purchases) {
    select.options.push_back({purchase.product, purchase.item.id.text(),
                              fmt::format("bought on {}", to_string(purchase.item.created_at).substr(0, 10))});
  }
  co_return Message{.embeds = {{.title = "Your purchases", .description = "Only you see this."}},
                    .rows = {std::move(select)}};
}

std::string value_text(const DeliveredPart& part, const std::string& value) {
  if (part.kind == DeliverableKind::LINK) return fmt::format("<{}>", value);
  if (part.kind == DeliverableKind::TEXT || value.find('`') != std::string::npos) return value;
  return fmt::format("`{}`", value);
}

// As many values as there is room for: none is cut.
Embed embed_of(const DeliveredItem& item) {
  Embed embed{.title = item.product};
  const auto add = [&](const std::string& line) {
    if (embed.description.size() + line.size() > shown_characters_max) {
      embed.footer = "There is more on the page of your order.";
    } else {
      embed.description += line + "\n";
    }
  };
  for (const DeliveredPart& part : item.parts) {
    add(fmt::format("**{}**", part.name));
    if (part.available_at) add(fmt::format("available from {}", date_text(*part.available_at)));
    for (const std::string& value : part.values) add(value_text(part, value));
  }
  if (item.parts.empty()) embed.description = "There is nothing to show: ask the shop about your order.";
  return embed;
}

// The page of the order, for its buyer; empty if there is none.
std::string page_of(Tx& tx, const Bot& bot, const CommandContext& context, const Entitlement& item) {
  const auto order = item.source_key.value ? tx.one(order_by_id(context.tenant, item.order_id)) : std::nullopt;
  if (!order || order->gift_to || !order->paid_at || !bot.payments.signer().can_sign()) return "";
  return sign_receipt_link(tx, bot.payments, context.tenant, order->id, context.now + invoice_link_lives);
}

Task<Answer> show_purchase(const Bot& bot, const CommandContext& context, const Step&) {
  if (context.interaction.chosen.empty()) co_return out_of_date();
  const EntitlementId id(context.interaction.chosen.front());
  std::string page;
  const auto shown = co_await bot.db.read([&](Tx& tx) -> std::optional<DeliveredItem> {
    const auto item = tx.one(entitlement_by_id(context.tenant, id));
    if (!item || item->chat_user_id != context.interaction.user_id) return std::nullopt;
    page = page_of(tx, bot, context, *item);
    return delivered_item(tx, bot.secrets, *item, context.now);
  });
  if (!shown) co_return out_of_date();
  Message message{.embeds = {embed_of(*shown)}};
  if (!page.empty()) message.rows.emplace_back(Buttons{{Button::Style::link, "Open the page of the order", page}});
  co_return message;
}

}  // namespace

CommandGroup purchase_commands() {
  return {.commands = {{"purchases", "Show the keys and links that you have bought", show_purchases}},
          .steps = {{show_step, show_purchase}}};
}

}  // namespace guildhall::chat
