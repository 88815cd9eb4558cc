#include "base/typed_code.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/totp.h"

namespace guildhall {

std::string make_typed_code() {
  constexpr std::size_t code_bytes = 10;  // 16 characters
  std::string code = base32(random_bytes(code_bytes));
  for (std::size_t at = 4; at < code.size(); at += 5) code.insert(at, "-");
  return code;
}

std::string hash_of_typed_code(std::string_view code) {
  std::string plain;
  for (const char c : code) {
    if (c != '-' && c != ' ') plain += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return hex(sha256(plain));
}

}  // namespace guildhall
