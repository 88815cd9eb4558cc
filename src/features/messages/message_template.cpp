#include "features/messages/message_template.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/function_ref.h"
#include "base/text.h"
#include "base/url.h"
#include "features/fund/fund_celebration.h"
#include "outbox/chat_messages.h"

namespace guildhall {
namespace {

constexpr std::size_t subject_units_max = 200;
constexpr std::size_t chat_parts_characters_max = 1'200;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The name at the beginning of the text if that is a name in braces; else empty.
std::string_view name_at(std::string_view text) {
  if (text.empty() || text.front() != '{') return "";
  std::size_t end = 1;
  while (end < text.size() && is_letter(text[end])) ++end;
  return end > 1 && end < text.size() && text[end] == '}' ? text.substr(1, end - 1) : "";
}

// Calls `literal` for each part without placeholders and `name` for each name in braces.
void split(std::string_view text, FunctionRef<void(std::string_view)> literal,
           FunctionRef<void(std::string_view)> name) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view found = name_at(text.substr(at));
    if (found.empty()) continue;
    if (at > begin) literal(text.substr(begin, at - begin));
    name(found);
    at += found.size() + 1;
    begin = at + 1;
  }
  if (begin < text.size()) literal(text.substr(begin));
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

// How one medium writes the text of the shop and the values.
struct Writer {
  std::string (*literal)(std::string_view);
  std::string (*value)(const MessageValue&);
};

// Nothing if a placeholder of the line has no value.
std::optional<std::string> filled_line(std::string_view line, const MessageValues& values, const Writer& writer) {
  std::string out;
  bool complete = true;
  split(
      line, [&](std::string_view literal) { out += writer.literal(literal); },
      [&](std::string_view name) {
        const auto found = values.find(name);
        if (found == values.end() || found->second.empty()) {
          complete = false;
        } else {
          out += writer.value(found->second);
        }
      });
  return complete ? std::optional(std::move(out)) : std::nullopt;
}

// Lines that are left out leave no more than one empty line, and none at the end.
std::string filled(std::string_view text, const MessageValues& values, const Writer& writer) {
  std::string out;
  bool after_empty = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto line = filled_line(text.substr(0, end), values, writer);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line || (line->empty() && after_empty)) continue;
    out += *line + "\n";
    after_empty = line->empty();
  }
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

std::string same(std::string_view text) {
  return std::string(text);
}

// Grave accents would end the code early. A key that contains some is shown as text.
std::string code_in_chat(const std::string& text) {
  return text.find('`') == std::string::npos ? fmt::format("`{}`", text) : plain_in_chat(text);
}

std::string part_in_chat(const MessagePart& part) {
  const std::string name = plain_in_chat(part.name);
  switch (part.style) {
    case MessagePart::Style::key:
      return fmt::format("{}: {}", name, code_in_chat(part.text));
    case MessagePart::Style::link:
      return fmt::format("{}: <{}>", name, part.text);
    case MessagePart::Style::date:
      return fmt::format("{}: {} <t:{}:f>", name, part.text, part.at ? part.at->ms / 1000 : 0);
    case MessagePart::Style::text:
      break;
  }
  return fmt::format("**{}**\n{}", name, plain_in_chat(part.text));
}

// As many parts as a message has room for: none is cut.
std::string parts_in_chat(const MessageValue& value) {
  std::string out;
  std::size_t left = value.parts.size();
  for (const MessagePart& part : value.parts) {
    const std::string shown = part_in_chat(part);
    if (characters_in(out) + characters_in(shown) > chat_parts_characters_max) break;
    out += (out.empty() ? "" : "\n") + shown;
    --left;
  }
  return left == 0 ? out : out + (out.empty() ? "" : "\n") + value.text;
}

std::string parts_in_text(const MessageValue& value) {
  std::string out;
  for (const MessagePart& part : value.parts) {
    const std::string date = part.at ? " " + to_string(*part.at) : "";
    out += fmt::format("{}{}:{}{}{}", out.empty() ? "" : "\n", one_line(part.name),
                       part.style == MessagePart::Style::text ? "\n" : " ", part.text, date);
  }
  return out;
}

