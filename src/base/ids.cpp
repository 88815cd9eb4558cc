#include "base/ids.h"

#include <atomic>
#include <sodium.h>

namespace guildhall {
namespace {

// Random bytes, requested from the system in blocks because every request needs some.
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

// Returns the 48-bit time and 12-bit sequence of RFC 9562's method 1. They increase with every call, on whichever
// thread, so that records that were made within one millisecond are listed in the order in which they were made.
std::uint64_t next_in_sequence(std::int64_t now_ms, unsigned random) {
  static std::atomic<std::uint64_t> last{0};
  const std::uint64_t earliest =
      static_cast<std::uint64_t>(now_ms) << 12 | (random & 0x7ff);  // leaves half of the sequence to count up
  std::uint64_t previous = last.load(std::memory_order_relaxed), next = 0;
  do {
    next = std::max(earliest, previous + 1);
  } while (!last.compare_exchange_weak(previous, next, std::memory_order_relaxed));
  return next;
}

}  // namespace

bool is_tenant_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string make_uuid(Instant now) {
  thread_local RandomPool random;
  std::array<unsigned char, 16> bytes;
  random.fill(bytes);
  const std::uint64_t sequence = next_in_sequence(now.ms, static_cast<unsigned>(bytes[6]) << 8 | bytes[7]);
  for (int i = 0; i < 6; ++i) {
    bytes[static_cast<std::size_t>(i)] = static_cast<unsigned char>(sequence >> (52 - 8 * i));
  }
  bytes[6] = static_cast<unsigned char>(0x70 | (sequence >> 8 & 0xf));
  bytes[7] = static_cast<unsigned char>(sequence);
  bytes[8] = static_cast<unsigned char>(0x80 | (bytes[8] & 0x3f));

  constexpr std::string_view hex_digits = "0123456789abcdef";
  std::string text(36, '-');
  char* out = text.data();  // written through a pointer for speed: every request makes an id
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) ++out;
    *out++ = hex_digits[bytes[i] >> 4];
    *out++ = hex_digits[bytes[i] & 15];
  }
  return text;
}

}  // namespace guildhall
