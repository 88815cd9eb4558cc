#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "features/customers/customer.h"

namespace guildhall {

// Recognises the records of one person by whole decoded fields, never by a part of a text: anybody may have the name of
// somebody else, or a name that is a piece of JSON.
class ErasedPerson {
 public:
  explicit ErasedPerson(const Customer& customer);

  // Adds the id of a record that belongs to the person, such as an order.
  void add_id(std::string id) { ids_.insert(std::move(id)); }
  bool has_id(std::string_view id) const { return ids_.contains(id); }

  // Whether the person has placed the order. Both are columns of the order; `customer` is JSON, and the id may be null.
  bool has_ordered(const std::string* customer_id, std::string_view customer) const;

  bool has_chat_id(std::string_view text) const { return !chat_id_.empty() && text == chat_id_; }

  // Whether a field names the person: by an id of the customer or of the person's records, by the email address or, in
  // a field for ids of people, by the chat id. `text` may be JSON, whose fields are compared one by one.
  bool is_named_in(std::string_view field, std::string_view text) const;

  // Whether a field still shows how the person can be reached: by the chat id, the email address or the phone number.
  bool can_be_reached_by(std::string_view field, std::string_view text) const;

  // Whether a field has the same name, or the same line of an address. It may be another person's.
  bool resembles(std::string_view field, std::string_view text) const;

 private:
  bool is_chat_id(std::string_view field, std::string_view value) const;

  std::string chat_id_, email_, phone_;
  std::set<std::string, std::less<>> ids_, receivers_, names_;
};

// Calls `take` with the name and the text of a column, or of each field of the JSON in it, until it returns true, and
// returns whether it has. A field of a list has the name of the list. A field of a change in the audit trail (`before`,
// `after`) has the name of the changed field; any other `id` is named with the object around it, as in `user.id`.
bool any_field(std::string_view column, std::string_view text,
               FunctionRef<bool(std::string_view field, std::string_view value)> take);

}  // namespace guildhall
