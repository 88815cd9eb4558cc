#include "features/messages/message_settings.h"

#include <algorithm>
#include <set>

#include "features/messages/message_template.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::size_t locale_characters_max = 20;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

template <class List>
auto find_switch(List& list, MessageKind kind) {
  return std::find_if(list.begin(), list.end(), [&](const MessageSwitch& each) { return each.kind == kind; });
}

void report_unknown(MessageKind kind, std::string_view field, std::string_view text, Decoder& decoder) {
  const Decoder::Step step(decoder, field);
  for (const std::string& name : unknown_placeholders(kind, text)) {
    decoder.problem(
        fmt::format("has the unknown placeholder {{{}}}; known are {}", name, fmt::join(placeholders_of(kind), ", ")));
  }
}

void put_text(std::vector<MessageText>& texts, const MessageText& text) {
  std::erase_if(texts, [&](const MessageText& each) { return each.kind == text.kind && each.locale == text.locale; });
  if (text.has_any()) texts.push_back(text);
}

// The locales in which a text is looked for, the best first.
std::vector<std::string> candidates(const MessageSettings& settings, const std::string& locale) {
  std::vector<std::string> found;
  for (const std::string& each : {locale, settings.locale.value_or("")}) {
    if (each.empty()) continue;
    found.push_back(each);
    if (const std::size_t dash = each.find('-'); dash != std::string::npos) found.push_back(each.substr(0, dash));
  }
  found.emplace_back("en");
  return found;
}

const MessageText* own_text(const MessageSettings& settings, MessageKind kind, const std::string& locale) {
  for (const MessageText& text : settings.texts) {
    if (text.kind == kind && text.locale.value == locale) return &text;
  }
  return nullptr;
}

}  // namespace

bool is_locale(std::string_view text) {
  if (text.empty() || text.size() > locale_characters_max) return false;
  bool first = true;
  while (true) {
    const std::size_t end = std::min(text.find('-'), text.size());
    const std::string_view part = text.substr(0, end);
    const bool fits = first ? part.size() >= 2 && part.size() <= 3 &&
                                  std::ranges::all_of(part, [](char c) { return c >= 'a' && c <= 'z'; })
                            : part.size() >= 2 && part.size() <= 8 && std::ranges::all_of(part, is_alphanumeric);
    if (!fits) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
    first = false;
  }
}

void Codec<Locale>::decode(JsonValue value, Locale& out, Decoder& decoder) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS || !is_locale(text)) {
    return decoder.problem("must be a language and perhaps a region, such as de or pt-BR");
  }
  out.value = text;
}

// Buyers are informed of everything by e-mail, unless the shop switches it off. Direct messages about memberships are
// part of them, and those with what was bought; those about orders and roles are sent when the shop wishes it, because
// members read them in the chat.
static MessageSwitch default_switch(MessageKind kind) {
  const bool direct = kind >= MessageKind::MEMBERSHIP_ENDING || kind == MessageKind::ITEM_DELIVERED;
  return {.kind = kind, .direct = direct, .email = true};
}

MessageSwitch switch_of(const std::vector<MessageSwitch>& kinds, MessageKind kind) {
  const auto found = find_switch(kinds, kind);
  return found == kinds.end() ? default_switch(kind) : *found;
}

void check(const MessageText& text, Decoder& decoder) {
  if (text.subject) report_unknown(text.kind, "subject", text.subject->value, decoder);
  if (text.direct) report_unknown(text.kind, "direct", text.direct->value, decoder);
  if (text.email) report_unknown(text.kind, "email", text.email->value, decoder);
}

void Codec<MessageText>::decode(JsonValue value, MessageText& out, Decoder& decoder) {
  decode_object(value, &out, fields_of<MessageText>(), {}, decoder);
  std::string_view kind;
  const bool kind_known = value["kind"].get(kind) == simdjson::SUCCESS && kind == name_of(out.kind);
  if (!decoder.from_store() && kind_known) check(out, decoder);
}