std::string parts_in_html(const MessageValue& value) {
  std::string out;
  for (const MessagePart& part : value.parts) {
    const std::string text = html_escaped(part.text);
    const std::string name = html_escaped(one_line(part.name));
    if (!out.empty()) out += "\n";
    switch (part.style) {
      case MessagePart::Style::key:
        out += fmt::format("{}: <code>{}</code>", name, text);
        break;
      case MessagePart::Style::link:
        out += fmt::format("{0}: <a href=\"{1}\" style=\"color:inherit\">{1}</a>", name, text);
        break;
      case MessagePart::Style::text:
        out += fmt::format("{}:\n{}", name, text);
        break;
      case MessagePart::Style::date:
        out += fmt::format("{}: {} {}", name, text, part.at ? to_string(*part.at) : "");
    }
  }
  return out;
}

std::string value_in_chat(const MessageValue& value) {
  switch (value.type) {
    case MessageValue::Type::date:
      // Each client shows it in its reader's language and time zone.
      return value.at ? fmt::format("<t:{}:D>", value.at->ms / 1000) : plain_in_chat(value.text);
    case MessageValue::Type::link:
      return fmt::format("<{}>", value.text);
    case MessageValue::Type::sentence:
      return value.text;
    case MessageValue::Type::parts:
      return parts_in_chat(value);
    case MessageValue::Type::text:
      break;
  }
  return plain_in_chat(value.text);
}

std::string value_in_text(const MessageValue& value) {
  return value.type == MessageValue::Type::parts ? parts_in_text(value) : one_line(value.text);
}

std::string value_in_html(const MessageValue& value) {
  if (value.type == MessageValue::Type::parts) return parts_in_html(value);
  const std::string text = html_escaped(one_line(value.text));
  if (value.type != MessageValue::Type::link) return text;
  return fmt::format("<a href=\"{}\" style=\"color:inherit\">{}</a>", text, text);
}

constexpr std::array<std::string_view, 12> months_en{"January",   "February", "March",    "April",
                                                     "May",       "June",     "July",     "August",
                                                     "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 12> months_de{"Januar",    "Februar", "März",     "April",
                                                     "Mai",       "Juni",    "Juli",     "August",
                                                     "September", "Oktober", "November", "Dezember"};

struct Carrier {
  std::string_view name, page;
};
// The name must begin so, in any case.
constexpr Carrier carriers[] = {
    {"usps", "https://tools.usps.com/go/TrackConfirmAction?tLabels="},
    {"ups", "https://www.ups.com/track?tracknum="},
    {"fedex", "https://www.fedex.com/fedextrack/?trknbr="},
    {"dhl", "https://www.dhl.com/en/express/tracking.html?AWB="},
    {"dpd", "https://tracking.dpd.de/status/en_US/parcel/"},
    {"gls", "https://gls-group.com/track/"},
    {"hermes", "https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation/#"},
    {"royal", "https://www.royalmail.com/track-your-item#/tracking-results/"},
    {"canada", "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor="},
    {"postnl", "https://postnl.nl/tracktrace/?B="},
};

}  // namespace

std::vector<std::string> unknown_placeholders(MessageKind kind, std::string_view text) {
  std::vector<std::string> unknown;
  const auto known = placeholders_of(kind);
  split(
      text, [](std::string_view) {},
      [&](std::string_view name) {
        if (std::find(known.begin(), known.end(), name) == known.end()) unknown.emplace_back(name);
      });
  return unknown;
}

std::string direct_text(std::string_view text, const MessageValues& values) {
  return cut_text(filled(text, values, {same, value_in_chat}), chat_message_characters_max);
}

std::string email_text(std::string_view text, const MessageValues& values) {
  return filled(text, values, {same, value_in_text});
}

std::string email_html(std::string_view text, const MessageValues& values) {
  return filled(text, values, {html_escaped, value_in_html});
}

std::string subject_line(std::string_view text, const MessageValues& values) {
  return cut_text(one_line(filled(text, values, {same, value_in_text})), subject_units_max);
}

std::string date_text(Date date, Language language) {
  const std::chrono::year_month_day day{date.days};
  const auto month = static_cast<unsigned>(day.month()) - 1;
  const bool german = language == Language::de;
  return fmt::format("{}{} {} {}", static_cast<unsigned>(day.day()), german ? "." : "",
                     german ? months_de[month] : months_en[month], static_cast<int>(day.year()));
}

std::string tracking_link(std::string_view carrier, std::string_view tracking_number) {
  std::string name(carrier);
  std::transform(name.begin(), name.end(), name.begin(), lower);
  for (const Carrier& known : carriers) {
    if (name.starts_with(known.name)) return std::string(known.page) + url_encode(tracking_number);
  }
  return "";
}

}  // namespace guildhall
