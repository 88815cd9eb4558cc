#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace guildhall {

// A socket address.
struct Address {
  std::string host;  // an IP literal
  std::uint16_t port = 0;

  std::string text() const;  // 127.0.0.1:8080, [::1]:8080
};

// A range of addresses: 10.0.0.0/8, fd00::/8, or a single address.
struct AddressRange {
  std::array<unsigned char, 16> bytes{};  // IPv4 as IPv4-mapped IPv6
  int prefix_bits = 128;

  bool contains(std::string_view address) const;
  static std::optional<AddressRange> parse(std::string_view text);
};

// Returns the form under which limits count a client's address. An IPv6 address counts by its /64, because one client
// can use all addresses of such a network. An IPv4 address counts by itself, also if it is written as IPv4-mapped IPv6.
// A text that is not an address is returned unchanged.
std::string counted_address(std::string_view address);

}  // namespace guildhall
