#include "features/orders/order_timeline.h"

#include "base/money_text.h"
#include "features/orders/timeline_text.h"

namespace guildhall {
namespace {

// Members of the changes of an audit entry that are no fields of the order.
constexpr std::string_view overrides_key = "priceOverrides";
constexpr std::string_view parcel_key = "parcel";
constexpr std::string_view refund_key = "refund";

constexpr std::string_view refund_action = "refund";
constexpr std::string_view parcel_action = "parcel";

// An amount that was set by hand.
struct OverrideMoment {
  std::string field;                     // totalCents, or items[0].unitPriceCents
  std::optional<std::string> item_name;  // of an item's price
  Cents cents;
  Cents computed_cents;  // of an item: the product's price
  Currency currency;
};
BOOST_DESCRIBE_STRUCT(OverrideMoment, (), (field, item_name, cents, computed_cents, currency))

struct ParcelMoment {
  std::optional<std::string> shipment_id;
  std::optional<std::string> carrier;
  std::optional<std::string> tracking_number;
  std::string status;
  bool moved = false;  // the status has changed
};
BOOST_DESCRIBE_STRUCT(ParcelMoment, (), (shipment_id, carrier, tracking_number, status, moved))

template <class T>
json::Value addition(const T& value) {
  return json::object({{"before", nullptr}, {"after", value}});
}

ParcelMoment parcel_moment(const ShipmentPayload& parcel, bool moved) {
  return {parcel.shipment_id, parcel.carrier, parcel.tracking_number, parcel.status, moved};
}

// The changed fields of an audit entry. Each timeline entry takes its fields; the rest becomes EDITED.
class Changes {
 public:
  explicit Changes(const std::string& stored) {
    simdjson::dom::object fields;
    if (parser_.parse(stored).get(fields) != simdjson::SUCCESS) return;
    for (const auto [key, change] : fields) left_.push_back({key, change, JsonLookup(change)});
  }

  // The change of a field, `{"before": …, "after": …}`; null if it has not changed.
  const JsonLookup* find(std::string_view key) const {
    for (const Field& field : left_) {
      if (field.key == key) return &field.lookup;
    }
    return nullptr;
  }

  bool cleared(std::string_view key) const {
    const JsonLookup* change = find(key);
    return change != nullptr && !change->has("/after");
  }

  // The new value as text; empty if the field has not changed.
  std::string after(std::string_view key) const {
    const JsonLookup* change = find(key);
    return change == nullptr ? "" : change->text("/after");
  }

  JsonObject take(std::initializer_list<std::string_view> keys) {
    std::vector<const Field*> taken;
    const auto is_taken = [&](const Field& field) {
      return std::find(keys.begin(), keys.end(), field.key) != keys.end();
    };
    for (const Field& field : left_) {
      if (is_taken(field)) taken.push_back(&field);
    }
    JsonObject object = object_of(taken);
    std::erase_if(left_, is_taken);
    return object;
  }

  JsonObject rest() const {
    std::vector<const Field*> all;
    for (const Field& field : left_) all.push_back(&field);
    return object_of(all);
  }

  std::vector<timeline_text::EditedField> fields() const {
    std::vector<timeline_text::EditedField> all;
    for (const Field& field : left_) all.push_back({field.key, field.lookup});
    return all;
  }

  bool empty() const { return left_.empty(); }

 private:
  struct Field {
    std::string_view key;
    JsonValue change;
    JsonLookup lookup;
  };

  static JsonObject object_of(const std::vector<const Field*>& fields) {
    return {json::write_object([&](json::ObjectWriter& object) {
      for (const Field* field : fields) object.key(field->key) += simdjson::minify(field->change);
    })};
  }

  simdjson::dom::parser parser_;  // the fields point into it
  std::vector<Field> left_;
};

std::string sentence(const OverrideMoment& made) {
  const std::string now = money_text(made.cents, made.currency), usual = money_text(made.computed_cents, made.currency);
  if (made.item_name) {
    return fmt::format("The price of {} was set to {}; the product's price was {}.", *made.item_name, now, usual);
  }
  const std::string_view amount = made.field == "subtotalCents"         ? "subtotal"
                                  : made.field == "discountAmountCents" ? "discount"
                                                                        : "total";
  return fmt::format("The {} was set by hand to {} instead of {}.", amount, now, usual);
}

// Makes the timeline entries of one audit entry.
class MomentMaker {
 public:
  MomentMaker(const AuditEntry& entry, Currency currency)
      : entry_(entry), changes_(entry.changes), currency_(currency) {
    if (const auto named = Currency::parse(changes_.after("currency"))) currency_ = *named;
  }

