#include "app/ops/erase/erased_person.h"

#include <simdjson.h>
#include <vector>

#include "base/json_lookup.h"
#include "base/text.h"

namespace guildhall {
namespace {

constexpr std::size_t compared_bytes_min = 5;  // shorter names are those of many

using JsonElement = simdjson::dom::element;

struct OpenField {
  std::string name;
  JsonElement value;
};

bool is_document(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[');
}

std::string name_inside(const std::string& parent, std::string_view key) {
  if (key == "before" || key == "after") return parent;
  return key == "id" ? parent + ".id" : std::string(key);
}

// Adds the fields of an object or list to those that are to be read.
void open_field(const OpenField& field, std::vector<OpenField>& fields) {
  simdjson::dom::object object;
  simdjson::dom::array list;
  if (field.value.get(object) == simdjson::SUCCESS) {
    for (const auto& [key, value] : object) fields.push_back({name_inside(field.name, key), value});
  } else if (field.value.get(list) == simdjson::SUCCESS) {
    for (const JsonElement value : list) fields.push_back({field.name, value});
  }
}

// Texts that are documents themselves, such as the payload of a message inside a message, are added to `documents`.
bool any_in_document(std::string_view column, const std::string& text, std::vector<std::string>& documents,
                     FunctionRef<bool(std::string_view, std::string_view)> take) {
  simdjson::dom::parser parser;
  JsonElement document;
  if (parser.parse(text).get(document) != simdjson::SUCCESS) return take(column, text);
  std::vector<OpenField> fields{{std::string(column), document}};
  while (!fields.empty()) {
    const OpenField field = std::move(fields.back());
    fields.pop_back();
    std::string_view value;
    if (field.value.get(value) != simdjson::SUCCESS) {
      open_field(field, fields);
    } else if (is_document(value)) {
      documents.emplace_back(value);
    } else if (take(field.name, value)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool any_field(std::string_view column, std::string_view text,
               FunctionRef<bool(std::string_view, std::string_view)> take) {
  if (column == "lane") text = text.substr(text.find(':') + 1);  // "topic:receiver" or "topic"
  if (!is_document(text)) return take(column, text);
  std::vector<std::string> documents{std::string(text)};  // one inside the other: no recursion over data
  while (!documents.empty()) {
    const std::string document = std::move(documents.back());
    documents.pop_back();
    if (any_in_document(column, document, documents, take)) return true;
  }
  return false;
}

ErasedPerson::ErasedPerson(const Customer& customer)
    : chat_id_(customer.chat_id), email_(customer.email.value_or("")), phone_(customer.phone.value_or("")) {
  add_id(customer.id.text());
  receivers_ = {"chat/" + chat_id_, "customer/" + customer.id.text(), "email/" + folded(email_)};
  const auto add_name = [&](const std::string& name) {
    if (name.size() >= compared_bytes_min) names_.insert(name);
  };
  add_name(customer.chat_username);
  add_name(customer.chat_display_name);
  for (const CustomerAddress& address : customer.addresses) {
    add_name(address.name.value);
    add_name(address.line1.value);
    if (address.phone) add_name(address.phone->value);
  }
}

bool ErasedPerson::has_ordered(const std::string* customer_id, std::string_view customer) const {
  if (customer_id != nullptr && has_id(*customer_id)) return true;
  const auto buyer = JsonLookup::parse(customer);
  return buyer && has_chat_id(buyer->text("/chatId"));
}

bool ErasedPerson::is_chat_id(std::string_view field, std::string_view value) const {
  static const std::set<std::string_view> chat_fields{
      "chat_id",   "chatId",   "chat_user_id", "chatUserId", "customerChatId", "gift_to", "giftTo",
      "gifted_by", "giftedBy", "user_id",      "userId",     "actor_id",       "user.id", "provider_user_id"};
  return has_chat_id(value) && chat_fields.contains(field);
}

bool ErasedPerson::is_named_in(std::string_view column, std::string_view text) const {
  return any_field(column, text, [&](std::string_view field, std::string_view value) {
    return has_id(value) || receivers_.contains(value) || (!email_.empty() && value == email_) ||
           is_chat_id(field, value);
  });
}

bool ErasedPerson::can_be_reached_by(std::string_view column, std::string_view text) const {
  return any_field(column, text, [&](std::string_view field, std::string_view value) {
    const bool is_number = phone_.size() >= compared_bytes_min && value == phone_;
    return is_number || receivers_.contains(value) || (!email_.empty() && value == email_) || is_chat_id(field, value);
  });
}

bool ErasedPerson::resembles(std::string_view column, std::string_view text) const {
  return any_field(column, text, [&](std::string_view, std::string_view value) { return names_.contains(value); });
}

}  // namespace guildhall
