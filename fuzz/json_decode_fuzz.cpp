// Any bytes as a body: decoded into a declared struct or refused, and what was decoded encodes to something that
// decodes to the same.
#include <cstdint>
#include <cstdlib>

#include "base/declared.h"

namespace guildhall {
namespace {

enum class Kind { ONE, TWO };
BOOST_DESCRIBE_ENUM(Kind, ONE, TWO)

struct Part {
  Text<20> name;
  std::optional<Email> email;
  std::vector<Bounded<0, 100>> counts;
};
BOOST_DESCRIBE_STRUCT(Part, (), (name, email, counts))

struct Whole {
  std::string text;
  std::optional<Instant> at;
  std::vector<Part> parts;
  Default<Kind> kind{Kind::ONE};
  std::optional<bool> flag;
  std::optional<std::int64_t> number;
};
BOOST_DESCRIBE_STRUCT(Whole, (), (text, at, parts, kind, flag, number))

}  // namespace
}  // namespace guildhall

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace guildhall;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const std::string once = to_json(from_json<Whole>(bytes));
    if (to_json(from_json<Whole>(once)) != once) std::abort();
  } catch (const Failure&) {
    // refused, as most bytes are
  }
  try {
    decode_query(bytes, [](JsonValue json, Decoder& decoder) {
      Part part;
      Codec<Part>::decode(json, part, decoder);
    });
  } catch (const Failure&) {
    // likewise
  }
  return 0;
}