  std::vector<TimelineEntry> make() {
    if (entry_.action == refund_action) {
      add_refund();
    } else if (entry_.action == "invoice link made") {
      add_link();
    } else if (entry_.action == "invoice links revoked") {
      add(OrderMoment::INVOICE_LINKS_REVOKED, {}, "All invoice links of the order were revoked.");
    } else {
      add_change(entry_.action == "created");
    }
    return std::move(moments_);
  }

 private:
  void add(OrderMoment kind, JsonObject what, std::string text) {
    moments_.push_back({entry_.at, kind, entry_.actor_kind, entry_.actor_id, std::move(what), std::move(text)});
  }

  std::string money(std::optional<std::int64_t> cents) const { return timeline_text::money(cents, "", currency_); }

  void add_refund() {
    const JsonLookup* change = changes_.find(refund_key);
    if (change == nullptr) return;
    const auto refund = change->at("/after");
    if (!refund) return;
    std::string text = timeline_text::refund(*refund);
    add(OrderMoment::REFUND, changes_.rest(), std::move(text));
  }

  void add_link() {
    std::string text = "An invoice link was made.";
    if (const auto until = parse_instant(changes_.after("expiresAt"))) {
      text = fmt::format("An invoice link was made, valid until {} UTC.",
                         to_string(*until).replace(10, 1, " ").substr(0, 16));
    }
    if (changes_.find("sentBy") != nullptr) text += " It was sent to the buyer.";
    add(OrderMoment::INVOICE_LINK_MADE, changes_.rest(), std::move(text));
  }

  void add_change(bool created) {
    if (created) add_creation();
    add_discount(created);
    add_overrides();
    if (changes_.find("paidAt") != nullptr && !changes_.cleared("paidAt")) {
      add(OrderMoment::PAID, changes_.take({"paidAt"}), "The order was paid.");
    }
    if (created) return;
    add_status();
    add_parcel();
    if (changes_.empty()) return;
    std::string text = timeline_text::edited(changes_.fields(), currency_);
    add(OrderMoment::EDITED, changes_.rest(), std::move(text));
  }

  void add_creation() {
    const JsonLookup* items = changes_.find("items");
    const std::size_t count = items == nullptr ? 0 : items->size("/after");
    std::string text = "The order was placed";
    if (count > 0) text += fmt::format(": {} {}", count, count == 1 ? "item" : "items");
    if (const JsonLookup* total = changes_.find("totalCents")) {
      text += fmt::format("{}{} in total", count > 0 ? ", " : ": ", money(total->integer("/after")));
    }
    add(OrderMoment::CREATED, {}, text + ".");
  }

  void add_discount(bool created) {
    const JsonLookup* id = changes_.find("discountId");
    if (id == nullptr) return;
    const bool removed = changes_.cleared("discountId");
    const JsonLookup* code = changes_.find("discountCode");
    const JsonLookup* amount = changes_.find("discountAmountCents");
    std::string text = "A discount";
    if (const std::string name = code == nullptr ? "" : code->text(removed ? "/before" : "/after"); !name.empty()) {
      text = "The discount " + name;
    }
    text += removed ? " was removed" : " was applied";
    if (!removed && amount != nullptr) text += fmt::format(": {} less", money(amount->integer("/after")));
    JsonObject what = changes_.take({"discountId", "discountCode", "discountAmountCents"});
    if (created && removed) return;
    add(removed ? OrderMoment::DISCOUNT_REMOVED : OrderMoment::DISCOUNT_APPLIED, std::move(what), text + ".");
  }

  // An item whose price was set in this change: it has another one than the product, and did not have it before.
  void find_override(const JsonLookup& item, std::size_t index, const JsonLookup* before,
                     std::vector<OverrideMoment>& all) {
    if (item.text("/priceOverridden") != "true") return;
    if (before != nullptr && before->text("/productId") == item.text("/productId") &&
        before->integer("/unitPriceCents") == item.integer("/unitPriceCents")) {
      return;
    }
    all.push_back({.field = fmt::format("items[{}].unitPriceCents", index),
                   .item_name = item.text("/name"),
                   .cents = Cents(item.integer("/unitPriceCents").value_or(0)),
                   .computed_cents = Cents(item.integer("/listPriceCents").value_or(0)),
                   .currency = Currency::parse(item.text("/currency")).value_or(currency_)});
  }

  void find_item_overrides(std::vector<OverrideMoment>& all) {
    for (const auto& [key, change] : changes_.fields()) {
      if (key == "items") {  // of a new order
        for (std::size_t i = 0; i < change.size("/after"); ++i) {
          find_override(*change.at(fmt::format("/after/{}", i)), i, nullptr, all);
        }
      } else if (key.starts_with("items[")) {
        const auto before = change.at("/before"), after = change.at("/after");
        const auto index = static_cast<std::size_t>(std::atoll(std::string(key.substr(6)).c_str()));
        if (after) find_override(*after, index, before ? &*before : nullptr, all);
      }
    }
  }

