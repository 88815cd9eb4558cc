#include "features/chat/answer.h"

#include "base/json_writer.h"
#include "base/text_cut.h"

namespace guildhall::chat {
namespace {

constexpr std::size_t content_max = 2000;
constexpr std::size_t embeds_max = 10, embed_text_max = 6000, title_max = 256, description_max = 4096;
constexpr std::size_t fields_max = 25, field_name_max = 256, field_value_max = 1024, footer_max = 2048;
constexpr std::size_t rows_max = 5, buttons_max = 5, label_max = 80, option_text_max = 100, placeholder_max = 150;
constexpr std::size_t modal_title_max = 45, inputs_max = 5, input_label_max = 45, input_placeholder_max = 100;
constexpr int ephemeral = 64;

// Builds {"key":value,…}; `out` ends in an open object.
class Object {
 public:
  explicit Object(std::string& out) : out_(out) { out_ += '{'; }
  ~Object() { out_ += '}'; }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  std::string& key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    json::append_string(out_, name);
    return out_ += ':';
  }
  void text(std::string_view name, const std::string& value, std::size_t max) {
    json::append_string(key(name), cut_text(value, max));
  }
  void optional_text(std::string_view name, const std::string& value, std::size_t max) {
    if (!value.empty()) text(name, value, max);
  }
  void number(std::string_view name, std::int64_t value) { json::append_integer(key(name), value); }
  void flag(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }

 private:
  std::string& out_;
  bool first_ = true;
};

template <class T, class Append>
void append_list(std::string& out, const std::vector<T>& list, std::size_t max, Append append) {
  out += '[';
  for (std::size_t i = 0; i < std::min(list.size(), max); ++i) {
    if (i > 0) out += ',';
    append(list[i]);
  }
  out += ']';
}

// All embeds of a message together have one limit besides their own: each text takes what is left of it, and what no
// longer has room is left out.
std::vector<Embed> fitted(const std::vector<Embed>& embeds) {
  std::size_t left = embed_text_max;
  const auto fit = [&](std::string& text, std::size_t max) {
    text = cut_text(std::move(text), std::min(max, left));
    left -= utf16_units(text);
  };
  std::vector<Embed> kept;
  for (Embed embed : embeds) {
    if (left == 0 || kept.size() == embeds_max) break;
    fit(embed.title, title_max);
    fit(embed.description, description_max);
    std::size_t fields = 0;
    for (EmbedField& field : embed.fields) {
      if (fields == fields_max || left <= field_name_max) break;
      fit(field.name, field_name_max);
      fit(field.value, field_value_max);
      ++fields;
    }
    embed.fields.resize(fields);
    fit(embed.footer, footer_max);
    kept.push_back(std::move(embed));
  }
  return kept;
}

void append_embed(std::string& out, const Embed& embed) {
  Object object(out);
  object.text("title", embed.title, title_max);
  object.optional_text("description", embed.description, description_max);
  append_list(object.key("fields"), embed.fields, fields_max, [&](const EmbedField& field) {
    Object entry(out);
    entry.text("name", field.name, field_name_max);
    entry.text("value", field.value, field_value_max);
    entry.flag("inline", field.beside);
  });
  if (embed.footer.empty()) return;
  Object footer(object.key("footer"));
  footer.text("text", embed.footer, footer_max);
}

void append_button(std::string& out, const Button& button) {
  Object object(out);
  object.number("type", 2);
  object.number("style", static_cast<int>(button.style));
  object.text("label", button.label, label_max);
  json::append_string(object.key(button.style == Button::Style::link ? "url" : "custom_id"), button.target);
}

void append_select(std::string& out, const Select& select) {
  Object object(out);
  object.number("type", 3);
  json::append_string(object.key("custom_id"), select.custom_id);
  object.text("placeholder", select.placeholder, placeholder_max);
  append_list(object.key("options"), select.options, select_options_max, [&](const Option& option) {
    Object entry(out);
    entry.text("label", option.label, option_text_max);
    json::append_string(entry.key("value"), option.value);
    entry.optional_text("description", option.description, option_text_max);
  });
}

void append_row(std::string& out, const Row& row) {
  Object object(out);
  object.number("type", 1);
  std::string& list = object.key("components");
  if (const auto* buttons = std::get_if<Buttons>(&row)) {
    append_list(list, *buttons, buttons_max, [&](const Button& button) { append_button(out, button); });
  } else {
    list += '[';
    append_select(out, std::get<Select>(row));
    out += ']';
  }
}

void append_message(std::string& out, const Message& message, bool with_flags) {
  Object object(out);
  object.text("content", message.content, content_max);
  append_list(object.key("embeds"), fitted(message.embeds), embeds_max,
              [&](const Embed& embed) { append_embed(out, embed); });
  append_list(object.key("components"), message.rows, rows_max, [&](const Row& row) { append_row(out, row); });
  if (with_flags) object.number("flags", ephemeral);
  object.key("allowed_mentions") += R"({"parse":[]})";
}

void append_input(std::string& out, const TextInput& input) {
  Object row(out);
  row.number("type", 1);
  row.key("components") += '[';
  {
    Object object(out);
    object.number("type", 4);
    json::append_string(object.key("custom_id"), input.custom_id);
    object.text("label", input.label, input_label_max);
    object.number("style", input.paragraph ? 2 : 1);
    object.flag("required", input.required);
    object.number("max_length", static_cast<std::int64_t>(input.length_max));
    object.optional_text("value", input.value, input.length_max);
    object.optional_text("placeholder", input.placeholder, input_placeholder_max);
  }
  out += ']';
}

void append_modal(std::string& out, const Modal& modal) {
  Object object(out);
  json::append_string(object.key("custom_id"), modal.custom_id);
  object.text("title", modal.title, modal_title_max);
  append_list(object.key("components"), modal.inputs, inputs_max,
              [&](const TextInput& input) { append_input(out, input); });
}

struct Writer {
  std::string& out;

  void operator()(const Message& message) {
    Object object(out);
    object.number("type", 4);
    object.key("data");
    append_message(out, message, true);
  }
  void operator()(const Modal& modal) {
    Object object(out);
    object.number("type", 9);
    object.key("data");
    append_modal(out, modal);
  }
  void operator()(Pong) { out += R"({"type":1})"; }
  void operator()(Deferred) { out += R"({"type":5,"data":{"flags":64}})"; }
};

}  // namespace

std::string answer_json(const Answer& answer) {
  std::string out;
  std::visit(Writer{out}, answer);
  return out;
}

std::string message_json(const Message& message) {
  std::string out;
  append_message(out, message, false);
  return out;
}

}  // namespace guildhall::chat
