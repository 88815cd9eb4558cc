#include "features/orders/order_timeline.h"

namespace guildhall {
namespace {

// The changed fields of an audit entry. Each timeline entry takes its fields; the rest becomes EDITED.
class Changes {
 public:
  explicit Changes(const std::string& stored) {
    decode_stored(stored, [&](JsonValue value, Decoder&) {
      simdjson::dom::object fields;
      if (value.get(fields) != simdjson::SUCCESS) return;
      for (const auto [key, change] : fields) {
        JsonValue before;
        left_.push_back({std::string(key), simdjson::minify(change),
                         change["after"].get(before) != simdjson::SUCCESS || before.is_null()});
      }
    });
  }

  const std::string* find(std::string_view key) const {
    for (const Field& field : left_) {
      if (field.key == key) return &field.change;
    }
    return nullptr;
  }

  bool cleared(std::string_view key) const {
    return std::any_of(left_.begin(), left_.end(),
                       [&](const Field& field) { return field.key == key && field.cleared; });
  }

  JsonObject take(std::initializer_list<std::string_view> keys) {
    std::vector<Field> taken;
    std::erase_if(left_, [&](const Field& field) {
      if (std::find(keys.begin(), keys.end(), field.key) == keys.end()) return false;
      taken.push_back(field);
      return true;
    });
    return {object_of(taken)};
  }

  JsonObject rest() const { return {object_of(left_)}; }
  bool empty() const { return left_.empty(); }

 private:
  struct Field {
    std::string key, change;
    bool cleared;
  };

  static std::string object_of(const std::vector<Field>& fields) {
    return json::write_object([&](json::ObjectWriter& object) {
      for (const Field& field : fields) object.key(field.key) += field.change;
    });
  }

  std::vector<Field> left_;
};

}  // namespace

std::vector<TimelineEntry> moments_of(const AuditEntry& entry) {
  std::vector<TimelineEntry> moments;
  Changes changes(entry.changes);
  const auto add = [&](OrderMoment kind, JsonObject what) {
    moments.push_back({entry.at, kind, entry.actor_kind, entry.actor_id, std::move(what)});
  };
  const bool created = entry.action == "created";
  if (created) add(OrderMoment::CREATED, {});
  if (changes.find("discountId") != nullptr) {
    const bool removed = changes.cleared("discountId");
    JsonObject what = changes.take({"discountId", "discountCode", "discountAmountCents"});
    if (!(created && removed)) {
      add(removed ? OrderMoment::DISCOUNT_REMOVED : OrderMoment::DISCOUNT_APPLIED, std::move(what));
    }
  }
  if (changes.find("paidAt") != nullptr && !changes.cleared("paidAt")) {
    add(OrderMoment::PAID, changes.take({"paidAt"}));
  }
  if (created) return moments;
  if (changes.find("status") != nullptr) {
    const bool expired = entry.actor_id == order_expiry_actor().id && entry.actor_kind == ActorKind::SYSTEM;
    add(expired ? OrderMoment::EXPIRED : OrderMoment::STATUS_CHANGED, changes.take({"status"}));
  }
  if (!changes.empty()) add(OrderMoment::EDITED, changes.rest());
  return moments;
}

Actor order_expiry_actor() {
  return {ActorKind::SYSTEM, "order-expiry", ""};
}

}  // namespace guildhall