  // Amounts of the order that were set by hand are shown here, and not again as edited.
  void find_amount_overrides(std::vector<OverrideMoment>& all) {
    const JsonLookup* made = changes_.find(overrides_key);
    if (made == nullptr) return;
    for (std::size_t i = 0; i < made->size("/after"); ++i) {
      const auto each = made->at(fmt::format("/after/{}", i));
      all.push_back({.field = each->text("/field"),
                     .item_name = {},
                     .cents = Cents(each->integer("/cents").value_or(0)),
                     .computed_cents = Cents(each->integer("/computedCents").value_or(0)),
                     .currency = Currency::parse(each->text("/currency")).value_or(currency_)});
    }
    changes_.take({overrides_key});
    for (const OverrideMoment& each : all) changes_.take({each.field});
  }

  void add_overrides() {
    std::vector<OverrideMoment> all;
    find_item_overrides(all);
    find_amount_overrides(all);
    if (all.empty()) return;
    std::string text;
    for (const OverrideMoment& made : all) text += (text.empty() ? "" : " ") + sentence(made);
    add(OrderMoment::PRICE_OVERRIDDEN, {json::object({{overrides_key, addition(all)}}).text}, std::move(text));
  }

  void add_status() {
    const JsonLookup* status = changes_.find("status");
    if (status == nullptr) return;
    const bool expired = entry_.actor_id == order_expiry_actor().id && entry_.actor_kind == ActorKind::SYSTEM;
    std::string text =
        expired ? "The order was cancelled, because it was not paid in time."
                : fmt::format("The status changed from “{}” to “{}”.", timeline_text::words(status->text("/before")),
                              timeline_text::words(status->text("/after")));
    add(expired ? OrderMoment::EXPIRED : OrderMoment::STATUS_CHANGED, changes_.take({"status"}), std::move(text));
  }

  // A parcel of the order, or its shipping fields if they were edited by hand.
  void add_parcel() {
    const JsonLookup* parcel = changes_.find(parcel_key);
    const bool by_hand = changes_.find("shippingStatus") != nullptr || changes_.find("shipmentId") != nullptr ||
                         changes_.find("trackingNumber") != nullptr;
    if (parcel == nullptr && !by_hand) return;
    std::string text;
    if (parcel != nullptr) {
      text = timeline_text::parcel(parcel->text("/after/moved") == "true" ? parcel->text("/after/status") : "",
                                   parcel->text("/after/carrier"), parcel->text("/after/trackingNumber"));
    } else if (changes_.cleared("shipmentId")) {
      text = "The order has no parcel any more.";
    } else {
      text = timeline_text::parcel(changes_.after("shippingStatus"), "", changes_.after("trackingNumber"));
    }
    add(OrderMoment::PARCEL, changes_.take({parcel_key, "shippingStatus", "shipmentId", "trackingNumber"}),
        std::move(text));
  }

  const AuditEntry& entry_;
  Changes changes_;
  Currency currency_;
  std::vector<TimelineEntry> moments_;
};

}  // namespace

std::vector<TimelineEntry> moments_of(const AuditEntry& entry, Currency currency) {
  return MomentMaker(entry, currency).make();
}

void audit_order_change(const ActionContext& context, const Order& before, const Order& after,
                        const ShipmentPayload* parcel) {
  std::string changes = changes_between(&before, &after, fields_of<Order>());
  if (changes == "{}") return;
  std::vector<OverrideMoment> overrides;
  for (const PriceOverride& made : after.pricing.value.overrides) {
    if (made.at != context.now) continue;
    overrides.push_back({made.field, std::nullopt, made.cents, made.computed_cents, after.currency});
  }
  const auto append = [&](std::string_view key, const json::Value& value) {
    changes.back() = ',';
    json::append_string(changes, key);
    changes += ':' + value.text + '}';
  };
  if (!overrides.empty()) append(overrides_key, addition(overrides));
  if (parcel != nullptr) {
    const bool moved = before.shipping_status != after.shipping_status || before.shipment_id != after.shipment_id ||
                       before.status != after.status;
    append(parcel_key, addition(parcel_moment(*parcel, moved)));
  }
  context.audit({"order", after.id.text()}, "updated", std::move(changes));
}

void record_refund(const ActionContext& context, const OrderId& order, const RefundMoment& refund) {
  context.audit({"order", order.text()}, refund_action, json::object({{refund_key, addition(refund)}}).text);
}

void record_parcel(const ActionContext& context, const OrderId& order, const ShipmentPayload& parcel, bool moved) {
  context.audit({"order", order.text()}, parcel_action,
                json::object({{parcel_key, addition(parcel_moment(parcel, moved))}}).text);
}

Actor order_expiry_actor() {
  return {ActorKind::SYSTEM, "order-expiry", ""};
}

}  // namespace guildhall
