// Rules for products, customers, discounts, orders, and what follows from them.
#include "app/ops/transfer/import_rules.h"
#include "base/encoding.h"
#include "base/text.h"
#include "features/chat/cart.h"
#include "features/customers/customer.h"
#include "features/delivery/activation_store.h"
#include "features/entitlements/entitlement.h"
#include "features/fulfilment/shipment.h"
#include "features/media/branding.h"
#include "features/media/media_store.h"
#include "features/tenancy/tenant_settings.h"

namespace guildhall {

// A picture's file as base64, longer than other text.
struct Base64Text {
  std::string value;
};

template <>
struct Codec<Base64Text> : PlainCodec {
  static constexpr std::size_t characters_max = (stored_picture_bytes_max + 2) / 3 * 4;
  static void decode(JsonValue value, Base64Text& out, Decoder& decoder) {
    decode_text(value, out.value, characters_max, decoder);
  }
  static void encode(std::string& out, const Base64Text& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"byte"})"); }
};

template <>
struct Column<Base64Text> {
  static Value write(const Base64Text& value) { return value.value; }
  static Base64Text read(const Row& row, int column) { return {std::string(row.text(column))}; }
};

struct MediaRow {
  TenantId tenant_id;
  std::string id;
  std::int64_t bytes = 0;
  std::optional<Base64Text> content;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(MediaRow, (), (tenant_id, id, bytes, content, created_at))

namespace {

void check_picture(const std::optional<Picture>& picture, std::string_view field, Problems& problems) {
  if (!picture || (media_id(picture->url) && media_id(picture->thumbnail_url))) return;
  problems.push_back({std::string(field), "must be a picture that was uploaded"});
}

// Search texts are filled afterwards.
void adjust_product(Product& product, const Importing&, Problems& problems) {
  check_picture(product.image, "image", problems);
  product.search_text.value.reset();
}

void adjust_customer(Customer& customer, const Importing&, Problems& problems) {
  if (customer.addresses.size() > customer_addresses_max) {
    problems.push_back({"addresses", fmt::format("must have at most {} elements", customer_addresses_max)});
  }
  customer.search_text.value.reset();
}

// The columns that are derived from others, as a write would set them.
void adjust_discount(Discount& discount, const Importing&, Problems& problems) {
  if (discount.usage_count < 0) problems.push_back({"usage_count", "must not be negative"});
  discount.code_key.value.reset();
  if (discount.code) discount.code_key.value = folded(*discount.code);
  discount.usage_limit.value = discount.lifecycle.usage_limit;
}

// An order whose amounts cannot be added up, or which would give back stock that it never held, would fail wherever it
// is shown or expires. Its number, which is part of the search text, and its products are indexed again afterwards.
void adjust_order(Order& order, const Importing&, Problems& problems) {
  collect_problems("items", problems, [&] { subtotal_of(order.items); });
  for (const StockTaken& taken : order.stock_taken.value) {
    if (taken.quantity < 0) problems.push_back({"stock_taken", "must not be negative"});
  }
  if (order.use_counted.value && !order.discount_id) {
    problems.push_back({"use_counted", "needs a discount"});
  }
  const auto& discount = order.pricing.value.discount;
  if (discount && !discount->percent && !discount->amount_cents) {
    problems.push_back({"pricing.discount", "must have a percentage or an amount"});
  }
  order.search.value = folded(order.order_number);
  order.is_open.value = is_open(order.status) && !order.deleted_at.value;
  order.search_text.value.reset();
}

void adjust_branding(Branding& branding, const Importing&, Problems& problems) {
  check_picture(branding.logo, "logo", problems);
}

// The content is served to everybody at a public address, as a WebP picture.
void adjust_media(MediaRow& file, const Importing&, Problems& problems) {
  if (media_id(media_url(file.id)) != file.id) problems.push_back({"id", "must be the id of a picture"});
  const auto bytes = file.content ? from_base64(file.content->value) : std::nullopt;
  if (!bytes || picture_type(*bytes) != PictureType::webp || std::ssize(*bytes) != file.bytes) {
    problems.push_back({"content", "must be a WebP picture of as many bytes as the row says"});
  }
}

// Only the tenant's own master key and id open the contents, so they are kept as they are.
struct ShopSecretRow {
  TenantId tenant_id;
  std::string public_key;
  std::string seed;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(ShopSecretRow, (), (tenant_id, public_key, seed, created_at))

void adjust_deliverable(Deliverable& deliverable, const Importing&, Problems& problems) {
  if (deliverable.kind == DeliverableKind::LINK || deliverable.kind == DeliverableKind::TEXT) {
    if (!deliverable.content.value) problems.push_back({"content", "is required"});
    return;
  }
  deliverable.content.value.reset();
  check(deliverable);
}

void adjust_cart(chat::Cart& cart, const Importing&, Problems& problems) {
  if (cart.quantity < 1) problems.push_back({"quantity", "must be a positive integer"});
}

}  // namespace

std::vector<ImportRule> shop_rules() {
  return {
      rule<Product, NewProduct>("products", adjust_product),
      rule<Customer, NewCustomer, CustomerPatch>("customers", adjust_customer),
      rule<Discount, NewDiscount>("discounts", adjust_discount),
      rule<Order, NewOrder, OrderPatch>("orders", adjust_order),
      derived("order_counters"),
      derived("order_products"),
      derived("metadata_entries"),
      derived("tenant_origins"),
      rule<TenantSettings, SettingsPatch>("tenant_settings"),
      rule<Branding, BrandingPatch>("branding", adjust_branding),
      rule<MediaRow>("media_files", adjust_media),
      derived("media_usage"),
      rule<Shipment, NewShipment>("shipments"),
      rule<Entitlement, NewEntitlement>("entitlements"),
      rule<Deliverable>("deliverables", adjust_deliverable),
      rule<DeliveryKey>("delivery_keys"),
      rule<Activation>("licence_activations"),
      rule<ShopSecretRow>("shop_secrets"),
      rule<chat::Cart>("chat_carts", adjust_cart),
  };
}

}  // namespace guildhall
