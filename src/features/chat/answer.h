#pragma once

#include <string>
#include <variant>
#include <vector>

// What we answer a member with, and how it is written for the platform. Pure. Whatever is longer than the platform
// takes is cut here, with an ellipsis, so that nobody else has to count.
namespace guildhall::chat {

struct EmbedField {
  std::string name;
  std::string value;
  bool beside = false;  // the next one stands beside it, if there is room
};

struct Embed {
  std::string title;
  std::string description{};
  std::vector<EmbedField> fields{};
  std::string footer{};
};

struct Button {
  enum class Style { primary = 1, secondary = 2, success = 3, link = 5 };
  Style style = Style::secondary;
  std::string label;
  std::string target;  // a custom id, or the address of a link
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

constexpr std::size_t select_options_max = 25;

using Buttons = std::vector<Button>;
using Row = std::variant<Buttons, Select>;

// Only the member it answers sees it.
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

// "Thinking": a message follows.
struct Deferred {};

using Answer = std::variant<Message, Modal, Pong, Deferred>;

// The whole reply to an interaction.
std::string answer_json(const Answer& answer);

// Just the message, as an edit of an answer takes it.
std::string message_json(const Message& message);

}  // namespace guildhall::chat
