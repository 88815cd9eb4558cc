#include "api/reference.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <stdexcept>

namespace guildhall::api {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

std::logic_error wrong(std::string_view what) {
  return std::logic_error(fmt::format("reference.json: {}", what));
}

std::string text_of(element value) {
  std::string_view text;
  if (value.get(text) != SUCCESS) throw wrong(fmt::format("{} is not text", simdjson::minify(value)));
  return std::string(text);
}

// "text" or ["text", example].
Reference::Note note_of(element value) {
  simdjson::dom::array parts;
  if (value.get(parts) != SUCCESS) return {text_of(value), ""};
  if (parts.size() != 2) throw wrong(fmt::format("{} is not [text, example]", simdjson::minify(value)));
  return {text_of(parts.at(0)), simdjson::minify(element(parts.at(1)))};
}

template <class Map>
void add_notes(object members, Map& notes) {
  for (const auto [key, value] : members) notes.insert_or_assign(std::string(key), note_of(value));
}

// Calls `visit` with each name of "Order, NewOrder".
template <class Visit>
void for_each_name(std::string_view names, Visit visit) {
  while (!names.empty()) {
    visit(names.substr(0, names.find(',')));
    names.remove_prefix(std::min(names.size(), names.find(',')));
    names.remove_prefix(std::min(names.find_first_not_of(", "), names.size()));
  }
}

Reference::Operation operation_of(object members, const std::string& file_tag) {
  Reference::Operation operation;
  operation.tag = file_tag;
  for (const auto [key, value] : members) {
    if (key == "id") {
      operation.id = text_of(value);
    } else if (key == "tag") {
      operation.tag = text_of(value);
    } else if (key == "description") {
      operation.description = text_of(value);
    } else if (key == "errors") {
      for (const element code : simdjson::dom::array(value)) operation.errors.push_back(text_of(code));
    } else if (key == "parameters") {
      add_notes(value, operation.parameters);
    } else if (key == "body") {
      operation.body_example = simdjson::minify(value);
    } else if (key == "hidden") {
      operation.hidden = bool(value);
    } else if (key == "versioned") {
      operation.versioned = bool(value);
    } else if (key == "repeatable") {
      operation.repeatable = bool(value);
    } else if (key == "setsCookie") {
      operation.sets_cookie = bool(value);
    } else if (key == "countsItself") {
      operation.counts_itself = bool(value);
    } else if (key == "fixed") {
      for (const auto [name, text] : object(value)) operation.fixed.emplace(name, text_of(text));
    } else {
      throw wrong(fmt::format("{} is not a known member of an operation", key));
    }
  }
  return operation;
}

template <class Map>
auto* found_in(Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

Reference::Reference(std::span<const std::string_view> files) {
  for (const std::string_view file : files) {
    simdjson::dom::parser parser;
    object document;
    if (parser.parse(simdjson::padded_string(file)).get(document) != SUCCESS) throw wrong("a file is not JSON");
    std::string file_tag;
    for (const auto [key, value] : document) {
      if (key == "tag") {
        file_tag = text_of(value);
      } else if (key == "tags") {
        for (const auto [name, text] : object(value)) tags_.push_back({std::string(name), text_of(text)});
      } else if (key == "operations") {
        for (const auto [name, members] : object(value)) {
          const bool added = operations_.try_emplace(std::string(name), operation_of(members, file_tag)).second;
          if (!added) throw wrong(fmt::format("{} is described twice", name));
        }
      } else if (key == "types") {
        for (const auto [names, members] : object(value)) {
          for_each_name(names, [&, fields = object(members)](std::string_view name) {
            const bool is_pattern = name.ends_with('*');
            add_notes(fields, is_pattern ? patterns_.emplace_back(name.substr(0, name.size() - 1), Notes{}).second
                                         : types_[std::string(name)]);
          });
        }
      } else if (key == "fields") {
        add_notes(value, fields_);
      } else if (key == "parameters") {
        add_notes(value, parameters_);
      } else if (key == "headers") {
        add_notes(value, headers_);
      } else if (key == "errors") {
        add_notes(value, errors_);
      } else if (key == "webhooks") {
        add_notes(value, webhooks_);
      } else if (key == "deprecated") {
        for (const auto [names, fields] : object(value)) {
          for_each_name(names, [&, list = simdjson::dom::array(fields)](std::string_view name) {
            for (const element field : list) deprecated_.emplace(std::string(name), text_of(field));
          });
        }
      } else {
        throw wrong(fmt::format("{} is not a known member", key));
      }
    }
  }
}

const Reference::Operation& Reference::operation(const std::string& key) const {
  static const Operation undescribed;
  const auto found = operations_.find(key);
  return found == operations_.end() ? undescribed : found->second;
}

const Reference::Note* Reference::own_field(std::string_view type, std::string_view key) const {
  if (const Notes* notes = found_in(types_, type)) {
    if (const Note* note = found_in(*notes, key)) return note;
  }
  for (const auto& [prefix, notes] : patterns_) {
    if (!type.starts_with(prefix)) continue;
    if (const Note* note = found_in(notes, key)) return note;
  }
  return nullptr;
}

const Reference::Note* Reference::field(std::string_view type, std::string_view key) const {
  const Note* own = own_field(type, key);
  return own != nullptr ? own : found_in(fields_, key);
}

const Reference::Note* Reference::parameter(const std::string& name) const {
  return found_in(parameters_, name);
}

bool Reference::is_deprecated(std::string_view type, std::string_view key) const {
  return deprecated_.contains({std::string(type), std::string(key)});
}

const Reference::Note* Reference::webhook(std::string_view event) const {
  return found_in(webhooks_, event);
}

const Reference::Note* Reference::header(const std::string& name) const {
  return found_in(headers_, name);
}

}  // namespace guildhall::api
