#include "sandbox/chat_rules.h"

#include <fmt/format.h>
#include <set>
#include <simdjson.h>

namespace guildhall::sandbox {
namespace {

using simdjson::dom::element;

// The length in UTF-16 units, as the platform counts it.
std::size_t length(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

class Judge {
 public:
  void answer(element reply) {
    const std::int64_t type = number(reply, "type");
    if (type == 1) return;
    element data;
    if (reply["data"].get(data) != simdjson::SUCCESS) return fault("there is no data");
    if (type == 4) return message(data);
    if (type == 5) return expect(number(data, "flags") == 64, "a deferred answer is not ephemeral");
    if (type == 9) return modal(data);
    fault(fmt::format("type {} is no answer of ours", type));
  }

  // The parts of a message that are there.
  void content(element data) {
    text(data, "content", 0, 2000, false);
    element part;
    std::size_t in_embeds = 0;
    if (data["embeds"].get(part) == simdjson::SUCCESS) {
      each(data, "embeds", 0, 10, [&](element one) { in_embeds += embed(one); });
    }
    expect(in_embeds <= 6000, fmt::format("the embeds have {} characters", in_embeds));
    if (data["components"].get(part) == simdjson::SUCCESS) {
      each(data, "components", 0, 5, [&](element one) { row(one); });
    }
  }

  std::string faults;

 private:
  void fault(const std::string& text) { faults += text + "\n"; }
  void expect(bool good, const std::string& otherwise) {
    if (!good) fault(otherwise);
  }

  std::int64_t number(element object, std::string_view key) {
    std::int64_t value = -1;
    if (object[key].get(value) != simdjson::SUCCESS) fault(fmt::format("{} is no number", key));
    return value;
  }

  std::string text(element object, std::string_view key, std::size_t min, std::size_t max, bool required = true) {
    std::string_view value;
    if (object[key].get(value) != simdjson::SUCCESS) {
      if (required) fault(fmt::format("{} is missing", key));
      return "";
    }
    const std::size_t size = length(value);
    expect(size >= min && size <= max, fmt::format("{} has {} characters: {}", key, size, value));
    return std::string(value);
  }

  template <class Visit>
  std::size_t each(element object, std::string_view key, std::size_t min, std::size_t max, Visit visit) {
    simdjson::dom::array list;
    if (object[key].get(list) != simdjson::SUCCESS) {
      fault(fmt::format("{} is no list", key));
      return 0;
    }
    expect(list.size() >= min && list.size() <= max, fmt::format("{} has {} elements", key, list.size()));
    for (const element entry : list) visit(entry);
    return list.size();
  }

  void custom_id(element component) {
    const std::string id = text(component, "custom_id", 1, 100);
    expect(ids_.insert(id).second, "a custom id twice: " + id);
  }

  void message(element data) {
    content(data);
    const bool has_content = !text(data, "content", 0, 2000).empty();
    expect(each(data, "embeds", 0, 10, [](element) {}) > 0 || has_content, "the message is empty");
    each(data, "components", 0, 5, [](element) {});
    expect(number(data, "flags") == 64, "the message is not ephemeral");
    simdjson::dom::array parse;
    expect(data["allowed_mentions"]["parse"].get(parse) == simdjson::SUCCESS && parse.size() == 0,
           "the message may mention somebody");
  }

  std::size_t embed(element one) {
    std::size_t size = length(text(one, "title", 1, 256)) + length(text(one, "description", 1, 4096, false));
    each(one, "fields", 0, 25,
         [&](element field) { size += length(text(field, "name", 1, 256)) + length(text(field, "value", 1, 1024)); });
    element footer;
    if (one["footer"].get(footer) == simdjson::SUCCESS) size += length(text(footer, "text", 1, 2048));
    return size;
  }

  void row(element one) {
    expect(number(one, "type") == 1, "a component outside of a row");
    bool select = false;
    const std::size_t count = each(one, "components", 1, 5, [&](element component) {
      const std::int64_t type = number(component, "type");
      expect(type == 2 || type == 3 || type == 5, "neither button nor select");
      select = select || type != 2;
      type == 2 ? button(component) : menu(component, type == 3);
    });
    expect(!select || count == 1, "a select shares its row");
  }

  void button(element one) {
    const std::int64_t style = number(one, "style");
    expect(style >= 1 && style <= 5, "no such style");
    text(one, "label", 1, 80);
    if (style != 5) return custom_id(one);
    const std::string url = text(one, "url", 1, 512);
    expect(url.starts_with("http://") || url.starts_with("https://"), "no link: " + url);
    expect(one["custom_id"].error() != simdjson::SUCCESS, "a link with a custom id");
  }

  // Without options of its own the platform offers the members of the guild.
  void menu(element one, bool has_options) {
    custom_id(one);
    text(one, "placeholder", 0, 150, false);
    if (!has_options) return;
    std::set<std::string> values;
    each(one, "options", 1, 25, [&](element option) {
      text(option, "label", 1, 100);
      text(option, "description", 1, 100, false);
      expect(values.insert(text(option, "value", 1, 100)).second, "an option twice");
    });
  }

  void modal(element data) {
    custom_id(data);
    text(data, "title", 1, 45);
    each(data, "components", 1, 5, [&](element one) {
      each(one, "components", 1, 1, [&](element input) {
        expect(number(input, "type") == 4, "no text input");
        custom_id(input);
        text(input, "label", 1, 45);
        const std::int64_t style = number(input, "style");
        expect(style == 1 || style == 2, "no such style of input");
        const std::int64_t max = number(input, "max_length");
        expect(max >= 1 && max <= 4000, "no such length");
        text(input, "value", 1, static_cast<std::size_t>(max), false);
        text(input, "placeholder", 1, 100, false);
      });
    });
  }

  std::set<std::string> ids_;
};

std::string faults_of(std::string_view json, void (Judge::*check)(element)) {
  simdjson::dom::parser parser;
  element document;
  if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS) {
    return fmt::format("not JSON: {}", json);
  }
  Judge judge;
  (judge.*check)(document);
  return judge.faults;
}

}  // namespace

std::string faults_of_answer(std::string_view json) {
  return faults_of(json, &Judge::answer);
}

std::string faults_of_content(std::string_view json) {
  return faults_of(json, &Judge::content);
}

}  // namespace guildhall::sandbox
