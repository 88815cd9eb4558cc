#include <fmt/format.h>
#include <iostream>
#include <thread>

#include "base/json_writer.h"
#include "sandbox/commands.h"
#include "sandbox/sandbox_client.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds answer_max{15};
constexpr std::chrono::milliseconds look_again_after{200};

// A member of the sandbox's guild at a chat client, in the terminal.
class TerminalMember {
 public:
  TerminalMember(const ChatSimulation& simulation, std::ostream& out) : simulation_(simulation), out_(out) {}

  void type(const std::string& command) {
    say("/" + command);
    ask("command", {{"name", command}});
  }
  void press(const std::string& label) {
    say("presses " + label);
    ask("component", {{"message", value("/id")}, {"customId", button(label)}});
  }
  void choose_first() {
    say("chooses " + value(select + "/options/0/label"));
    ask("component", {{"message", value("/id")},
                      {"customId", value(select + "/custom_id")},
                      {"values", json::array({value(select + "/options/0/value")})}});
  }

  // Fills in the form that is open: beyond the quantity it asks for an address, or for nothing.
  void fill_in() {
    say("fills in the form");
    const std::string modal = "/modal";
    const std::string fields = json::write_object([&](json::ObjectWriter& object) {
      for (std::size_t i = 0; i < answer_->size(modal + "/components"); ++i) {
        const std::string id = answer_->text(fmt::format("{}/components/{}/components/0/custom_id", modal, i));
        object.add(id, id == "quantity" ? "2" : id == "address" ? "Ada\nHigh Street 1\nLondon, LDN, W1, GB" : "");
      }
    });
    ask("modal", {{"customId", answer_->text(modal + "/customId")}, {"fields", json::verbatim(fields)}});
  }

  std::string title() const { return value("/embeds/0/title"); }

 private:
  static inline const std::string select = "/components/0/components/0";

  // A value of the message that answered last.
  std::string value(const std::string& pointer) const { return answer_->text(message_ + pointer); }
  std::size_t size(const std::string& pointer) const { return answer_->size(message_ + pointer); }

  void say(const std::string& text) { out_ << "\n  you  " << text << "\n"; }

  std::string button(const std::string& label) const {
    for (std::size_t row = 0; row < size("/components"); ++row) {
      const std::string buttons = fmt::format("/components/{}/components", row);
      for (std::size_t i = 0; i < size(buttons); ++i) {
        const std::string one = fmt::format("{}/{}", buttons, i);
        if (value(one + "/label") == label) return value(one + "/custom_id");
      }
    }
    throw std::runtime_error(fmt::format("There is no button '{}': is there anything for sale?", label));
  }

  void ask(const std::string& kind, std::initializer_list<json::Member> members) {
    const std::string body = json::write_object([&](json::ObjectWriter& object) {
      object.add("member", simulation_.member);
      object.add("channel", simulation_.channel);
      for (const json::Member& member : members) object.add(member.key, member.value);
    });
    answer_ = call_sandbox(simulation_.sandbox, "POST", "/sandbox/chat/" + kind, body);
    message_ = "/messages/0";
    if (value("/pending") == "true") wait_for_answer(value("/id"));
    show();
  }

  // The bot has announced an answer: waits until the message has it.
  void wait_for_answer(const std::string& id) {
    const auto give_up = std::chrono::steady_clock::now() + answer_max;
    while (std::chrono::steady_clock::now() < give_up) {
      answer_ = call_sandbox(simulation_.sandbox, "GET", "/sandbox/state");
      message_ = place_of(id);
      if (value("/pending") != "true") return;
      std::this_thread::sleep_for(look_again_after);
    }
    throw std::runtime_error("The bot has announced an answer that did not come.");
  }

  std::string place_of(const std::string& id) const {
    for (std::size_t i = 0; i < answer_->size("/guild/channels"); ++i) {
      const std::string messages = fmt::format("/guild/channels/{}/messages", i);
      for (std::size_t j = 0; j < answer_->size(messages); ++j) {
        if (answer_->text(fmt::format("{}/{}/id", messages, j)) == id) return fmt::format("{}/{}", messages, j);
      }
    }
    throw std::runtime_error("The bot's answer has disappeared.");
  }

  void line(const std::string& text) {
    std::string shown = "  bot  ";
    for (const char c : text) shown.append(c == '\n' ? "\n       " : std::string(1, c));
    out_ << shown << "\n";
  }

  void show() {
    if (const std::string content = value("/content"); !content.empty()) line(content);
    for (std::size_t i = 0; i < size("/embeds"); ++i) {
      const std::string embed = fmt::format("/embeds/{}", i);
      line(value(embed + "/title"));
      if (const std::string text = value(embed + "/description"); !text.empty()) line(text);
      for (std::size_t j = 0; j < size(embed + "/fields"); ++j) {
        const std::string field = fmt::format("{}/fields/{}", embed, j);
        line(fmt::format("{}: {}", value(field + "/name"), value(field + "/value")));
      }
    }
    for (std::size_t i = 0; i < size("/components"); ++i) show_row(fmt::format("/components/{}", i));
  }

  void show_row(const std::string& row) {
    std::string shown;
    for (std::size_t i = 0; i < size(row + "/components"); ++i) {
      const std::string one = fmt::format("{}/components/{}", row, i);
      if (const std::string label = value(one + "/label"); !label.empty()) shown += fmt::format("[{}] ", label);
      for (std::size_t j = 0; j < size(one + "/options"); ++j) {
        const std::string option = fmt::format("{}/options/{}", one, j);
        shown +=
            fmt::format("{}( ) {}  {}", j > 0 ? "\n" : "", value(option + "/label"), value(option + "/description"));
      }
    }
    line(shown);
  }

  const ChatSimulation& simulation_;
  std::ostream& out_;
  std::optional<JsonLookup> answer_;
  std::string message_;  // its place in the answer
};

}  // namespace

bool simulate_chat(const ChatSimulation& simulation, std::ostream& out) {
  TerminalMember member(simulation, out);
  member.type("help");
  member.type("shop");
  member.choose_first();
  member.press("Buy");
  member.fill_in();
  member.choose_first();
  const bool ordered = member.title().starts_with("Order ");
  member.type("orders");
  return ordered;
}

}  // namespace guildhall
