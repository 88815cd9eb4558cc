// Any text as a Cookie header: what is found lies within it, and a signature only fits what was signed.
#include <cstdint>
#include <cstdlib>

#include "base/crypto.h"
#include "base/encoding.h"
#include "http/cookies.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace guildhall;
  static const HmacSha256 signer("fuzz");
  const std::string_view header(reinterpret_cast<const char*>(data), size);
  const std::string_view value = http::cookie_value(header, "service_auth");
  if (!value.empty() && (value.data() < header.data() || value.data() + value.size() > header.data() + size))
    std::abort();
  const std::size_t dot = value.find('.');
  if (dot == std::string_view::npos) return 0;
  const auto signature = from_base64url(value.substr(dot + 1));
  if (signature && signer.verify(value.substr(0, dot), *signature)) std::abort();  // nobody guesses a signature
  return 0;
}
