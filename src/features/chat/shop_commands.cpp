// `/shop`: the list of products, a product's card, and the form that leads to the checkout.
#include "features/catalog/product_store.h"
#include "features/chat/checkout.h"
#include "features/chat/command_list.h"
#include "features/chat/formatting.h"
#include "features/chat/order_form.h"
#include "features/customers/customer_store.h"

namespace guildhall::chat {
namespace {

namespace steps {
constexpr std::string_view page = "page";  // argument: the position after which the page starts
constexpr std::string_view pick = "pick";  // chosen: a product
constexpr std::string_view card = "card";  // argument: a product
constexpr std::string_view buy = "buy";    // argument: a product
constexpr std::string_view form = "form";  // argument: a product; a modal
}  // namespace steps

constexpr std::int64_t products_per_query = 100;
constexpr int queries_max = 10;  // for one page, when the member may not buy most products

std::string position_text(const Position& position) {
  return fmt::format("{:x}_{}", position.created_at.ms, position.id);
}

Position position_from(const std::string& text) {
  Position position;
  const std::size_t split = text.find('_');
  if (split == std::string::npos) return position;
  std::from_chars(text.data(), text.data() + split, position.created_at.ms, 16);
  position.id = text.substr(split + 1);
  return position;
}

std::string price_of(const Product& product, const CommandContext& context) {
  return money_text(product.price_cents, product.currency, context.interaction.locale);
}

std::string stock_of(const Product& product) {
  if (!in_stock(product)) return "Sold out";
  if (!product.inventory_tracked || !product.stock_quantity) return "Available";
  return fmt::format("{} left", *product.stock_quantity);
}

struct ProductPage {
  std::vector<Product> products;
  std::optional<Position> next;  // the position after which the next page starts
};

// Reads the products that the member may buy, as many as a select can show.
Task<ProductPage> read_page(const Bot& bot, const CommandContext& context, Position position) {
  ProductPage found;
  for (int queries = 0; queries < queries_max; ++queries) {
    const auto batch = co_await bot.db.all(offered_products_after(context.tenant, position, products_per_query));
    for (const Product& product : batch) {
      if (found.products.size() == select_options_max) {
        found.next = position;
        co_return found;
      }
      if (may_buy(product, context.interaction.role_ids)) found.products.push_back(product);
      position = {product.created_at, product.id.text()};
    }
    if (std::ssize(batch) < products_per_query) co_return found;
  }
  found.next = position;
  co_return found;
}

Message page_message(const Bot& bot, const CommandContext& context, const ProductPage& page, bool first_page) {
  Select select{custom_id(bot, context, steps::pick), "Choose a product", {}};
  for (const Product& product : page.products) {
    select.options.push_back(
        {product.name, product.id.text(), fmt::format("{} · {}", price_of(product, context), stock_of(product))});
  }
  Message message{.embeds = {{.title = context.shop, .description = "Choose a product to see the details."}}};
  if (!select.options.empty()) message.rows.emplace_back(std::move(select));
  Buttons buttons;
  if (!first_page) {
    buttons.push_back({Button::Style::secondary, "First page", custom_id(bot, context, steps::page)});
  }
  if (page.next) {
    buttons.push_back(
        {Button::Style::secondary, "More products", custom_id(bot, context, steps::page, position_text(*page.next))});
  }
  if (!buttons.empty()) message.rows.emplace_back(std::move(buttons));
  return message;
}

Task<Answer> page_at(const Bot& bot, const CommandContext& context, const std::string& argument) {
  const ProductPage found = co_await read_page(bot, context, position_from(argument));
  if (found.products.empty() && !found.next) {
    co_return plain(argument.empty() ? fmt::format("{} has nothing for sale yet.", context.shop)
                                     : "There are no more products.");
  }
  co_return page_message(bot, context, found, argument.empty());
}

// Nothing if the product is not for sale, or not to this member.
Task<std::optional<Product>> offered_product(const Bot& bot, const CommandContext& context, const std::string& id) {
  auto product = co_await bot.db.one(product_by_id(context.tenant, ProductId(id)));
  if (!product || !product->is_active || !may_buy(*product, context.interaction.role_ids)) co_return std::nullopt;
  co_return product;
}

Message not_for_sale() {
  return plain("This product is not for sale. Browse the shop with `/shop`.");
}

// The absolute address of the product's picture; empty if there is none.
std::string image_url_of(const Bot& bot, const Product& product) {
  const auto id = product.image ? media_id(product.image->url) : std::nullopt;
  return id ? bot.installation.public_base_url + media_url(*id) : "";
}

std::string terms_of(const MembershipTerms& terms) {
  const auto counted = [](std::int64_t count, std::string_view unit) {
    return count == 1 ? fmt::format("one {}", unit) : fmt::format("{} {}s", count, unit);
  };
  return terms.period_months ? counted(terms.period_months->value, "month") : counted(terms.period_days->value, "day");
}

Task<Answer> card_of(const Bot& bot, const CommandContext& context, const std::string& id) {
  const auto product = co_await offered_product(bot, context, id);
  if (!product) co_return not_for_sale();
  Embed embed{.title = product->name,
              .description = product->description.value_or(""),
              .fields = {{"Price", price_of(*product, context), true}, {"Stock", stock_of(*product), true}},
              .footer = "SKU " + product->sku,
              .image_url = image_url_of(bot, *product)};
  Buttons buttons;
  if (in_stock(*product)) {
    buttons.push_back({Button::Style::success, "Buy", custom_id(bot, context, steps::buy, product->id.text())});
  }
  if (product->membership) {
    embed.fields.push_back({"Membership", terms_of(*product->membership)});
    const std::int64_t trial = product->membership->trial_days.value;
    if (trial > 0) {
      buttons.push_back({Button::Style::primary,
                         trial == 1 ? "Try it for a day" : fmt::format("Try it for {} days", trial),
                         custom_id(bot, context, trial_step, product->id.text())});
    }
    buttons.push_back(
        {Button::Style::secondary, "Buy as a gift", custom_id(bot, context, gift_step, product->id.text())});
  }
  buttons.push_back({Button::Style::secondary, "Back to the shop", custom_id(bot, context, steps::page)});
  co_return Message{.embeds = {std::move(embed)}, .rows = {std::move(buttons)}};
}

Task<Answer> show_shop(const Bot& bot, const CommandContext& context) {
  co_return co_await page_at(bot, context, "");
}

Task<Answer> show_page(const Bot& bot, const CommandContext& context, const Step& step) {
  co_return co_await page_at(bot, context, step.argument);
}

Task<Answer> show_picked(const Bot& bot, const CommandContext& context, const Step&) {
  if (context.interaction.chosen.empty()) co_return out_of_date();
  co_return co_await card_of(bot, context, context.interaction.chosen.front());
}

Task<Answer> show_card(const Bot& bot, const CommandContext& context, const Step& step) {
  co_return co_await card_of(bot, context, step.argument);
}

Task<Answer> ask_details(const Bot& bot, const CommandContext& context, const Step& step) {
  const auto product = co_await offered_product(bot, context, step.argument);
  if (!product) co_return not_for_sale();
  const auto customer = co_await bot.db.one(customer_by_id(context.tenant, context.customer));
  co_return order_form(*product, customer ? default_address(*customer) : nullptr,
                       custom_id(bot, context, steps::form, product->id.text()));
}

Message try_again(const Bot& bot, const CommandContext& context, const ProductId& product, std::string problems) {
  return {.content = std::move(problems),
          .rows = {Buttons{{Button::Style::primary, "Try again", custom_id(bot, context, steps::buy, product.text())},
                           {Button::Style::secondary, "Back", custom_id(bot, context, steps::card, product.text())}}}};
}

Task<Answer> take_details(const Bot& bot, const CommandContext& context, const Step& step) {
  const auto product = co_await offered_product(bot, context, step.argument);
  if (!product) co_return not_for_sale();
  const OrderForm form = read_order_form(*product, context.interaction);
  if (!form.problems.empty()) co_return try_again(bot, context, product->id, form.problems);
  Cart cart = new_cart(context, product->id, product->price_cents, product->currency);
  cart.quantity = form.quantity;
  cart.discount_code = form.discount_code;
  cart.shipping_address = form.shipping_address;
  try {
    co_return co_await ask_payment(bot, context, cart, product->name);
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::invalid) throw;
    co_return try_again(bot, context, product->id, failure.sentence);
  }
}

}  // namespace

CommandGroup shop_commands() {
  return {.commands = {{.name = "shop", .description = "Browse the shop", .run = show_shop, .for_anybody = true}},
          .steps = {{steps::page, show_page},
                    {steps::pick, show_picked},
                    {steps::card, show_card},
                    {steps::buy, ask_details},
                    {steps::form, take_details}}};
}

}  // namespace guildhall::chat
