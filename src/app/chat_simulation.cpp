#include <iostream>

#include "app/commands.h"
#include "base/declared.h"
#include "base/encoding.h"
#include "base/ids.h"
#include "base/json_lookup.h"
#include "outbound/http_client.h"

namespace guildhall {
namespace {

// A member at a chat client, in the terminal.
class Member {
 public:
  Member(const Ed25519Key& key, const ChatSimulation& simulation, std::ostream& out)
      : key_(key), simulation_(simulation), out_(out) {}

  void type(const std::string& command) {
    say("/" + command);
    ask(2, json::object({{"name", command}, {"type", 1}, {"options", json::array({})}}));
  }
  void press(const std::string& label) {
    say("presses " + label);
    ask(3, json::object({{"component_type", 2}, {"custom_id", button(label)}}));
  }
  void choose_first() {
    say("chooses " + value(select + "/options/0/label"));
    ask(3, json::object({{"component_type", 3},
                         {"custom_id", value(select + "/custom_id")},
                         {"values", json::array({value(select + "/options/0/value")})}}));
  }

  // Fills in the modal that is open: what is asked for beyond the quantity is an address, or nothing.
  void fill_in() {
    say("fills in the form");
    const std::string rows = json::write_array([&](json::ArrayWriter& list) {
      for (std::size_t i = 0; i < reply_->size("/data/components"); ++i) {
        const std::string id = value(fmt::format("/data/components/{}/components/0/custom_id", i));
        const std::string text = id == "quantity"  ? "2"
                                 : id == "address" ? "Ada\nHigh Street 1\nLondon, LDN, W1, GB"
                                                   : "";
        const json::Value input = json::object({{"type", 4}, {"custom_id", id}, {"value", text}});
        list.add(json::object({{"type", 1}, {"components", json::array({input})}}));
      }
    });
    ask(5, json::object({{"custom_id", value("/data/custom_id")}, {"components", json::verbatim(rows)}}));
  }

  std::string title() const { return value("/data/embeds/0/title"); }

 private:
  static inline const std::string select = "/data/components/0/components/0";

  std::string value(const std::string& pointer) const { return reply_->text(pointer); }

  void say(const std::string& text) { out_ << "\n  you  " << text << "\n"; }

  std::string button(const std::string& label) const {
    for (std::size_t row = 0; row < reply_->size("/data/components"); ++row) {
      const std::string buttons = fmt::format("/data/components/{}/components", row);
      for (std::size_t i = 0; i < reply_->size(buttons); ++i) {
        const std::string one = fmt::format("{}/{}", buttons, i);
        if (value(one + "/label") == label) return value(one + "/custom_id");
      }
    }
    throw std::runtime_error(fmt::format("There is no button '{}': is there anything for sale?", label));
  }

  void ask(int type, const json::Value& data) {
    const Instant at = now();
    const json::Value user =
        json::object({{"id", simulation_.user}, {"username", "simulated"}, {"global_name", "Simulated Ada"}});
    const std::string body =
        json::object({{"id", make_uuid(at)},
                      {"application_id", "0"},
                      {"type", type},
                      {"token", "simulated"},
                      {"guild_id", simulation_.guild},
                      {"channel_id", "1"},
                      {"locale", "en-US"},
                      {"member", json::object({{"user", user}, {"roles", json::array({})}, {"permissions", "0"}})},
                      {"data", data}})
            .text;
    const std::string timestamp = std::to_string(at.ms / 1000);
    const outbound::Reply reply =
        outbound::send_now({.method = "POST",
                            .url = simulation_.url + "/chat/interactions",
                            .headers = {{"Content-Type", "application/json"},
                                        {"X-Signature-Ed25519", hex(sign_ed25519(key_, timestamp + body))},
                                        {"X-Signature-Timestamp", timestamp}},
                            .body = body});
    reply_ = JsonLookup::parse(reply.body);
    if (!reply.ok() || !reply_) {
      throw std::runtime_error(
          fmt::format("{} answered {} {}", simulation_.url, reply.status, reply.error + reply.body));
    }
    show();
  }

  void line(const std::string& text) {
    std::string shown = "  bot  ";
    for (const char c : text) shown.append(c == '\n' ? "\n       " : std::string(1, c));
    out_ << shown << "\n";
  }

  void show() {
    if (const std::string content = value("/data/content"); !content.empty()) line(content);
    for (std::size_t i = 0; i < reply_->size("/data/embeds"); ++i) {
      const std::string embed = fmt::format("/data/embeds/{}", i);
      line(value(embed + "/title"));
      if (const std::string text = value(embed + "/description"); !text.empty()) line(text);
      for (std::size_t j = 0; j < reply_->size(embed + "/fields"); ++j) {
        const std::string field = fmt::format("{}/fields/{}", embed, j);
        line(fmt::format("{}: {}", value(field + "/name"), value(field + "/value")));
      }
    }
    for (std::size_t i = 0; i < reply_->size("/data/components"); ++i)
      encode_row(fmt::format("/data/components/{}", i));
  }

  void encode_row(const std::string& row) {
    std::string shown;
    for (std::size_t i = 0; i < reply_->size(row + "/components"); ++i) {
      const std::string one = fmt::format("{}/components/{}", row, i);
      if (reply_->has(one + "/label")) shown += fmt::format("[{}] ", value(one + "/label"));
      for (std::size_t j = 0; j < reply_->size(one + "/options"); ++j) {
        const std::string option = fmt::format("{}/options/{}", one, j);
        shown +=
            fmt::format("{}( ) {}  {}", j > 0 ? "\n" : "", value(option + "/label"), value(option + "/description"));
      }
    }
    line(shown);
  }

  const Ed25519Key& key_;
  const ChatSimulation& simulation_;
  std::ostream& out_;
  std::optional<JsonLookup> reply_;
};

}  // namespace

bool simulate_chat(const Ed25519Key& key, const ChatSimulation& simulation, std::ostream& out) {
  Member member(key, simulation, out);
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
