#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// The products and discounts of the demo shop.
namespace guildhall::demo {

constexpr std::string_view keeper_role = "300000000000000001";

struct CatalogueProduct {
  std::string_view sku;
  std::string_view picture;  // its name in embedded_pictures()
  std::string_view name;
  std::string_view description;
  std::int64_t price_cents = 0;
  std::uint64_t popularity = 0;         // how often it is bought, compared with the others
  std::optional<std::int64_t> stock{};  // also the pieces that arrive when it does not suffice; nothing: digital
  std::int64_t counted_at_end = -1;     // the stock after the last order, where something has to be low
  std::string_view required_role{};
  std::string_view granted_role{};
  std::int64_t months = 0;  // the period of a membership; 0: it is none

  bool is_digital() const { return !stock; }
};

std::span<const CatalogueProduct> catalogue();

// The index in catalogue() of the membership that the past's members have bought.
std::size_t membership();

constexpr std::string_view celebration_channel = "400000000000000003";

// The codes of the discounts: for everybody at any time; once the fixed amount; a sale that is over.
constexpr std::string_view welcome_code = "WELCOME10", gift_code = "LANTERN5", sale_code = "MIDSUMMER";

}  // namespace guildhall::demo
