#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>

#include "base/instant.h"

namespace guildhall {

// Returns a new UUIDv7. UUIDs sort by the time at which they were made; within one process each is greater than all
// that were made before.
std::string make_uuid(Instant now);

// A tenant's id is chosen by people: 1 to 64 characters of A-Z a-z 0-9 _ -.
bool is_tenant_id(std::string_view text);

// The id of one kind of record. Ids of different kinds are different types, so that mixing them up does not compile.
// The text is opaque: an id in the wrong format is simply not found.
template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}
  explicit Id(std::string_view text) : text_(text) {}
  static Id make(Instant now) { return Id(make_uuid(now)); }

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  auto operator<=>(const Id&) const = default;

 private:
  std::string text_;
};

using TenantId = Id<struct TenantTag>;
using UserId = Id<struct UserTag>;
using CustomerId = Id<struct CustomerTag>;
using ProductId = Id<struct ProductTag>;
using DiscountId = Id<struct DiscountTag>;
using OrderId = Id<struct OrderTag>;
using OutboxMessageId = Id<struct OutboxMessageTag>;
using WebhookEventId = Id<struct WebhookEventTag>;
using WebhookEndpointId = Id<struct WebhookEndpointTag>;
using WebhookDeliveryId = Id<struct WebhookDeliveryTag>;

}  // namespace guildhall
