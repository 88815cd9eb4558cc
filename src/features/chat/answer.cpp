#include "features/chat/answer.h"

#include "base/json_writer.h"
#include "base/text.h"

namespace guildhall::chat {
namespace {

constexpr std::size_t content_max = 2000;
constexpr std::size_t embeds_max = 10, embed_text_max = 6000, title_max = 256, description_max = 4096;
constexpr std::size_t fields_max = 25, field_name_max = 256, field_value_max = 1024, footer_max = 2048;
constexpr std::size_t rows_max = 5, buttons_max = 5, label_max = 80, option_text_max = 100, placeholder_max = 150;
constexpr std::size_t modal_title_max = 45, inputs_max = 5, input_label_max = 45, input_placeholder_max = 100;
constexpr int ephemeral = 64;

void add_cut(json::ObjectWriter& object, std::string_view name, const std::string& text, std::size_t max) {
  object.add(name, cut_text(text, max));
}

void add_cut_unless_empty(json::ObjectWriter& object, std::string_view name, const std::string& text, std::size_t max) {
  if (!text.empty()) add_cut(object, name, text, max);
}

// A list of the first `max` elements.
template <class T, class Append>
void append_list(std::string& out, const std::vector<T>& list, std::size_t max, Append append) {
  json::ArrayWriter writer(out);
  for (std::size_t i = 0; i < std::min(list.size(), max); ++i) append(writer.next(), list[i]);
}

// All embeds of a message share one limit besides their own limits: later texts are cut to the rest of it, and embeds
// and fields for which nothing remains are left out.
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

void append_field(std::string& out, const EmbedField& field) {
  json::ObjectWriter object(out);
  add_cut(object, "name", field.name, field_name_max);
  add_cut(object, "value", field.value, field_value_max);
  object.add("inline", field.is_inline);
}

void append_embed(std::string& out, const Embed& embed) {
  json::ObjectWriter object(out);
  add_cut(object, "title", embed.title, title_max);
  add_cut_unless_empty(object, "description", embed.description, description_max);
  append_list(object.key("fields"), embed.fields, fields_max, append_field);
  if (!embed.image_url.empty()) object.add("image", json::object({{"url", embed.image_url}}));
  if (!embed.footer.empty()) object.add("footer", json::object({{"text", cut_text(embed.footer, footer_max)}}));
}

void append_button(std::string& out, const Button& button) {
  json::ObjectWriter object(out);
  object.add("type", 2);
  object.add("style", static_cast<int>(button.style));
  add_cut(object, "label", button.label, label_max);
  object.add(button.style == Button::Style::link ? "url" : "custom_id", button.target);
}

void append_option(std::string& out, const Option& option) {
  json::ObjectWriter object(out);
  add_cut(object, "label", option.label, option_text_max);
  object.add("value", option.value);
  add_cut_unless_empty(object, "description", option.description, option_text_max);
}

void append_select(std::string& out, const Select& select) {
  json::ObjectWriter object(out);
  object.add("type", 3);
  object.add("custom_id", select.custom_id);
  add_cut(object, "placeholder", select.placeholder, placeholder_max);
  append_list(object.key("options"), select.options, select_options_max, append_option);
}

void append_member_select(std::string& out, const MemberSelect& select) {
  json::ObjectWriter object(out);
  object.add("type", 5);
  object.add("custom_id", select.custom_id);
  add_cut(object, "placeholder", select.placeholder, placeholder_max);
}

void append_row(std::string& out, const Row& row) {
  json::ObjectWriter object(out);
  object.add("type", 1);
  if (const auto* buttons = std::get_if<Buttons>(&row)) {
    append_list(object.key("components"), *buttons, buttons_max, append_button);
    return;
  }
  json::ArrayWriter components(object.key("components"));
  if (const auto* select = std::get_if<Select>(&row)) {
    append_select(components.next(), *select);
  } else {
    append_member_select(components.next(), std::get<MemberSelect>(row));
  }
}

void append_message(std::string& out, const Message& message, bool with_flags) {
  json::ObjectWriter object(out);
  add_cut(object, "content", message.content, content_max);
  append_list(object.key("embeds"), fitted(message.embeds), embeds_max, append_embed);
  append_list(object.key("components"), message.rows, rows_max, append_row);
  if (with_flags) object.add("flags", ephemeral);
  object.add("allowed_mentions", json::object({{"parse", json::array({})}}));
}

void append_input(std::string& out, const TextInput& input) {
  json::ObjectWriter row(out);
  row.add("type", 1);
  json::ArrayWriter components(row.key("components"));
  json::ObjectWriter object(components.next());
  object.add("type", 4);
  object.add("custom_id", input.custom_id);
  add_cut(object, "label", input.label, input_label_max);
  object.add("style", input.paragraph ? 2 : 1);
  object.add("required", input.required);
  object.add("max_length", input.length_max);
  add_cut_unless_empty(object, "value", input.value, input.length_max);
  add_cut_unless_empty(object, "placeholder", input.placeholder, input_placeholder_max);
}

void append_modal(std::string& out, const Modal& modal) {
  json::ObjectWriter object(out);
  object.add("custom_id", modal.custom_id);
  add_cut(object, "title", modal.title, modal_title_max);
  append_list(object.key("components"), modal.inputs, inputs_max, append_input);
}

struct Writer {
  std::string& out;

  void operator()(const Message& message) {
    json::ObjectWriter object(out);
    object.add("type", 4);
    append_message(object.key("data"), message, true);
  }
  void operator()(const Modal& modal) {
    json::ObjectWriter object(out);
    object.add("type", 9);
    append_modal(object.key("data"), modal);
  }
  void operator()(Pong) { out += json::object({{"type", 1}}).text; }
  void operator()(Deferred) { out += json::object({{"type", 5}, {"data", json::object({{"flags", ephemeral}})}}).text; }
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
