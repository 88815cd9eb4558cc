#include "features/chat/interaction.h"

#include "base/codec.h"

namespace guildhall::chat {
namespace {

constexpr std::uint64_t administrator = 0x8, manage_guild = 0x20;
constexpr int option_depth_max = 3;  // a group, a sub-command, its options
constexpr std::size_t token_characters_max = 2000;
constexpr std::size_t sender_bytes_max = 64;  // the sender becomes part of a cache key

std::optional<JsonValue> at(JsonValue value, std::string_view key) {
  JsonValue found;
  if (!value.is_object() || value[key].get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
  return found;
}

// The id of the member whom any body names, also one that is otherwise wrong. Empty if there is none.
std::string sender_of(JsonValue document) {
  const auto id_in = [](std::optional<JsonValue> holder) -> std::string {
    const auto user = holder ? at(*holder, "user") : std::nullopt;
    const auto id = user ? at(*user, "id") : std::nullopt;
    std::string_view text;
    if (!id || id->get(text) != simdjson::SUCCESS || text.size() > sender_bytes_max) return "";
    return std::string(text);
  };
  std::string member = id_in(at(document, "member"));
  return member.empty() ? id_in(document) : member;
}

// Decodes the members of an object. A missing required member, and one of a wrong type, is recorded as a problem.
class Reader {
 public:
  Reader(JsonValue value, Decoder& decoder) : value_(value), decoder_(decoder) {}

  std::string text(std::string_view key, bool required = false, std::size_t characters_max = key_characters_max) const {
    const Decoder::Step step(decoder_, key);
    std::string out;
    if (const auto found = at(value_, key)) {
      if (!decode_text(*found, out, characters_max, decoder_)) return out;
    }
    if (required && is_blank(out)) decoder_.problem("is required");
    return out;
  }

  template <class Read>
  void object(std::string_view key, bool required, Read read) const {
    const Decoder::Step step(decoder_, key);
    const auto found = at(value_, key);
    if (!found) {
      if (required) decoder_.problem("is required");
    } else if (!found->is_object()) {
      decoder_.problem("must be an object");
    } else {
      read(Reader(*found, decoder_));
    }
  }

  template <class Read>
  void list(std::string_view key, Read read) const {
    const Decoder::Step step(decoder_, key);
    const auto found = at(value_, key);
    if (!found) return;
    simdjson::dom::array array;
    if (found->get(array) != simdjson::SUCCESS) return decoder_.problem("must be a list");
    std::size_t index = 0;
    for (const JsonValue element : array) {
      const Decoder::Step place(decoder_, index++);
      read(element);
    }
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> out;
    list(key, [&](JsonValue element) { decode_text(element, out.emplace_back(), key_characters_max, decoder_); });
    return out;
  }

  JsonValue value() const { return value_; }
  Decoder& decoder() const { return decoder_; }

 private:
  JsonValue value_;
  Decoder& decoder_;
};

std::string scalar_text(JsonValue value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value);
}

// Options may be nested in a sub-command, and sub-commands in a group.
void read_options(const Reader& holder, Interaction& out, int depth) {
  if (depth > option_depth_max) return;
  holder.list("options", [&](JsonValue element) {
    const Reader option(element, holder.decoder());
    const std::string name = option.text("name", true);
    if (const auto value = at(element, "value")) out.inputs[name] = scalar_text(*value);
    read_options(option, out, depth + 1);
  });
}

// The platform lists which of the ids in options are members and channels of the guild.
void read_resolved(const Reader& data, Interaction& out) {
  data.object("resolved", false, [&](const Reader& resolved) {
    out.has_resolved = true;
    for (const std::string_view kind : {"members", "channels"}) {
      resolved.object(kind, false, [&](const Reader& found) {
        for (const auto entry : simdjson::dom::object(found.value())) out.resolved.insert(std::string(entry.key));
      });
    }
  });
}

void read_input(const Reader& input, Interaction& out) {
  const std::string name = input.text("custom_id", true);
  out.inputs[name] = input.text("value", false, text_characters_max);
}

// The platform sends inputs in two shapes: rows of inputs, or labels with one input each.
void read_inputs(const Reader& data, Interaction& out) {
  data.list("components", [&](JsonValue element) {
    const Reader holder(element, data.decoder());
    holder.list("components", [&](JsonValue input) { read_input(Reader(input, data.decoder()), out); });
    holder.object("component", false, [&](const Reader& input) { read_input(input, out); });
  });
}

void read_user(const Reader& user, Interaction& out) {
  out.user_id = user.text("id", true);
  out.username = user.text("username");
  out.display_name = user.text("global_name");
}

void read_member(const Reader& member, Interaction& out) {
  member.object("user", true, [&](const Reader& user) { read_user(user, out); });
  if (const std::string nick = member.text("nick"); !is_blank(nick)) out.display_name = nick;
  out.role_ids = member.texts("roles");
  const std::string permissions = member.text("permissions");
  std::uint64_t bits = 0;
  std::from_chars(permissions.data(), permissions.data() + permissions.size(), bits);
  out.manages_guild = (bits & (administrator | manage_guild)) != 0;
}

void read_sender(const Reader& body, Interaction& out) {
  body.object("user", false, [&](const Reader& user) { read_user(user, out); });
  body.object("member", false, [&](const Reader& member) { read_member(member, out); });
  if (is_blank(out.username)) out.username = out.user_id;
  if (is_blank(out.display_name)) out.display_name = out.username;
}

void read_type(const Reader& body, Interaction& out) {
  const Decoder::Step step(body.decoder(), "type");
  const auto found = at(body.value(), "type");
  if (!found) return body.decoder().problem("is required");
  std::int64_t type = 1;
  decode_integer(*found, type, 1, 5, body.decoder());
  if (type == 4) body.decoder().problem("must be 1 (ping), 2 (command), 3 (component) or 5 (modal)");
  out.type = static_cast<Interaction::Type>(type);
}

void read(const Reader& body, Interaction& out) {
  read_type(body, out);
  out.id = body.text("id");
  if (out.type == Interaction::Type::ping) return;
  out.application_id = body.text("application_id");
  out.token = body.text("token", false, token_characters_max);
  out.guild_id = body.text("guild_id");
  out.channel_id = body.text("channel_id");
  out.locale = body.text("locale");
  read_sender(body, out);
  body.object("data", true, [&](const Reader& data) {
    out.name = data.text(out.type == Interaction::Type::command ? "name" : "custom_id", true);
    if (out.type == Interaction::Type::command) read_options(data, out, 1);
    if (out.type != Interaction::Type::modal) read_resolved(data, out);
    if (out.type == Interaction::Type::component) out.chosen = data.texts("values");
    if (out.type == Interaction::Type::modal) read_inputs(data, out);
  });
}

}  // namespace

std::string Interaction::input(const std::string& key) const {
  const auto found = inputs.find(key);
  return found == inputs.end() ? "" : found->second;
}

ParsedInteraction parse_interaction(std::string_view body) {
  ParsedInteraction parsed;
  const auto decode = [&](JsonValue document, Decoder& decoder) {
    parsed.sender = sender_of(document);
    read(Reader(document, decoder), parsed.interaction);
  };
  try {
    decode_document(body, decode);
  } catch (const Failure& failure) {
    parsed.failure = failure;
  }
  return parsed;
}

}  // namespace guildhall::chat