void apply(const MessageSettingsPatch& patch, MessageSettings& settings) {
  if (patch.locale) {
    settings.locale.reset();
    if (*patch.locale) settings.locale = (*patch.locale)->value;
  }
  patch.email_when_refused.apply_to(settings.email_when_refused);
  if (patch.kinds) {
    for (const MessageSwitchPatch& change : *patch.kinds) {
      MessageSwitch present = settings.switch_of(change.kind);
      change.direct.apply_to(present.direct);
      change.email.apply_to(present.email);
      std::erase_if(settings.kinds, [&](const MessageSwitch& each) { return each.kind == change.kind; });
      settings.kinds.push_back(present);
    }
    std::ranges::sort(settings.kinds, {}, &MessageSwitch::kind);
  }
  if (patch.texts) {
    for (const MessageText& text : *patch.texts) put_text(settings.texts, text);
    std::ranges::sort(settings.texts, {},
                      [](const MessageText& text) { return std::pair(text.kind, text.locale.value); });
  }
  std::set<std::string> locales;
  for (const MessageText& text : settings.texts) locales.insert(text.locale.value);
  if (locales.size() > message_locales_max) {
    throw bad_request("TOO_MANY_LOCALES",
                      fmt::format("A shop can have texts in at most {} locales.", message_locales_max));
  }
}

ChosenText chosen_text(const MessageSettings& settings, MessageKind kind, const std::string& locale) {
  ChosenText chosen;
  bool has_language = false;
  const auto take = [](std::string& part, std::string_view text) {
    if (part.empty()) part = text;
  };
  for (const std::string& candidate : candidates(settings, locale)) {
    const auto language = language_of(candidate);
    if (const MessageText* own = own_text(settings, kind, candidate)) {
      if (own->subject) take(chosen.subject, own->subject->value);
      if (own->direct) take(chosen.direct, own->direct->value);
      if (own->email) take(chosen.email, own->email->value);
    }
    // The built-in text comes after the shop's own text of the language without its region.
    if (!language || candidate.find('-') != std::string::npos) continue;
    const BuiltInText& built_in = built_in_text(kind, *language);
    take(chosen.subject, built_in.subject);
    take(chosen.direct, built_in.direct);
    take(chosen.email, built_in.email);
    if (!has_language) {
      chosen.language = *language;
      chosen.button = built_in.button;
      has_language = true;
    }
  }
  return chosen;
}

static const Sql by_tenant_sql(select_from<MessageSettings>("message_settings") + " WHERE tenant_id = $1");

MessageSettings read_message_settings(Tx& tx, const TenantId& tenant) {
  auto found = tx.one(Select<MessageSettings>{{&by_tenant_sql, params(tenant)}, read_row<MessageSettings>});
  if (found) return std::move(*found);
  MessageSettings unset;
  unset.tenant_id = tenant;
  return unset;
}

static const Sql kinds_sql("SELECT kinds FROM message_settings WHERE tenant_id = $1");

std::vector<MessageSwitch> read_message_switches(Tx& tx, const TenantId& tenant) {
  std::vector<MessageSwitch> kinds;
  tx.run({&kinds_sql, params(tenant)},
         [&](const Row& row) { kinds = Column<std::vector<MessageSwitch>>::read(row, 0); });
  return kinds;
}

static const Sql put_sql(insert_into<MessageSettings>("message_settings") +
                         " ON CONFLICT (tenant_id) DO UPDATE SET locale = excluded.locale,"
                         " email_when_refused = excluded.email_when_refused, kinds = excluded.kinds,"
                         " texts = excluded.texts, updated_at = excluded.updated_at, version = excluded.version"
                         " WHERE message_settings.version = excluded.version - 1");

void put_message_settings(Tx& tx, MessageSettings& settings) {
  write_versioned(tx, put_sql, settings);
}

}  // namespace guildhall
