#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"
#include "features/reports/calendar.h"

// Rows of a report as CSV (RFC 4180): a header with the names of the JSON members, lines end with CR LF.
namespace guildhall::csv {

// Whether a spreadsheet would take the text for a formula.
bool is_formula(std::string_view text);

// Quotes text where necessary. Text that a spreadsheet would take for a formula gets an apostrophe in front.
void append_text(std::string& out, std::string_view text);

template <class T>
void append_cell(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    json::append_integer(out, value);
  } else if constexpr (std::is_same_v<T, Date>) {
    out += to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    append_text(out, name_of(value));
  } else {
    append_text(out, value);
  }
}

template <class T>
void append_cell(std::string& out, const std::optional<T>& value) {
  if (value) append_cell(out, *value);
}

template <Declared Row>
std::string table(const std::vector<Row>& rows) {
  std::string out;
  for (const Field& field : fields_of<Row>()) out.append(out.empty() ? "" : ",").append(field.key);
  out += "\r\n";
  for (const Row& row : rows) {
    bool first = true;
    boost::mp11::mp_for_each<detail::Members<Row>>([&](auto member) {
      if (!std::exchange(first, false)) out += ',';
      append_cell(out, row.*member.pointer);
    });
    out += "\r\n";
  }
  return out;
}

}  // namespace guildhall::csv
