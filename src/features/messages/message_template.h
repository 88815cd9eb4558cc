#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "features/messages/message_kind.h"

// Texts with placeholders in braces, such as {order}. Pure.
namespace guildhall {

// A part of a digital item.
struct MessagePart {
  enum class Style { key, link, text, date };
  Style style = Style::text;
  std::string name;
  std::string text{};           // of a date: what stands before it
  std::optional<Instant> at{};  // of a date
};

// The value of a placeholder. Empty: there is none, and lines that contain the placeholder are left out.
struct MessageValue {
  enum class Type {
    text,      // from a person: escaped for each medium
    sentence,  // of this program
    link,
    date,
    parts,
  };
  Type type = Type::text;
  std::string text;                  // of parts: what is said when not all of them fit into a direct message
  std::optional<Instant> at{};       // of a date
  std::vector<MessagePart> parts{};  // each in lines of its own

  bool empty() const { return type == Type::parts ? parts.empty() : text.empty(); }
};
using MessageValues = std::map<std::string, MessageValue, std::less<>>;

// The names in braces that are no placeholders of the kind, in the order of the text.
std::vector<std::string> unknown_placeholders(MessageKind kind, std::string_view text);

// The text with its values, for each place. A line with a placeholder that has no value is left out.
std::string direct_text(std::string_view text, const MessageValues& values);
std::string email_text(std::string_view text, const MessageValues& values);
std::string email_html(std::string_view text, const MessageValues& values);  // without paragraphs

// The text in one line, without control characters, and not very long.
std::string subject_line(std::string_view text, const MessageValues& values);

// 15 November 2026, or as the language writes it.
std::string date_text(Date date, Language language);

// The carrier's page about a parcel. Empty for a carrier that is not known.
std::string tracking_link(std::string_view carrier, std::string_view tracking_number);

}  // namespace guildhall
