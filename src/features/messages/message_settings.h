#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_types.h"
#include "features/messages/message_kind.h"
#include "storage/database.h"

// The messages that a shop sends to its buyers: by which medium, and with which texts of its own.
namespace guildhall {

// A language, and perhaps a region: de, pt-BR.
struct Locale {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
  bool operator==(const Locale&) const = default;
};
bool is_locale(std::string_view text);

template <>
struct Codec<Locale> : PlainCodec {
  static void decode(JsonValue value, Locale& out, Decoder& decoder);
  static void encode(std::string& out, const Locale& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"string","maxLength":20,"pattern":"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"})");
  }
};

// By which medium messages of a kind are sent.
struct MessageSwitch {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  bool direct = false;
  bool email = false;
};
BOOST_DESCRIBE_STRUCT(MessageSwitch, (), (kind, direct, email))

using SubjectText = Text<200>;
using DirectText = Text<1500>;
using EmailText = Text<5000>;

// A shop's own text. A part that is null is the built-in one.
struct MessageText {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  Locale locale;
  std::optional<SubjectText> subject;
  std::optional<DirectText> direct;
  std::optional<EmailText> email;

  bool has_any() const { return subject || direct || email; }
};
BOOST_DESCRIBE_STRUCT(MessageText, (), (kind, locale, subject, direct, email))

// Reports each placeholder that the kind does not have, too.
template <>
struct Codec<MessageText> : PlainCodec {
  static void decode(JsonValue value, MessageText& out, Decoder& decoder);
  static void encode(std::string& out, const MessageText& text) { encode_object(out, &text, fields_of<MessageText>()); }
  static void schema(Schema& schema) { schema.component(detail::type_name<MessageText>(), fields_of<MessageText>()); }
};

// The shop's switch of a kind, or else the default one.
MessageSwitch switch_of(const std::vector<MessageSwitch>& kinds, MessageKind kind);

constexpr std::size_t message_locales_max = 10;

struct MessageSettings {
  TenantId tenant_id;
  std::optional<std::string> locale;  // of buyers whose language is not known; null: en
  bool email_when_refused = true;     // an e-mail replaces a direct message that cannot be delivered
  std::vector<MessageSwitch> kinds;
  std::vector<MessageText> texts;
  Instant updated_at;
  Hidden<std::int64_t> version;

  MessageSwitch switch_of(MessageKind kind) const { return guildhall::switch_of(kinds, kind); }
};
BOOST_DESCRIBE_STRUCT(MessageSettings, (), (tenant_id, locale, email_when_refused, kinds, texts, updated_at, version))

struct MessageSwitchPatch {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  Change<bool> direct;
  Change<bool> email;
};
BOOST_DESCRIBE_STRUCT(MessageSwitchPatch, (), (kind, direct, email))

struct MessageSettingsPatch {
  using Record = MessageSettings;
  Change<std::optional<Locale>> locale;
  Change<bool> email_when_refused;
  Change<std::vector<MessageSwitchPatch>> kinds;  // the others stay
  Change<std::vector<MessageText>> texts;         // the others stay; a text without any part is removed
};
BOOST_DESCRIBE_STRUCT(MessageSettingsPatch, (), (locale, email_when_refused, kinds, texts))

// Reports each placeholder that the kind does not have.
void check(const MessageText& text, Decoder& decoder);

// Throws TOO_MANY_LOCALES.
void apply(const MessageSettingsPatch& patch, MessageSettings& settings);

// The texts that a buyer with this locale receives: for each part the shop's own text in the locale or its language,
// else the built-in one in that language, else the same for the shop's locale, else the built-in English text.
struct ChosenText {
  std::string subject, direct, email;
  std::string_view button;
  Language language = Language::en;  // of dates, buttons and tables
};
ChosenText chosen_text(const MessageSettings& settings, MessageKind kind, const std::string& locale);

// A tenant without a row has the default settings.
MessageSettings read_message_settings(Tx& tx, const TenantId& tenant);
std::vector<MessageSwitch> read_message_switches(Tx& tx, const TenantId& tenant);

// Writes the record and increments its version. Throws WriteRace if it was changed since it was read.
void put_message_settings(Tx& tx, MessageSettings& settings);

}  // namespace guildhall
