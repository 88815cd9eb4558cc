#include "http/client_address.h"

#include "base/ascii.h"

namespace guildhall::http {
namespace {

bool is_trusted(std::string_view address, std::span<const AddressRange> trusted) {
  return std::any_of(trusted.begin(), trusted.end(), [&](const auto& range) { return range.contains(address); });
}

}  // namespace

std::string_view client_address(const Request& request, std::span<const AddressRange> trusted_proxies) {
  std::string_view address = request.peer;
  if (trusted_proxies.empty() || !is_trusted(address, trusted_proxies)) return address;
  // Several X-Forwarded-For lines form one list; the last entry of the last line was added by the nearest proxy.
  for (auto header = request.headers.rbegin(); header != request.headers.rend(); ++header) {
    if (!is_text(header->name, "x-forwarded-for")) continue;
    std::string_view list = header->value;
    while (!list.empty()) {
      const std::size_t comma = list.rfind(',');
      const std::string_view hop = trim(comma == std::string_view::npos ? list : list.substr(comma + 1));
      list = comma == std::string_view::npos ? std::string_view{} : list.substr(0, comma);
      if (!AddressRange::parse(hop)) return address;
      address = hop;
      if (!is_trusted(address, trusted_proxies)) return address;
    }
  }
  return address;
}

}  // namespace guildhall::http
