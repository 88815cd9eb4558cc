#include "base/address.h"

#include <arpa/inet.h>

namespace guildhall {

std::string Address::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
  AddressRange range;
  const std::size_t slash = text.find('/');
  const std::string host(text.substr(0, slash));
  const bool four = inet_pton(AF_INET, host.c_str(), range.bytes.data() + 12) == 1;
  if (four) {
    range.bytes[10] = range.bytes[11] = 0xff;
  } else if (inet_pton(AF_INET6, host.c_str(), range.bytes.data()) != 1) {
    return std::nullopt;
  }
  if (slash != std::string_view::npos) {
    const std::string_view bits = text.substr(slash + 1);
    const auto [end, error] = std::from_chars(bits.data(), bits.data() + bits.size(), range.prefix_bits);
    if (error != std::errc() || end != bits.data() + bits.size()) return std::nullopt;
    if (range.prefix_bits < 0 || range.prefix_bits > (four ? 32 : 128)) return std::nullopt;
    if (four) range.prefix_bits += 96;
  }
  return range;
}

bool AddressRange::contains(std::string_view address) const {
  const auto other = parse(address);
  if (!other || other->prefix_bits != 128) return false;
  for (int bit = 0; bit < prefix_bits; ++bit) {
    const auto byte = static_cast<std::size_t>(bit / 8);
    if (((bytes[byte] ^ other->bytes[byte]) >> (7 - bit % 8) & 1) != 0) return false;
  }
  return true;
}

std::string counted_address(std::string_view address) {
  if (address.find(':') == std::string_view::npos) return std::string(address);
  auto range = AddressRange::parse(address);
  if (!range) return std::string(address);
  char text[INET6_ADDRSTRLEN];
  // An IPv4 address inside of an IPv6 address: mapped, or translated by NAT64.
  using Prefix = std::array<std::uint8_t, 12>;
  for (const Prefix& prefix : {Prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, Prefix{0, 0x64, 0xff, 0x9b}}) {
    if (std::equal(prefix.begin(), prefix.end(), range->bytes.begin())) {
      return inet_ntop(AF_INET, range->bytes.data() + 12, text, sizeof text);
    }
  }
  std::fill(range->bytes.begin() + 8, range->bytes.end(), 0);
  return std::string(inet_ntop(AF_INET6, range->bytes.data(), text, sizeof text)) + "/64";
}

}  // namespace guildhall
