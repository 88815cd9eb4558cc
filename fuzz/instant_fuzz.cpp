// Any text as a date: refused, or read to a moment that is written and read back the same.
#include <cstdint>
#include <cstdlib>

#include "base/instant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace guildhall;
  const auto instant = parse_instant({reinterpret_cast<const char*>(data), size});
  if (instant && parse_instant(to_string(*instant)) != instant) std::abort();
  return 0;
}
