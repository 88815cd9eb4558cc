#include "base/ids.h"

#include <sodium.h>

namespace guildhall {
namespace {

// Random bytes, fetched from the system a page at a time.
class RandomPool {
 public:
  void fill(std::span<unsigned char> out) {
    if (used_ + out.size() > pool_.size()) {
      randombytes_buf(pool_.data(), pool_.size());
      used_ = 0;
    }
    std::memcpy(out.data(), pool_.data() + used_, out.size());
    used_ += out.size();
  }

 private:
  std::array<unsigned char, 4096> pool_;
  std::size_t used_ = sizeof(pool_);
};

// The 48-bit time and 12-bit sequence of RFC 9562's method 1: within one millisecond a counter keeps ids
// rising.
struct Sequence {
  std::int64_t ms = 0;
  unsigned counter = 0;

  void advance(std::int64_t now_ms, unsigned random) {
    if (now_ms > ms) {
      ms = now_ms;
      counter = random & 0x7ff;  // leaves room to count up
    } else if (++counter > 0xfff) {
      ++ms;
      counter = 0;
    }
  }
};

}  // namespace

bool is_tenant_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string make_uuid(Instant now) {
  thread_local RandomPool random;
  thread_local Sequence sequence;
  std::array<unsigned char, 16> bytes;
  random.fill(bytes);
  sequence.advance(now.ms, static_cast<unsigned>(bytes[6]) << 8 | bytes[7]);
  for (int i = 0; i < 6; ++i) {
    bytes[static_cast<std::size_t>(i)] = static_cast<unsigned char>(sequence.ms >> (40 - 8 * i));
  }
  bytes[6] = static_cast<unsigned char>(0x70 | sequence.counter >> 8);
  bytes[7] = static_cast<unsigned char>(sequence.counter);
  bytes[8] = static_cast<unsigned char>(0x80 | (bytes[8] & 0x3f));

  constexpr std::string_view hex_digits = "0123456789abcdef";
  std::string text(36, '-');
  char* out = text.data();  // every request has an id: no growing, no checks
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) ++out;
    *out++ = hex_digits[bytes[i] >> 4];
    *out++ = hex_digits[bytes[i] & 15];
  }
  return text;
}

}  // namespace guildhall
