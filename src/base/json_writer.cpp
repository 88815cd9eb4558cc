#include "base/json_writer.h"

namespace guildhall::json {
namespace {

constexpr std::array<bool, 256> make_escaped() {
  std::array<bool, 256> escaped{};
  for (int c = 0; c < 0x20; ++c) escaped[static_cast<std::size_t>(c)] = true;
  escaped['"'] = escaped['\\'] = escaped[0x7f] = true;
  return escaped;
}
constexpr std::array<bool, 256> must_escape = make_escaped();

constexpr std::size_t scratch_kept_max = 64 * 1024;
thread_local std::string kept_scratch;

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += fmt::format("\\u{:04x}", c);
  }
}

}  // namespace

Scratch::Scratch() : text(std::move(kept_scratch)) {
  text.clear();
}

Scratch::~Scratch() {
  if (text.capacity() <= scratch_kept_max) kept_scratch = std::move(text);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!must_escape[c]) continue;
    out.append(text, plain, i - plain);
    append_escaped(out, c);
    plain = i + 1;
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_integer(std::string& out, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_number(std::string& out, double number) {
  std::array<char, 40> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

std::string& ObjectWriter::key(std::string_view name) {
  if (!is_empty_) out_ += ',';
  is_empty_ = false;
  append_string(out_, name);
  return out_ += ':';
}

std::string& ArrayWriter::next() {
  if (!is_empty_) out_ += ',';
  is_empty_ = false;
  return out_;
}

Value verbatim(std::string json) {
  Value value(nullptr);
  value.text = std::move(json);
  return value;
}

Value object(std::initializer_list<Member> members) {
  return verbatim(write_object([&](ObjectWriter& object) {
    for (const Member& member : members) object.add(member.key, member.value);
  }));
}

Value array(std::initializer_list<Value> elements) {
  return verbatim(write_array([&](ArrayWriter& array) {
    for (const Value& element : elements) array.add(element);
  }));
}

}  // namespace guildhall::json
