#include "features/fund/fund_celebration.h"

#include "base/money_text.h"
#include "base/text.h"
#include "outbox/chat_messages.h"

namespace guildhall {
namespace {

constexpr std::size_t name_characters_max = 80;
constexpr std::string_view unnamed = "A member";

struct Range {
  char32_t first, last;
};

// Characters that are invisible or change the direction of text: controls, soft hyphen, fillers, zero-width and
// bidirectional marks, variation selectors, tags, private use, non-characters.
constexpr Range invisible[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},     {0x034f, 0x034f},   {0x061c, 0x061c},
    {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},     {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f},   {0x2800, 0x2800},   {0x3164, 0x3164},     {0xe000, 0xf8ff},   {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xffff},     {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0xe0000, 0xe0fff}, {0xf0000, 0xfffff}, {0x100000, 0x10ffff},
};

bool is_invisible(char32_t c) {
  return std::any_of(std::begin(invisible), std::end(invisible),
                     [c](Range range) { return c >= range.first && c <= range.last; });
}

// Removes the first character of valid UTF-8 text and returns it.
char32_t take_character(std::string_view& text, std::string_view& bytes) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t wanted = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  bytes = text.substr(0, wanted);
  text.remove_prefix(bytes.size());
  char32_t value = wanted == 1 ? lead : lead & (0xffu >> (wanted + 1));
  for (const char c : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return value;
}

bool is_ascii_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Replaces characters that begin a mention or an autolink, because a backslash does not stop those on every platform.
std::string_view look_alike(char32_t c) {
  switch (c) {
    case '@':
      return "＠";
    case '<':
      return "‹";
    case '>':
      return "›";
    default:
      return "";
  }
}

void append_plain(std::string& out, char32_t c, std::string_view bytes) {
  if (const std::string_view other = look_alike(c); !other.empty()) {
    out += other;
  } else {
    if (is_ascii_punctuation(c) && c != '\'' && c != ',') out += '\\';
    out += bytes;
  }
}

std::string filled(std::string_view text, std::string_view donor, std::string_view amount, std::string_view balance) {
  const std::pair<std::string_view, std::string_view> values[] = {
      {"{donor}", donor}, {"{amount}", amount}, {"{balance}", balance}};
  std::string out;
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(values), std::end(values),
                                     [&](const auto& value) { return text.starts_with(value.first); });
    if (found != std::end(values)) {
      out += found->second;
      text.remove_prefix(found->first.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

std::string plain_in_chat(std::string_view name) {
  std::string out;
  std::string_view bytes;
  std::size_t taken = 0;
  bool space = false;
  while (!name.empty() && taken < name_characters_max) {
    const char32_t c = take_character(name, bytes);
    space = space || c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0x2028 || c == 0x2029;
    if (c == ' ' || is_invisible(c)) continue;
    if (space && !out.empty()) out += ' ';
    space = false;
    append_plain(out, c, bytes);
    ++taken;
  }
  if (!name.empty()) out += "…";
  return out.empty() ? std::string(unnamed) : out;
}

std::string celebration(const FundConfig& config, const LedgerEntry& contribution, std::string_view donor_name) {
  const std::string amount = money_text(Cents(contribution.change_cents), config.money());
  const std::string balance = money_text(Cents(contribution.balance_cents), config.money());
  const std::string text =
      contribution.anonymous ? filled(config.anonymous_message_template, unnamed, amount, balance)
                             : filled(config.celebration_message_template, plain_in_chat(donor_name), amount, balance);
  return cut_text(text, chat_message_characters_max);
}

}  // namespace guildhall
