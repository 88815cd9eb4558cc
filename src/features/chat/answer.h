#pragma once

#include <string>
#include <variant>
#include <vector>

// Answers to members, and their encoding for the platform. Pure. The encoder cuts every text at the platform's limit,
// with an ellipsis, so that callers need not check lengths.
namespace guildhall::chat {

struct EmbedField {
  std::string name;
  std::string value;
  bool is_inline = false;  // shown in one row with its neighbours, if there is room
};

struct Embed {
  std::string title;
  std::string description{};
  std::vector<EmbedField> fields{};
  std::string footer{};
  std::string image_url{};  // absolute
};

struct Button {
  enum class Style { primary = 1, secondary = 2, success = 3, link = 5 };
  Style style = Style::secondary;
  std::string label;
  std::string target;  // a custom id, or the URL of a link
};

struct Option {
  std::string label;
  std::string value;
  std::string description{};
};

struct Select {
  std::string custom_id;
  std::string placeholder;
  std::vector<Option> options;
};

// A select whose options are the members of the chat server.
struct MemberSelect {
  std::string custom_id;
  std::string placeholder;
};

constexpr std::size_t select_options_max = 25;

using Buttons = std::vector<Button>;
using Row = std::variant<Buttons, Select, MemberSelect>;

// Visible only to the member whom it answers.
struct Message {
  std::string content{};
  std::vector<Embed> embeds{};
  std::vector<Row> rows{};
};

struct TextInput {
  std::string custom_id;
  std::string label;
  std::string value{};
  std::string placeholder{};
  bool paragraph = false;
  bool required = true;
  std::size_t length_max = 100;
};

struct Modal {
  std::string custom_id;
  std::string title;
  std::vector<TextInput> inputs;
};

struct Pong {};

// The member sees "thinking" until the answer is edited.
struct Deferred {};

using Answer = std::variant<Message, Modal, Pong, Deferred>;

// The body of the reply to an interaction.
std::string answer_json(const Answer& answer);

// Only the message, for an edit of an answer.
std::string message_json(const Message& message);

}  // namespace guildhall::chat
